import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** What LangChain's histories stored of six messages, recorded from `@langchain/redis` 1.1.2 and `@langchain/mongodb` 1.3.1. */
export const MESSAGES = [
  { type: 'system', data: { content: 'Be brief.', additional_kwargs: {}, response_metadata: {} } },
  {
    type: 'human',
    data: { content: 'What is the weather in Bern?', additional_kwargs: {}, response_metadata: {} },
  },
  {
    type: 'ai',
    data: {
      content: '',
      id: 'run-1',
      tool_calls: [{ name: 'weather', args: { city: 'Bern' }, id: 'call_1' }],
      invalid_tool_calls: [],
      additional_kwargs: {},
      response_metadata: {},
    },
  },
  {
    type: 'tool',
    data: {
      content: 'sunny',
      tool_call_id: 'call_1',
      name: 'weather',
      additional_kwargs: {},
      response_metadata: {},
    },
  },
  {
    type: 'ai',
    data: {
      content: 'Sunny.',
      tool_calls: [],
      invalid_tool_calls: [],
      additional_kwargs: {},
      response_metadata: {},
    },
  },
  {
    type: 'human',
    data: {
      content: [
        { type: 'text', text: 'And here?' },
        { type: 'image_url', image_url: { url: 'https://example.com/bern.png' } },
      ],
      additional_kwargs: {},
      response_metadata: {},
    },
  },
];

/** What the DynamoDB history of `@langchain/community` 1.1.29 stored of the first five. The sixth it cannot write. */
export const DYNAMODB_MESSAGES: AttributeValue[] = [
  ['system', 'Be brief.'],
  ['human', 'What is the weather in Bern?'],
  ['ai', ''],
  ['tool', 'sunny'],
  ['ai', 'Sunny.'],
].map(([type = '', text = '']) => ({
  M: { type: { S: type }, text: { S: text }, additional_kwargs: { S: '{}' } },
}));
