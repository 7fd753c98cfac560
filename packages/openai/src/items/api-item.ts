/** An item of the Responses and Conversations APIs, with whatever fields it has. */
export type ApiItem = Record<string, unknown>;

interface ApiItemType {
  /** Whether the API takes the item only with its id. Else the id is the API's to give, and is not sent back. */
  readonly needsId: boolean;
  /** What it may have beside `id` and `type`, when it is sent. */
  readonly fields: ReadonlySet<string>;
}

/** Every type of item that can be sent, after the published schemas and the types of the `openai` package. */
export const API_ITEM_TYPES: ReadonlyMap<string, ApiItemType> = new Map<string, ApiItemType>([
  ...types('without', {
    function_call: 'call_id name arguments namespace caller async status',
    function_call_output: 'call_id output name namespace caller status',
    custom_tool_call: 'call_id name input namespace caller async',
    custom_tool_call_output: 'call_id output caller',
    computer_call_output: 'call_id output acknowledged_safety_checks status',
    tool_search_call: 'call_id execution arguments status',
    tool_search_output: 'call_id execution tools status',
    additional_tools: 'role tools',
    configuration_update: 'reasoning text',
    shell_call: 'call_id action environment caller status',
    shell_call_output: 'call_id output max_output_length caller status',
    apply_patch_call: 'call_id operation caller status',
    apply_patch_call_output: 'call_id output caller status',
    mcp_approval_response: 'approval_request_id approve reason',
    compaction: 'encrypted_content',
    compaction_trigger: '',
  }),
  ...types('with', {
    message: 'role content phase status',
    reasoning: 'summary content encrypted_content status',
    file_search_call: 'queries results status',
    web_search_call: 'action status',
    image_generation_call:
      'result status action background error output_format quality revised_prompt size svg_usage',
    code_interpreter_call: 'code container_id outputs status',
    computer_call: 'call_id action actions pending_safety_checks status',
    local_shell_call: 'call_id action status',
    local_shell_call_output: 'output status',
    mcp_list_tools: 'server_label tools error',
    mcp_approval_request: 'server_label name arguments',
    mcp_call: 'server_label name arguments output error status approval_request_id',
    program: 'call_id code fingerprint',
    program_output: 'call_id result status',
    item_reference: '',
  }),
]);

function types(id: 'with' | 'without', listed: Record<string, string>): [string, ApiItemType][] {
  return Object.entries(listed).map(([type, fields]) => [
    type,
    { needsId: id === 'with', fields: new Set(fields.split(' ')) },
  ]);
}

/** An object with the names that it has, or nothing at all. */
export function recordOf(value: unknown): ApiItem | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as ApiItem)
    : undefined;
}

/** Without what is absent, which JSON would leave out anyway. */
export function present(item: ApiItem): ApiItem {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}
