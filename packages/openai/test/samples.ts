import type { AgentInputItem } from '@openai/agents';
import type { ConversationItem } from 'openai/resources/conversations/items';
import type { ResponseInputItem } from 'openai/resources/responses/responses';

type Samples<TType extends string> = Record<TType, Record<string, unknown>[]>;

/** Items as the API gives them, at least one of each type that a conversation may hold. */
export const apiSamples: Samples<NonNullable<ConversationItem['type']>> = {
  message: [
    {
      id: 'msg_u',
      type: 'message',
      role: 'user',
      status: 'completed',
      content: [
        { type: 'input_text', text: 'Look.', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'input_image', image_url: 'https://example.com/a.png', file_id: null, detail: 'high' },
        { type: 'input_image', image_url: null, file_id: 'file_1', detail: 'auto' },
        { type: 'input_file', file_data: 'data:text/plain;base64,aGk=', filename: 'a.txt' },
        { type: 'input_file', file_url: 'https://example.com/b.pdf' },
        { type: 'input_file', file_id: 'file_2', detail: 'low' },
      ],
    },
    {
      id: 'msg_s',
      type: 'message',
      role: 'system',
      status: 'completed',
      content: [{ type: 'input_text', text: 'Be kind.' }],
    },
    {
      id: 'msg_s2',
      type: 'message',
      role: 'system',
      status: 'completed',
      content: [
        { type: 'input_text', text: 'Be kind.' },
        { type: 'input_text', text: 'Be brief.' },
      ],
    },
    {
      id: 'msg_d',
      type: 'message',
      role: 'developer',
      status: 'completed',
      content: [{ type: 'input_text', text: 'Answer in French.' }],
    },
    {
      id: 'msg_a',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      phase: 'final_answer',
      content: [
        {
          type: 'output_text',
          text: 'Salut.',
          annotations: [{ type: 'file_citation', file_id: 'file_1', index: 0, filename: 'a.txt' }],
          logprobs: [{ token: 'S', logprob: -0.5, bytes: [83], top_logprobs: [] }],
        },
        { type: 'refusal', refusal: 'Non.' },
      ],
    },
    {
      id: 'msg_i',
      type: 'message',
      role: 'assistant',
      status: 'incomplete',
      content: [{ type: 'output_text', text: 'Sal', annotations: [], logprobs: [] }],
    },
  ],
  function_call: [
    {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'call_1',
      name: 'weather',
      namespace: 'skies',
      arguments: '{"city":"Faro"}',
      caller: { type: 'program', caller_id: 'call_p' },
      async: true,
      status: 'completed',
      created_by: 'me',
    },
  ],
  function_call_output: [
    {
      id: 'fco_1',
      type: 'function_call_output',
      call_id: 'call_1',
      name: 'weather',
      namespace: 'skies',
      caller: { type: 'direct' },
      output: 'Sunny.',
      status: 'completed',
    },
    {
      id: 'fco_2',
      type: 'function_call_output',
      call_id: 'call_2',
      output: [
        { type: 'input_text', text: 'A map:' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA==', file_id: null, detail: 'low' },
        { type: 'input_file', file_id: 'file_1', filename: 'map.pdf' },
      ],
      status: 'incomplete',
    },
    { id: 'fco_3', type: 'function_call_output', output: 'Of no call.', status: 'completed' },
  ],
  custom_tool_call: [
    { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', name: 'grep', input: 'a.*b', namespace: 'n' },
  ],
  custom_tool_call_output: [
    { id: 'ctco_1', type: 'custom_tool_call_output', call_id: 'call_1', output: 'ab' },
    {
      id: 'ctco_2',
      type: 'custom_tool_call_output',
      call_id: 'call_2',
      output: [{ type: 'input_text', text: 'ab' }],
    },
  ],
  file_search_call: [
    {
      id: 'fs_1',
      type: 'file_search_call',
      status: 'completed',
      queries: ['sun'],
      results: [{ file_id: 'file_1', text: 'sun', filename: 'a.txt', attributes: { a: 1 }, score: 0.5 }],
    },
  ],
  web_search_call: [
    {
      id: 'ws_1',
      type: 'web_search_call',
      status: 'completed',
      action: {
        type: 'search',
        query: 'sun',
        queries: ['sun'],
        sources: [{ type: 'url', url: 'https://a.b' }],
      },
    },
    {
      id: 'ws_2',
      type: 'web_search_call',
      status: 'failed',
      action: { type: 'open_page', url: 'https://a.b' },
    },
  ],
  image_generation_call: [
    {
      id: 'ig_1',
      type: 'image_generation_call',
      status: 'completed',
      result: 'AAAA',
      revised_prompt: 'A sun.',
      size: '1024x1024',
    },
    { id: 'ig_2', type: 'image_generation_call', status: 'failed', result: null },
  ],
  code_interpreter_call: [
    {
      id: 'ci_1',
      type: 'code_interpreter_call',
      status: 'completed',
      container_id: 'cntr_1',
      code: 'print(1)',
      outputs: [
        { type: 'logs', logs: '1' },
        { type: 'image', url: 'https://a.b/c.png' },
      ],
    },
    {
      id: 'ci_2',
      type: 'code_interpreter_call',
      status: 'interpreting',
      container_id: 'cntr_1',
      code: null,
      outputs: null,
    },
  ],
  computer_call: [
    {
      id: 'cu_1',
      type: 'computer_call',
      call_id: 'call_1',
      status: 'completed',
      pending_safety_checks: [{ id: 'sc_1', code: 'a', message: 'b' }],
      action: { type: 'click', button: 'left', x: 1, y: 2 },
    },
    {
      id: 'cu_2',
      type: 'computer_call',
      call_id: 'call_2',
      status: 'completed',
      pending_safety_checks: [],
      actions: [{ type: 'screenshot' }, { type: 'double_click', x: 1, y: 2, keys: null }],
    },
  ],
  computer_call_output: [
    {
      id: 'cuo_1',
      type: 'computer_call_output',
      call_id: 'call_1',
      status: 'completed',
      acknowledged_safety_checks: [{ id: 'sc_1' }],
      output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' },
    },
    {
      id: 'cuo_2',
      type: 'computer_call_output',
      call_id: 'call_2',
      status: 'completed',
      output: { type: 'computer_screenshot', file_id: 'file_1' },
    },
  ],
  tool_search_call: [
    {
      id: 'tsc_1',
      type: 'tool_search_call',
      call_id: 'call_1',
      execution: 'client',
      arguments: { query: 'weather', paths: ['a'] },
      status: 'completed',
    },
  ],
  tool_search_output: [
    {
      id: 'tso_1',
      type: 'tool_search_output',
      call_id: 'call_1',
      execution: 'client',
      status: 'completed',
      tools: [
        { type: 'tool_reference', function_name: 'weather', namespace: 'skies' },
        {
          type: 'namespace',
          name: 'skies',
          description: 'Skies.',
          tools: [
            {
              type: 'function',
              name: 'weather',
              parameters: { type: 'object', properties: { defer_loading: { type: 'string' } } },
              strict: true,
              defer_loading: true,
              allowed_callers: ['direct'],
              output_schema: { type: 'object' },
            },
          ],
        },
        { type: 'mcp', server_label: 'x', defer_loading: true },
      ],
    },
  ],
  additional_tools: [
    { id: 'at_1', type: 'additional_tools', role: 'developer', tools: [{ type: 'computer' }] },
  ],
  configuration_update: [{ id: 'cfg_1', type: 'configuration_update', reasoning: { effort: 'low' } }],
  reasoning: [
    {
      id: 'rs_1',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      content: [{ type: 'reasoning_text', text: 'Hmmm.' }],
      encrypted_content: 'gAAA',
      status: 'completed',
    },
    { id: 'rs_2', type: 'reasoning', summary: [] },
  ],
  program: [{ id: 'prog_1', type: 'program', call_id: 'call_p', code: 'await a()', fingerprint: 'fp' }],
  program_output: [
    { id: 'po_1', type: 'program_output', call_id: 'call_p', result: '{"a":1}', status: 'incomplete' },
  ],
  compaction: [{ id: 'cmp_1', type: 'compaction', encrypted_content: 'gBBB', created_by: 'them' }],
  local_shell_call: [
    {
      id: 'lsh_1',
      type: 'local_shell_call',
      call_id: 'call_1',
      status: 'completed',
      action: { type: 'exec', command: ['ls'], env: { PATH: '/bin' }, timeout_ms: 10 },
    },
  ],
  local_shell_call_output: [
    { id: 'lsho_1', type: 'local_shell_call_output', output: '{"out":""}', status: 'completed' },
  ],
  shell_call: [
    {
      id: 'sh_1',
      type: 'shell_call',
      call_id: 'call_1',
      status: 'completed',
      action: { commands: ['ls'], timeout_ms: 10, max_output_length: null },
      environment: { type: 'container_reference', container_id: 'cntr_1' },
    },
  ],
  shell_call_output: [
    {
      id: 'sho_1',
      type: 'shell_call_output',
      call_id: 'call_1',
      status: 'completed',
      max_output_length: 100,
      output: [
        { stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 1 } },
        { stdout: '', stderr: '', outcome: { type: 'timeout' } },
      ],
    },
  ],
  apply_patch_call: [
    {
      id: 'apc_1',
      type: 'apply_patch_call',
      call_id: 'call_1',
      status: 'completed',
      operation: { type: 'update_file', path: 'a', diff: '+' },
    },
    {
      id: 'apc_2',
      type: 'apply_patch_call',
      call_id: 'call_2',
      status: 'in_progress',
      operation: { type: 'delete_file', path: 'a' },
    },
    {
      id: 'apc_3',
      type: 'apply_patch_call',
      call_id: 'call_3',
      status: 'completed',
      operation: { type: 'create_file', path: 'a', diff: '+' },
    },
  ],
  apply_patch_call_output: [
    { id: 'apo_1', type: 'apply_patch_call_output', call_id: 'call_1', status: 'failed', output: 'No.' },
    { id: 'apo_2', type: 'apply_patch_call_output', call_id: 'call_2', status: 'completed' },
  ],
  mcp_list_tools: [
    {
      id: 'mcpl_1',
      type: 'mcp_list_tools',
      server_label: 'x',
      tools: [
        { name: 'a', description: 'A.', input_schema: { someKey: 1 }, annotations: { readOnly: true } },
      ],
    },
    { id: 'mcpl_2', type: 'mcp_list_tools', server_label: 'x', tools: [], error: 'down' },
  ],
  mcp_approval_request: [
    { id: 'mcpr_1', type: 'mcp_approval_request', server_label: 'x', name: 'a', arguments: '{}' },
  ],
  mcp_approval_response: [
    {
      id: 'mcpa_1',
      type: 'mcp_approval_response',
      approval_request_id: 'mcpr_1',
      approve: false,
      reason: 'No.',
    },
  ],
  mcp_call: [
    {
      id: 'mcp_1',
      type: 'mcp_call',
      server_label: 'x',
      name: 'a',
      arguments: '{}',
      output: 'ok',
      approval_request_id: 'mcpr_1',
      status: 'completed',
    },
    {
      id: 'mcp_2',
      type: 'mcp_call',
      server_label: 'x',
      name: 'a',
      arguments: '{}',
      output: null,
      error: { type: 'http_error', code: 500, message: 'no' },
      status: 'failed',
    },
  ],
};

/** What can be sent and is never given back under its own type. */
export const inputOnlySamples: Samples<
  Exclude<NonNullable<ResponseInputItem['type']>, keyof typeof apiSamples>
> = {
  item_reference: [{ id: 'msg_1', type: 'item_reference' }],
  compaction_trigger: [{ type: 'compaction_trigger' }],
};

type AgentType = NonNullable<AgentInputItem['type']>;

/** The Agents SDK's items as its runner or its users make them, and what the API is sent for each. */
export const agentSamples: Record<
  AgentType,
  [item: Record<string, unknown>, sent: Record<string, unknown>][]
> = {
  message: [
    [
      { role: 'user', content: 'Hello.' },
      { type: 'message', role: 'user', content: 'Hello.' },
    ],
    [
      {
        type: 'message',
        id: 'msg_1',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.', promptCacheBreakpoint: { mode: 'explicit' } },
          { type: 'input_image', image: 'https://a.b/c.png' },
          { type: 'input_image', image: { id: 'file_1' }, detail: 'low' },
          { type: 'input_file', file: 'https://a.b/c.pdf' },
          { type: 'input_file', file: { url: 'https://a.b/c.pdf' }, filename: 'c.pdf' },
          { type: 'input_file', file: { id: 'file_1' } },
          { type: 'input_file', file: 'data:text/plain;base64,aGk=', filename: 'a.txt' },
        ],
      },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.', prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'input_image', detail: 'auto', image_url: 'https://a.b/c.png' },
          { type: 'input_image', detail: 'low', file_id: 'file_1' },
          { type: 'input_file', file_url: 'https://a.b/c.pdf' },
          { type: 'input_file', file_url: 'https://a.b/c.pdf', filename: 'c.pdf' },
          { type: 'input_file', file_id: 'file_1' },
          { type: 'input_file', file_data: 'data:text/plain;base64,aGk=', filename: 'a.txt' },
        ],
      },
    ],
    [
      { role: 'system', content: 'Be kind.' },
      { type: 'message', role: 'system', content: 'Be kind.' },
    ],
    [
      {
        type: 'message',
        id: 'msg_2',
        role: 'assistant',
        status: 'completed',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'Hi.', providerData: { annotations: [], logprobs: [] } }],
        providerData: { model: 'gpt-5.5', phase: 'commentary' },
      },
      {
        id: 'msg_2',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'Hi.', annotations: [], logprobs: [] }],
      },
    ],
    [
      // Other providers' models give no id, or one that the API does not take.
      {
        role: 'assistant',
        id: 'FAKE_ID',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hi.' }],
      },
      { type: 'message', role: 'assistant', content: 'Hi.' },
    ],
    [
      {
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'Hi.' },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'Hi.', annotations: [], logprobs: [] },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
    ],
  ],
  function_call: [
    [
      {
        type: 'function_call',
        id: 'fc_1',
        callId: 'call_1',
        name: 'weather',
        arguments: '{}',
        status: 'completed',
        providerData: { id: 'fc_1', type: 'function_call', model: 'gpt-5.5', somethingElse: 1 },
      },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}', status: 'completed' },
    ],
  ],
  function_call_result: [
    ...(
      [
        ['Sunny.', 'Sunny.'],
        [{ type: 'text', text: 'Sunny.' }, 'Sunny.'],
        [
          { type: 'image', image: 'https://a.b/c.png', detail: 'low' },
          [{ type: 'input_image', detail: 'low', image_url: 'https://a.b/c.png' }],
        ],
        [
          { type: 'image', image: { data: new Uint8Array([1, 2]), mediaType: 'image/png' } },
          [{ type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AQI=' }],
        ],
        [
          { type: 'image', image: { fileId: 'file_1' } },
          [{ type: 'input_image', detail: 'auto', file_id: 'file_1' }],
        ],
        [
          { type: 'file', file: { data: 'aGk=', mediaType: 'text/plain', filename: 'a.txt' } },
          [{ type: 'input_file', file_data: 'data:text/plain;base64,aGk=', filename: 'a.txt' }],
        ],
        [
          { type: 'file', file: { url: 'https://a.b/c.pdf', filename: 'c.pdf' } },
          [{ type: 'input_file', file_url: 'https://a.b/c.pdf', filename: 'c.pdf' }],
        ],
        [{ type: 'file', file: { id: 'file_1' } }, [{ type: 'input_file', file_id: 'file_1' }]],
        [
          [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image: { id: 'file_1' } },
          ],
          [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', detail: 'auto', file_id: 'file_1' },
          ],
        ],
      ] as const
    ).map(([output, sent]): [Record<string, unknown>, Record<string, unknown>] => [
      { type: 'function_call_result', callId: 'call_1', name: 'weather', status: 'completed', output },
      { type: 'function_call_output', call_id: 'call_1', name: 'weather', status: 'completed', output: sent },
    ]),
  ],
  hosted_tool_call: [
    [
      {
        type: 'hosted_tool_call',
        id: 'ws_1',
        name: 'web_search',
        status: 'completed',
        providerData: { type: 'web_search', action: { type: 'search', query: 'sun' } },
      },
      {
        id: 'ws_1',
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: 'sun' },
      },
    ],
    [
      {
        type: 'hosted_tool_call',
        id: 'ig_1',
        name: 'image_generation_call',
        status: 'completed',
        output: 'AAAA',
        providerData: { type: 'image_generation_call', id: 'ig_1' },
      },
      { id: 'ig_1', type: 'image_generation_call', status: 'completed', result: 'AAAA' },
    ],
    [
      {
        type: 'hosted_tool_call',
        name: 'mcp_approval_response',
        providerData: {
          type: 'mcp_approval_response',
          approve: true,
          approvalRequestId: 'mcpr_1',
          reason: undefined,
        },
      },
      { type: 'mcp_approval_response', approve: true, approval_request_id: 'mcpr_1' },
    ],
  ],
  computer_call: [
    [
      {
        type: 'computer_call',
        id: 'cu_1',
        callId: 'call_1',
        status: 'completed',
        action: { type: 'double_click', x: 1, y: 2 },
      },
      {
        id: 'cu_1',
        type: 'computer_call',
        call_id: 'call_1',
        status: 'completed',
        pending_safety_checks: [],
        action: { type: 'double_click', x: 1, y: 2, keys: null },
      },
    ],
  ],
  computer_call_result: [
    [
      {
        type: 'computer_call_result',
        callId: 'call_1',
        output: { type: 'computer_screenshot', data: 'AA==' },
        providerData: { acknowledgedSafetyChecks: [{ id: 'sc_1' }] },
      },
      {
        type: 'computer_call_output',
        call_id: 'call_1',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA==' },
        acknowledged_safety_checks: [{ id: 'sc_1' }],
      },
    ],
  ],
  tool_search_call: [
    [
      {
        type: 'tool_search_call',
        callId: 'call_1',
        execution: 'client',
        arguments: { query: 'a' },
        status: 'odd',
      },
      { type: 'tool_search_call', call_id: 'call_1', execution: 'client', arguments: { query: 'a' } },
    ],
  ],
  tool_search_output: [
    [
      {
        type: 'tool_search_output',
        providerData: { call_id: 'call_1', execution: 'server' },
        toolSearchAgentName: 'Travel',
        tools: [{ type: 'function', name: 'a', parameters: {}, strict: true, deferLoading: true }],
      },
      {
        type: 'tool_search_output',
        call_id: 'call_1',
        execution: 'server',
        tools: [{ type: 'function', name: 'a', parameters: {}, strict: true, defer_loading: true }],
      },
    ],
  ],
  program: [
    [
      { type: 'program', id: 'prog_1', callId: 'call_1', code: 'a()', fingerprint: 'fp' },
      { id: 'prog_1', type: 'program', call_id: 'call_1', code: 'a()', fingerprint: 'fp' },
    ],
  ],
  program_output: [
    [
      { type: 'program_output', id: 'po_1', callId: 'call_1', output: '1', status: 'completed' },
      { id: 'po_1', type: 'program_output', call_id: 'call_1', result: '1', status: 'completed' },
    ],
  ],
  shell_call: [
    [
      {
        type: 'shell_call',
        callId: 'call_1',
        action: { commands: ['ls'], timeoutMs: 5, maxOutputLength: 6 },
        caller: { type: 'program', callerId: 'call_p' },
      },
      {
        type: 'shell_call',
        call_id: 'call_1',
        action: { commands: ['ls'], timeout_ms: 5, max_output_length: 6 },
        caller: { type: 'program', caller_id: 'call_p' },
      },
    ],
  ],
  shell_call_output: [
    [
      {
        type: 'shell_call_output',
        callId: 'call_1',
        maxOutputLength: 6,
        output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exitCode: null }, extra: 1 }],
      },
      {
        type: 'shell_call_output',
        call_id: 'call_1',
        max_output_length: 6,
        output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ],
  ],
  apply_patch_call: [
    [
      {
        type: 'apply_patch_call',
        callId: 'call_1',
        status: 'completed',
        operation: { type: 'update_file', path: 'a', diff: '+', moveTo: 'b' },
      },
      {
        type: 'apply_patch_call',
        call_id: 'call_1',
        status: 'completed',
        operation: { type: 'update_file', path: 'a', diff: '+', move_to: 'b' },
      },
    ],
  ],
  apply_patch_call_output: [
    [
      { type: 'apply_patch_call_output', callId: 'call_1', status: 'failed', output: 'No.' },
      { type: 'apply_patch_call_output', call_id: 'call_1', status: 'failed', output: 'No.' },
    ],
  ],
  reasoning: [
    [
      {
        type: 'reasoning',
        id: 'rs_1',
        content: [{ type: 'input_text', text: 'Hm.', providerData: { type: 'summary_text' } }],
        rawContent: [{ type: 'reasoning_text', text: 'Hmmm.' }],
        providerData: { encryptedContent: 'gAAA', model: 'gpt-5.5' },
      },
      {
        id: 'rs_1',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        content: [{ type: 'reasoning_text', text: 'Hmmm.' }],
        encrypted_content: 'gAAA',
      },
    ],
    [
      { type: 'reasoning', content: [], providerData: { encrypted_content: 'gAAA' } },
      { type: 'reasoning', summary: [], encrypted_content: 'gAAA' },
    ],
  ],
  compaction: [
    [
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'gBBB', created_by: 'them' },
      { type: 'compaction', encrypted_content: 'gBBB' },
    ],
  ],
  unknown: [
    [
      {
        type: 'unknown',
        id: 'x_1',
        providerData: { type: 'of_next_year', id: 'x_1', aField: { camelCase: 1 } },
      },
      { type: 'of_next_year', id: 'x_1', aField: { camelCase: 1 } },
    ],
    [
      {
        type: 'unknown',
        id: 'ctc_1',
        providerData: { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'grep', input: 'a' },
      },
      { type: 'custom_tool_call', call_id: 'call_1', name: 'grep', input: 'a' },
    ],
  ],
};
