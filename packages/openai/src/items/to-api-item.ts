import { API_ITEM_TYPES, type ApiItem, present, recordOf } from './api-item.ts';
import { takenFrom, toApiPart } from './content-parts.ts';
import { toApiTool } from './tool-definitions.ts';

/** An item of the Agents SDK's that the API has no form for. */
export class NotAnApiItem extends Error {
  /** Where in the item. */
  readonly path: string;

  constructor(why: string, path = '') {
    super(why);
    this.path = path;
  }
}

/**
 * An item of the Agents SDK's as the API takes it. Of `providerData` only that is sent which the API takes in an
 * item of the type; an `unknown` item is sent as it is.
 *
 * The id goes along only where the API has to have it: elsewhere it gives ids itself.
 *
 * @returns `undefined` for reasoning that the API would refuse, having neither an id nor encrypted content
 * @throws NotAnApiItem
 */
export function toApiItem(item: unknown): ApiItem | undefined {
  const given = recordOf(item);
  if (!given) throw new NotAnApiItem('it is no object');
  const type = given.type ?? (typeof given.role === 'string' ? 'message' : undefined);
  const converter = CONVERTERS[type as string];
  if (!converter) throw new NotAnApiItem('the Agents SDK has no item of this type', '.type');
  const converted = converter(given);
  return converted && withIdIfNeeded(converted, given);
}

type Converter = (item: ApiItem) => ApiItem | undefined;

const CONVERTERS: Readonly<Record<string, Converter>> = {
  message: toApiMessage,

  function_call: ({ callId: call_id, name, arguments: args, status, namespace, caller, providerData }) =>
    apiItem('function_call', providerData, {
      call_id,
      name,
      arguments: args,
      status,
      namespace,
      caller: apiCaller(caller),
    }),

  function_call_result: ({ callId: call_id, name, namespace, output, status, caller, providerData }) =>
    apiItem('function_call_output', providerData, {
      call_id,
      output: toApiOutput(output),
      // It is the call's id where the name was not known.
      name: name === call_id ? undefined : name,
      namespace,
      status,
      caller: apiCaller(caller),
    }),

  reasoning({ id, content, rawContent, providerData }) {
    const summary = partsOf(content, '.content').map((part) => ({
      type: 'summary_text',
      text: part.text,
    }));
    const raw =
      rawContent && partsOf(rawContent, '.rawContent').map(({ text }) => ({ type: 'reasoning_text', text }));
    const converted = apiItem('reasoning', providerData, { summary, content: raw || undefined });
    const isTaken = isIdOf('reasoning', id) || typeof converted.encrypted_content === 'string';
    return isTaken ? converted : undefined;
  },

  compaction: ({ encrypted_content, encryptedContent, providerData }) =>
    apiItem('compaction', providerData, { encrypted_content: encrypted_content ?? encryptedContent }),

  computer_call: ({ callId: call_id, status, action, actions, providerData }) => {
    const checks = takenFrom(providerData, new Set(['pending_safety_checks']));
    return apiItem('computer_call', providerData, {
      call_id,
      status,
      action: action && withKeys(action),
      actions: Array.isArray(actions) && actions.length > 0 ? actions.map(withKeys) : undefined,
      pending_safety_checks: checks.pending_safety_checks ?? [],
    });
  },

  computer_call_result: ({ callId: call_id, output, providerData }) => {
    const { data } = recordOf(output) ?? {};
    if (typeof data !== 'string') throw new NotAnApiItem('a screenshot has to be text', '.output.data');
    const image_url = /^(?:data|https?):/.test(data) ? data : `data:image/png;base64,${data}`;
    return apiItem('computer_call_output', providerData, {
      call_id,
      output: { type: 'computer_screenshot', image_url },
    });
  },

  tool_search_call: (item) =>
    apiItem('tool_search_call', item.providerData, {
      ...searchFields(item),
      arguments: item.arguments,
    }),

  tool_search_output: (item) =>
    apiItem('tool_search_output', item.providerData, {
      ...searchFields(item),
      tools: partsOf(item.tools, '.tools').map(toApiTool),
    }),

  program: ({ callId: call_id, code, fingerprint, providerData }) =>
    apiItem('program', providerData, { call_id, code, fingerprint }),

  program_output: ({ callId: call_id, output: result, status, providerData }) =>
    apiItem('program_output', providerData, { call_id, result, status }),

  shell_call: ({ callId: call_id, status, action, caller, providerData }) => {
    const { commands, timeoutMs: timeout_ms, maxOutputLength: max_output_length } = recordOf(action) ?? {};
    return apiItem('shell_call', providerData, {
      call_id,
      status,
      action: present({ commands, timeout_ms, max_output_length }),
      caller: apiCaller(caller),
    });
  },

  shell_call_output: ({ callId: call_id, output, status, maxOutputLength, caller, providerData }) =>
    apiItem('shell_call_output', providerData, {
      call_id,
      status,
      max_output_length: maxOutputLength,
      output: partsOf(output, '.output').map(({ stdout, stderr, outcome }) => {
        const { type, exitCode } = recordOf(outcome) ?? {};
        const ended = type === 'timeout' ? { type } : { type: 'exit', exit_code: exitCode ?? 0 };
        return { stdout, stderr, outcome: ended };
      }),
      caller: apiCaller(caller),
    }),

  apply_patch_call: ({ callId: call_id, status, operation, caller, providerData }) => {
    const { moveTo: move_to, ...named } = recordOf(operation) ?? {};
    return apiItem('apply_patch_call', providerData, {
      call_id,
      status,
      operation: present({ ...named, move_to }),
      caller: apiCaller(caller),
    });
  },

  apply_patch_call_output: ({ callId: call_id, status, output, caller, providerData }) =>
    apiItem('apply_patch_call_output', providerData, {
      call_id,
      status: status ?? 'completed',
      output,
      caller: apiCaller(caller),
    }),

  hosted_tool_call: toApiHostedCall,

  unknown({ providerData }) {
    const { type, ...fields } = recordOf(providerData) ?? {};
    if (typeof type !== 'string') throw new NotAnApiItem('`providerData` holds no item', '.providerData');
    return API_ITEM_TYPES.has(type) ? apiItem(type, fields, {}) : { ...fields, type };
  },
};

/** The item of a type with what has a name of its own, and what `providerData` holds that the API takes. */
function apiItem(type: string, providerData: unknown, named: ApiItem): ApiItem {
  return { type, ...takenFrom(providerData, API_ITEM_TYPES.get(type)!.fields), ...present(named) };
}

function toApiMessage({ id, role, content, status, phase, providerData }: ApiItem): ApiItem {
  if (role !== 'assistant') {
    const isText = typeof content === 'string';
    return apiItem('message', providerData, {
      role,
      content: isText ? content : toApiParts(content, '.content'),
    });
  }
  if (typeof content === 'string') return apiItem('message', providerData, { role, content, phase });
  const parts = toApiParts(content, '.content');
  const text = parts.length === 1 ? plainText(parts[0]!) : undefined;
  // The full form has to have an id. The brief one takes text alone, and the API makes the full one of it.
  if (!isIdOf('message', id) && text !== undefined && (status ?? 'completed') === 'completed') {
    const { status: _, ...brief } = apiItem('message', providerData, { role, content: text, phase });
    return brief;
  }
  return apiItem('message', providerData, { role, content: parts, status: status ?? 'completed', phase });
}

function plainText({ type, text, ...rest }: ApiItem): string | undefined {
  const isPlain = Object.values(rest).every((value) => Array.isArray(value) && value.length === 0);
  return type === 'output_text' && typeof text === 'string' && isPlain ? text : undefined;
}

/** What the SDK's older versions called the hosted tools' calls. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  web_search: 'web_search_call',
  file_search: 'file_search_call',
  code_interpreter: 'code_interpreter_call',
  image_generation: 'image_generation_call',
};

function toApiHostedCall({ name, status, output, providerData }: ApiItem): ApiItem {
  const data = recordOf(providerData) ?? {};
  const called = String(data.type ?? name);
  const type = OLD_NAMES[called] ?? called;
  switch (type) {
    case 'file_search_call':
      return apiItem(type, data, { status, queries: data.queries ?? [] });
    case 'web_search_call':
      return apiItem(type, data, { status });
    case 'image_generation_call':
      return apiItem(type, data, { status, result: output ?? data.result ?? null });
    case 'code_interpreter_call':
      return apiItem(type, data, {
        status,
        code: data.code ?? null,
        outputs: data.outputs ?? data.results ?? null,
      });
    case 'mcp_call':
      return apiItem(type, data, { output });
    default:
      return API_ITEM_TYPES.has(type) ? apiItem(type, data, {}) : { ...data, type };
  }
}

function searchFields(item: ApiItem): ApiItem {
  const { call_id, callId, execution, status } = item;
  const isKnown = status === 'in_progress' || status === 'completed' || status === 'incomplete';
  return { call_id: call_id ?? callId ?? undefined, execution, status: isKnown ? status : undefined };
}

function toApiOutput(output: unknown): unknown {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return toApiParts(output, '.output');
  const { type, text } = recordOf(output) ?? {};
  if (type === 'text' && typeof text === 'string') return text;
  return toApiParts([output], '.output');
}

function toApiParts(parts: unknown, path: string): ApiItem[] {
  return partsOf(parts, path).map((part, at) => {
    const converted = toApiPart(part);
    if (!converted) throw new NotAnApiItem('the API has no such content in this place', `${path}[${at}]`);
    return converted;
  });
}

function partsOf(value: unknown, path: string): ApiItem[] {
  if (!Array.isArray(value)) throw new NotAnApiItem('it should be an array', path);
  return value as ApiItem[];
}

function apiCaller(caller: unknown): ApiItem | undefined {
  const { type, callerId: caller_id } = recordOf(caller) ?? {};
  return type === undefined ? undefined : present({ type, caller_id });
}

/** The published schema has them as `null` where there are none. */
function withKeys(action: unknown): unknown {
  const named = recordOf(action);
  return named?.type === 'double_click' ? { keys: null, ...named } : action;
}

function withIdIfNeeded(item: ApiItem, { id, providerData }: ApiItem): ApiItem {
  const type = item.type as string;
  const known = API_ITEM_TYPES.get(type);
  const given = id ?? recordOf(providerData)?.id;
  if (known && !(known.needsId && isIdOf(type, given))) return item;
  // People and instructions are quoted without an id.
  if (type === 'message' && (item.role !== 'assistant' || typeof item.content === 'string')) return item;
  return present({ id: given, ...item });
}

/** Whether the API would take it for the id of such an item; other providers' models give ids of other forms. */
function isIdOf(type: string, id: unknown): boolean {
  if (typeof id !== 'string' || id === '') return false;
  if (type === 'message') return id.startsWith('msg');
  return type !== 'reasoning' || id.startsWith('rs');
}
