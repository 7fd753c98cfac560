import type { z } from 'zod';
import { invalid } from './api-error.ts';
import { easyAssistantMessage, inputMessage, itemSchemas, outputMessage } from './item-schemas.ts';

/** An item as it came in, or as it is kept. */
export type ApiItem = Record<string, unknown>;

/** What begins the ids of each type that bears its own, as far as the API is known to look. */
const ID_PREFIXES: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs' };

/**
 * Holds items against the schemas of their types.
 *
 * @param where - the parameter that they came in, for the error
 * @throws ApiError 400
 */
export function checkItems(items: unknown, where: string): asserts items is ApiItem[] {
  if (!Array.isArray(items)) {
    throw invalid(`Invalid type for '${where}': expected an array of objects.`, where, 'invalid_type');
  }
  for (const [at, item] of items.entries()) checkItem(item, `${where}[${at}]`);
}

function checkItem(item: unknown, where: string): void {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw invalid(`Invalid type for '${where}': expected an object.`, where, 'invalid_type');
  }
  const result = schemaOf(item as ApiItem, where).safeParse(item);
  if (!result.success) throw problem(result.error.issues[0]!, where);
  const { type = 'message', role, id, encrypted_content } = item as ApiItem;
  if (type === 'reasoning' && typeof id !== 'string' && typeof encrypted_content !== 'string') {
    throw invalid(`Missing required parameter: '${where}.id'.`, `${where}.id`, 'missing_required_parameter');
  }
  const prefix = ID_PREFIXES[type as string];
  if (prefix && typeof id === 'string' && !id.startsWith(prefix) && role !== 'user') {
    throw invalid(
      `Invalid '${where}.id': '${id}'. Expected an ID that begins with '${prefix}'.`,
      `${where}.id`,
      'invalid_value',
    );
  }
}

function schemaOf(item: ApiItem, where: string): z.ZodType {
  const { type, role, content } = item;
  if (type === undefined || type === 'message') {
    if (role !== 'assistant') return inputMessage;
    const parts = Array.isArray(content) ? (content as ApiItem[]) : [];
    const isOutput = parts.some((part) => part?.type === 'output_text' || part?.type === 'refusal');
    return isOutput ? outputMessage : easyAssistantMessage;
  }
  const schema = typeof type === 'string' ? itemSchemas[type] : undefined;
  if (!schema) {
    throw invalid(
      `Invalid value: '${String(type)}'. Supported values are: 'message', ${Object.keys(itemSchemas)
        .map((name) => `'${name}'`)
        .join(', ')}.`,
      `${where}.type`,
      'invalid_value',
    );
  }
  return schema;
}

/** The API's words for what zod found. */
function problem(issue: z.core.$ZodIssue, where: string): Error {
  if (issue.code === 'invalid_union' && issue.errors.some((branch) => branch.length > 0)) {
    // The branch that went furthest knows best what is wrong.
    const branches = issue.errors.map((branch) => branch[0]!).filter(Boolean);
    const deepest = branches.sort((a, b) => b.path.length - a.path.length)[0]!;
    return problem({ ...deepest, path: [...issue.path, ...deepest.path] } as z.core.$ZodIssue, where);
  }
  const param = issue.path.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${String(step)}`),
    where,
  );
  if (issue.code === 'unrecognized_keys') {
    const name = `${param}.${issue.keys[0]}`;
    return invalid(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  }
  if (issue.code === 'too_big' || issue.code === 'too_small') {
    return invalid(`Invalid '${param}': ${issue.message}.`, param, `${issue.origin}_${issue.code}`);
  }
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.includes('undefined')) {
    return invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
  }
  if (issue.code === 'invalid_type') {
    return invalid(`Invalid type for '${param}': ${issue.message}.`, param, 'invalid_type');
  }
  return invalid(`Invalid value for '${param}': ${issue.message}.`, param, 'invalid_value');
}
