import { type Model, startOpenAI } from '@sessions/servers';
import { OpenAI } from 'openai';

/** The API that there is: OpenAI's with a key in the environment, a stand-in without. */
export async function connect(): Promise<{
  client: OpenAI;
  model: string;
  about: string;
  stop(): Promise<void>;
}> {
  const model = process.env.OPENAI_MODEL || 'gpt-5.5';
  if (process.env.OPENAI_API_KEY) {
    const about = `OpenAI's, with ${model}, since OPENAI_API_KEY is set`;
    return { client: new OpenAI(), model, about, stop: async () => undefined };
  }
  const api = await startOpenAI();
  api.script(speak);
  return {
    client: new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey }),
    model,
    about: 'a stand-in on this machine, whose model is a script; set OPENAI_API_KEY to talk to the real one',
    stop: () => api.stop(),
  };
}

/** Plays a model, which knows nothing but what it is shown. */
const speak: Model = ({ items }) => {
  const conversation = JSON.stringify(items);
  const last = items.at(-1)!;
  const asked = JSON.stringify(last.content ?? '');
  const [, city] = /(?:to|in) ([A-Z]\w+)/.exec(asked) ?? [];
  const thought = { type: 'reasoning', summary: [] };
  if (city) {
    const call_id = `call_${crypto.randomUUID()}`;
    return [
      thought,
      { type: 'function_call', call_id, name: 'weather', arguments: JSON.stringify({ city }) },
    ];
  }
  const [, name] = /name is (\w+)/.exec(conversation) ?? [];
  const content =
    last.type === 'function_call_output'
      ? `${String(last.output)}.`
      : name
        ? `You are ${name}.`
        : 'You did not say.';
  return [thought, { type: 'message', role: 'assistant', content }];
};
