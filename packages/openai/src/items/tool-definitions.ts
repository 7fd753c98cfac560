import { type ApiItem, present, recordOf } from './api-item.ts';

/** Names of a found tool's fields that the Agents SDK spells its own way. */
const NAMES: readonly [api: string, agents: string][] = [
  ['defer_loading', 'deferLoading'],
  ['allowed_callers', 'allowedCallers'],
  ['output_schema', 'outputSchema'],
];

/** What a tool search found, in the Agents SDK's spelling. */
export function toAgentTool(tool: unknown): unknown {
  const given = recordOf(tool);
  if (given?.type === 'tool_reference') {
    const { function_name: functionName, ...rest } = given;
    return present({ ...rest, functionName });
  }
  return respelled(tool, NAMES, toAgentTool);
}

export function toApiTool(tool: unknown): unknown {
  const given = recordOf(tool);
  if (given?.type === 'tool_reference') {
    const { functionName: function_name, ...rest } = given;
    return present({ ...rest, function_name });
  }
  return respelled(
    tool,
    NAMES.map(([api, agents]) => [agents, api]),
    toApiTool,
  );
}

function respelled(
  tool: unknown,
  names: readonly (readonly [from: string, to: string])[],
  inside: (tool: unknown) => unknown,
): unknown {
  const given = recordOf(tool);
  if (given?.type === 'namespace' && Array.isArray(given.tools)) {
    return { ...given, tools: given.tools.map(inside) };
  }
  if (given?.type !== 'function') return tool;
  const spelled = new Map(names);
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => [
    spelled.get(name) ?? name,
    value,
  ]);
  return Object.fromEntries(entries) satisfies ApiItem;
}
