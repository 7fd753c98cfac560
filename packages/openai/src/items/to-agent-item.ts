import { type ApiItem, present, recordOf } from './api-item.ts';
import { toAgentParts, withRest } from './content-parts.ts';
import { toAgentTool } from './tool-definitions.ts';

/**
 * An item of the API's as the Agents SDK has it. Always one for one. Fields that have no name there are kept under
 * `providerData`; an item that has no name there, or holds something that has none, is kept whole, as `unknown`.
 */
export function toAgentItem(item: ApiItem): ApiItem {
  return CONVERTERS[item.type as string]?.(item) ?? unknownItem(item);
}

/** The SDK's own word for what it does not know; it sends `providerData` to the model as it is. */
function unknownItem(item: ApiItem): ApiItem {
  return present({ type: 'unknown', id: item.id, providerData: item });
}

type Converter = (item: ApiItem) => ApiItem | undefined;

const CONVERTERS: Readonly<Record<string, Converter>> = {
  message: toAgentMessage,

  function_call({ id, call_id, name, namespace, arguments: args, status, caller, type, ...rest }) {
    return withRest(
      present({
        type,
        id,
        callId: call_id,
        name,
        namespace,
        status,
        arguments: args,
        caller: agentCaller(caller),
      }),
      rest,
    );
  },

  function_call_output({ id, call_id, name, namespace, status, output, caller, type, ...rest }) {
    const converted = typeof output === 'string' ? output : toAgentParts(output, INPUT_PARTS);
    if (typeof call_id !== 'string' || converted === undefined) return undefined;
    return withRest(
      present({
        type: 'function_call_result',
        id,
        callId: call_id,
        // The SDK must have a name; older items were stored without.
        name: name ?? call_id,
        namespace: namespace ?? undefined,
        status: status ?? 'completed',
        output: converted,
        caller: agentCaller(caller),
      }),
      rest,
    );
  },

  reasoning({ id, summary, type, ...rest }) {
    if (!Array.isArray(summary)) return undefined;
    const content = summary.map((part) => {
      const { type: _, text, ...others } = recordOf(part) ?? {};
      return withRest({ type: 'input_text', text }, others);
    });
    return withRest(present({ type, id, content }), rest);
  },

  compaction({ id, encrypted_content, created_by, type, ...rest }) {
    return withRest(present({ type, id, encrypted_content, created_by: created_by ?? undefined }), rest);
  },

  computer_call({ id, call_id, status, action, actions, type, ...rest }) {
    const some = Array.isArray(actions) && actions.length > 0 ? actions : undefined;
    if (!action && !some) return undefined;
    return withRest(
      present({ type, id, callId: call_id, status, action: action ?? undefined, actions: some }),
      rest,
    );
  },

  computer_call_output({ id, call_id, output, type: _, ...rest }) {
    const { type, image_url: data, file_id, ...others } = recordOf(output) ?? {};
    // The SDK has no place for a screenshot that is a file's id, nor for the other fields of one.
    if (typeof data !== 'string' || file_id || Object.keys(others).some((name) => name !== 'detail')) {
      return undefined;
    }
    return withRest(
      present({ type: 'computer_call_result', id, callId: call_id, output: { type, data } }),
      rest,
    );
  },

  tool_search_call({ id, status, arguments: args, type, ...rest }) {
    return withRest(present({ type, id, status, arguments: args }), rest);
  },

  tool_search_output({ id, status, tools, type, ...rest }) {
    if (!Array.isArray(tools)) return undefined;
    return withRest(present({ type, id, status, tools: tools.map(toAgentTool) }), rest);
  },

  program({ id, call_id, code, fingerprint, type, ...rest }) {
    return withRest(present({ type, id, callId: call_id, code, fingerprint }), rest);
  },

  program_output({ id, call_id, result, status, type, ...rest }) {
    return withRest(present({ type, id, callId: call_id, output: result, status }), rest);
  },

  shell_call({ id, call_id, status, action, caller, type, ...rest }) {
    const { commands, timeout_ms, max_output_length } = recordOf(action) ?? {};
    if (!Array.isArray(commands)) return undefined;
    return withRest(
      present({
        type,
        id,
        callId: call_id,
        status: status ?? undefined,
        action: present({
          commands,
          timeoutMs: timeout_ms ?? undefined,
          maxOutputLength: max_output_length ?? undefined,
        }),
        caller: agentCaller(caller),
      }),
      rest,
    );
  },

  shell_call_output({ id, call_id, output, max_output_length, status, caller, type, ...rest }) {
    if (!Array.isArray(output)) return undefined;
    return withRest(
      present({
        type,
        id,
        callId: call_id,
        status: status ?? undefined,
        maxOutputLength: max_output_length ?? undefined,
        output: output.map((entry: ApiItem) => {
          const { outcome, ...streams } = entry;
          const { type: ended, exit_code: exitCode } = recordOf(outcome) ?? {};
          return { ...streams, outcome: present({ type: ended, exitCode }) };
        }),
        caller: agentCaller(caller),
      }),
      rest,
    );
  },

  apply_patch_call({ id, call_id, status, operation, caller, type, ...rest }) {
    const { move_to: moveTo, ...named } = recordOf(operation) ?? {};
    if (typeof named.type !== 'string') return undefined;
    return withRest(
      present({
        type,
        id,
        callId: call_id,
        status,
        operation: present({ ...named, moveTo: moveTo ?? undefined }),
        caller: agentCaller(caller),
      }),
      rest,
    );
  },

  apply_patch_call_output({ id, call_id, status, output, caller, type, ...rest }) {
    return withRest(
      present({
        type,
        id,
        callId: call_id,
        status,
        output: output ?? undefined,
        caller: agentCaller(caller),
      }),
      rest,
    );
  },

  file_search_call: hosted,
  web_search_call: hosted,
  code_interpreter_call: hosted,
  image_generation_call: hosted,
  mcp_list_tools: hosted,
  mcp_approval_request: hosted,
  mcp_approval_response: hosted,
  mcp_call: hosted,
};

const INPUT_PARTS = ['input_text', 'input_image', 'input_file'];
const OUTPUT_PARTS = ['output_text', 'refusal'];

function toAgentMessage(item: ApiItem): ApiItem | undefined {
  const { id, type, role, content, status, phase, ...rest } = item;
  switch (role) {
    case 'assistant': {
      const parts =
        typeof content === 'string'
          ? [{ type: 'output_text', text: content }]
          : toAgentParts(content, OUTPUT_PARTS);
      if (!parts) return undefined;
      const said = { type, id, role, status: status ?? 'completed', phase: phase ?? undefined };
      return withRest(present({ ...said, content: parts }), rest);
    }
    case 'user': {
      const parts = typeof content === 'string' ? content : toAgentParts(content, INPUT_PARTS);
      if (parts === undefined) return undefined;
      return withRest(present({ type, id, role, content: parts }), { phase, ...unusual(status), ...rest });
    }
    case 'system': {
      const text = typeof content === 'string' ? content : plainText(content);
      if (text === undefined) return undefined;
      return withRest(present({ type, id, role, content: text }), { phase, ...unusual(status), ...rest });
    }
    default:
      // The SDK has no developer messages; as `unknown` they reach the model as they are.
      return undefined;
  }
}

/** The SDK's own calls of hosted tools: the API's item, but for what is common to all. */
function hosted(item: ApiItem): ApiItem {
  const { type, id, status, ...rest } = item;
  const outputName = type === 'image_generation_call' ? 'result' : 'output';
  const { [outputName]: output, caller, ...others } = rest;
  const isText = typeof output === 'string';
  return present({
    type: 'hosted_tool_call',
    id,
    name: type,
    status: status ?? 'completed',
    output: isText ? output : undefined,
    caller: agentCaller(caller),
    providerData: present({
      id,
      type,
      // The SDK takes the status of an MCP call from here.
      status: type === 'mcp_call' ? status : undefined,
      [outputName]: isText ? undefined : output,
      ...others,
    }),
  });
}

/** One text is what a system message is to the SDK. */
function plainText(content: unknown): string | undefined {
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const { type, text, ...rest } = recordOf(content[0]) ?? {};
  const isPlain = (type === 'input_text' || type === 'text') && Object.keys(rest).length === 0;
  return isPlain && typeof text === 'string' ? text : undefined;
}

/** Every message that was read is complete, and only what is not needs to be said. */
function unusual(status: unknown): ApiItem {
  return status === 'completed' ? {} : { status };
}

function agentCaller(caller: unknown): ApiItem | undefined {
  const { type, caller_id: callerId } = recordOf(caller) ?? {};
  return type === undefined ? undefined : present({ type, callerId });
}
