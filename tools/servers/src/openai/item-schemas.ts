import { z } from 'zod';
import { computerAction, inputPart, outputPart, screenshot, toolOutput } from './content-schemas.ts';

const status = z.enum(['in_progress', 'completed', 'incomplete']);
const callId = z.string().min(1).max(64);
const caller = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('direct') }),
    z.strictObject({ type: z.literal('program'), caller_id: z.string().min(1).max(64) }),
  ])
  .nullish();
const tools = z.array(z.looseObject({ type: z.string() }));
/** What the API gives its own items, which are taken when they are given back. */
const created_by = z.string().nullish();

/** Where the schema leaves the id to the API. */
const free = { id: z.string().nullish() };
/** Where it has to be there. */
const own = { id: z.string().min(1) };

/** What people and instructions say. The published schema has no `id` here, but the API gives one. */
export const inputMessage = z.strictObject({
  ...free,
  type: z.literal('message').optional(),
  role: z.enum(['user', 'system', 'developer']),
  content: z.union([z.string(), z.array(inputPart)]),
  status: status.optional(),
  phase: z.null().optional(),
});

/** What a model said, put briefly. */
export const easyAssistantMessage = z.strictObject({
  ...free,
  type: z.literal('message').optional(),
  role: z.literal('assistant'),
  content: z.union([z.string(), z.array(inputPart)]),
  phase: z.enum(['commentary', 'final_answer']).nullish(),
  status: status.optional(),
});

/** What a model said. The published schema asks for the `id`; OpenAI's own SDKs leave it out, and are served. */
export const outputMessage = z.strictObject({
  ...free,
  type: z.literal('message'),
  role: z.literal('assistant'),
  content: z.array(outputPart),
  status,
  phase: z.enum(['commentary', 'final_answer']).nullish(),
});

/** Every other item, by its type. Fields that are not here are refused. */
export const itemSchemas: Readonly<Record<string, z.ZodType>> = {
  function_call: z.strictObject({
    ...free,
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    namespace: z.string().optional(),
    caller,
    async: z.boolean().optional(),
    status: status.optional(),
    created_by,
  }),
  function_call_output: z.strictObject({
    ...free,
    type: z.literal('function_call_output'),
    call_id: callId.nullish(),
    output: toolOutput,
    name: z.string().min(1).max(128).nullish(),
    namespace: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/)
      .nullish(),
    caller,
    status: status.nullish(),
    created_by,
  }),
  custom_tool_call: z.strictObject({
    ...free,
    type: z.literal('custom_tool_call'),
    call_id: z.string(),
    name: z.string(),
    input: z.string(),
    namespace: z.string().optional(),
    caller,
    async: z.boolean().optional(),
    created_by,
  }),
  custom_tool_call_output: z.strictObject({
    ...free,
    type: z.literal('custom_tool_call_output'),
    call_id: z.string(),
    output: toolOutput,
    caller,
    created_by,
  }),
  file_search_call: z.strictObject({
    ...own,
    type: z.literal('file_search_call'),
    status: z.enum(['in_progress', 'searching', 'completed', 'incomplete', 'failed']),
    queries: z.array(z.string()),
    results: z.array(z.looseObject({})).nullish(),
  }),
  web_search_call: z.strictObject({
    ...own,
    type: z.literal('web_search_call'),
    status: z.enum(['in_progress', 'searching', 'completed', 'incomplete', 'failed']),
    action: z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('search') }),
      z.looseObject({ type: z.literal('open_page') }),
      z.looseObject({ type: z.literal('find_in_page'), url: z.string(), pattern: z.string() }),
    ]),
  }),
  image_generation_call: z.strictObject({
    ...own,
    type: z.literal('image_generation_call'),
    status: z.enum(['in_progress', 'completed', 'generating', 'failed']),
    result: z.string().nullable(),
    ...optional(
      'action',
      'background',
      'error',
      'output_format',
      'quality',
      'revised_prompt',
      'size',
      'svg_usage',
    ),
  }),
  code_interpreter_call: z.strictObject({
    ...own,
    type: z.literal('code_interpreter_call'),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'interpreting', 'failed']),
    container_id: z.string(),
    code: z.string().nullable(),
    outputs: z
      .array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('logs'), logs: z.string() }),
          z.strictObject({ type: z.literal('image'), url: z.string() }),
        ]),
      )
      .nullable(),
  }),
  computer_call: z.strictObject({
    ...own,
    type: z.literal('computer_call'),
    call_id: z.string(),
    action: computerAction.optional(),
    actions: z.array(computerAction).optional(),
    pending_safety_checks: z.array(z.looseObject({ id: z.string() })),
    status,
  }),
  computer_call_output: z.strictObject({
    ...free,
    type: z.literal('computer_call_output'),
    call_id: callId,
    output: screenshot,
    acknowledged_safety_checks: z.array(z.looseObject({ id: z.string() })).nullish(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']).nullish(),
    created_by,
  }),
  reasoning: z.strictObject({
    // The published schema asks for the id; with the encrypted content in its place the API takes the item.
    ...free,
    type: z.literal('reasoning'),
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
    content: z.array(z.strictObject({ type: z.literal('reasoning_text'), text: z.string() })).optional(),
    encrypted_content: z.string().nullish(),
    status: status.optional(),
  }),
  compaction: z.strictObject({
    ...free,
    type: z.literal('compaction'),
    encrypted_content: z.string().max(20_971_520),
    created_by,
  }),
  program: z.strictObject({
    ...own,
    type: z.literal('program'),
    call_id: callId,
    code: z.string(),
    fingerprint: z.string(),
  }),
  program_output: z.strictObject({
    ...own,
    type: z.literal('program_output'),
    call_id: callId,
    result: z.string(),
    status: z.enum(['completed', 'incomplete']),
  }),
  tool_search_call: z.strictObject({
    ...free,
    type: z.literal('tool_search_call'),
    call_id: callId.nullish(),
    execution: z.enum(['server', 'client']).optional(),
    arguments: z.unknown().refine((value) => value !== undefined, 'Required'),
    status: status.nullish(),
    created_by,
  }),
  tool_search_output: z.strictObject({
    ...free,
    type: z.literal('tool_search_output'),
    call_id: callId.nullish(),
    execution: z.enum(['server', 'client']).optional(),
    tools,
    status: status.nullish(),
    created_by,
  }),
  additional_tools: z.strictObject({
    ...free,
    type: z.literal('additional_tools'),
    role: z.literal('developer'),
    tools,
  }),
  configuration_update: z.strictObject({
    ...free,
    type: z.literal('configuration_update'),
    ...optional('reasoning', 'text'),
  }),
  local_shell_call: z.strictObject({
    ...own,
    type: z.literal('local_shell_call'),
    call_id: z.string(),
    action: z.strictObject({
      type: z.literal('exec'),
      command: z.array(z.string()),
      env: z.record(z.string(), z.string()),
      timeout_ms: z.int().nullish(),
      user: z.string().nullish(),
      working_directory: z.string().nullish(),
    }),
    status,
  }),
  local_shell_call_output: z.strictObject({
    ...own,
    type: z.literal('local_shell_call_output'),
    output: z.string(),
    status: status.nullish(),
  }),
  shell_call: z.strictObject({
    ...free,
    type: z.literal('shell_call'),
    call_id: callId,
    action: z.strictObject({
      commands: z.array(z.string()),
      timeout_ms: z.int().nullish(),
      max_output_length: z.int().nullish(),
    }),
    environment: z.looseObject({ type: z.enum(['local', 'container_reference']) }).nullish(),
    caller,
    status: status.nullish(),
    created_by,
  }),
  shell_call_output: z.strictObject({
    ...free,
    type: z.literal('shell_call_output'),
    call_id: callId,
    output: z.array(
      z.strictObject({
        stdout: z.string(),
        stderr: z.string(),
        outcome: z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('timeout') }),
          z.strictObject({ type: z.literal('exit'), exit_code: z.int() }),
        ]),
        created_by,
      }),
    ),
    max_output_length: z.int().nullish(),
    caller,
    status: status.nullish(),
    created_by,
  }),
  apply_patch_call: z.strictObject({
    ...free,
    type: z.literal('apply_patch_call'),
    call_id: callId,
    operation: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('create_file'), path: z.string().min(1), diff: z.string() }),
      z.strictObject({ type: z.literal('delete_file'), path: z.string().min(1) }),
      z.strictObject({
        type: z.literal('update_file'),
        path: z.string().min(1),
        diff: z.string(),
        // Published nowhere; OpenAI's Agents SDK reads and sends it.
        move_to: z.string().min(1).optional(),
      }),
    ]),
    caller,
    status: z.enum(['in_progress', 'completed']),
    created_by,
  }),
  apply_patch_call_output: z.strictObject({
    ...free,
    type: z.literal('apply_patch_call_output'),
    call_id: callId,
    output: z.string().nullish(),
    caller,
    status: z.enum(['completed', 'failed']),
    created_by,
  }),
  mcp_list_tools: z.strictObject({
    ...own,
    type: z.literal('mcp_list_tools'),
    server_label: z.string(),
    tools: z.array(
      z.strictObject({
        name: z.string(),
        description: z.string().nullish(),
        input_schema: z.looseObject({}),
        annotations: z.looseObject({}).nullish(),
      }),
    ),
    error: z.string().nullish(),
  }),
  mcp_approval_request: z.strictObject({
    ...own,
    type: z.literal('mcp_approval_request'),
    server_label: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  mcp_approval_response: z.strictObject({
    ...free,
    type: z.literal('mcp_approval_response'),
    approval_request_id: z.string(),
    approve: z.boolean(),
    reason: z.string().nullish(),
  }),
  mcp_call: z.strictObject({
    ...own,
    type: z.literal('mcp_call'),
    server_label: z.string(),
    name: z.string(),
    arguments: z.string(),
    output: z.string().nullish(),
    error: z
      .looseObject({ type: z.enum(['mcp_protocol_error', 'mcp_tool_execution_error', 'http_error']) })
      .nullish(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'calling', 'failed']).optional(),
    approval_request_id: z.string().nullish(),
  }),
};

function optional(...names: string[]): Record<string, z.ZodType> {
  return Object.fromEntries(names.map((name) => [name, z.unknown().optional()]));
}
