import { invalid } from './api-error.ts';
import type { ApiItem } from './check-items.ts';

/** Ids of items that a model gave right after a reasoning item, and the reasoning's: the one is not taken without the other. */
export class ReasoningPairs {
  readonly #reasoningOf = new Map<unknown, unknown>();

  /** Remembers what stood together. */
  remember(items: readonly ApiItem[]): void {
    for (const [at, item] of items.entries()) {
      const next = items[at + 1];
      if (item.type === 'reasoning' && next && isGenerated(next)) {
        this.#reasoningOf.set(next.id, item.id);
      }
    }
  }

  /** @throws ApiError 400 for an item that bears the id it was given after a reasoning item which is not there */
  check(items: readonly ApiItem[]): void {
    const ids = new Set(items.map(({ id }) => id));
    for (const { id, type = 'message' } of items) {
      const reasoning = typeof id === 'string' ? this.#reasoningOf.get(id) : undefined;
      if (reasoning !== undefined && !ids.has(reasoning)) {
        throw invalid(
          `Item '${id}' of type '${String(type)}' was provided without its required 'reasoning' item: '${String(reasoning)}'.`,
          'input',
        );
      }
    }
  }
}

/** @throws ApiError 400 for a reasoning item with nothing after it that a model could have reasoned about */
export function checkFollowers(items: readonly ApiItem[], where: string): void {
  for (const [at, { type, id }] of items.entries()) {
    if (type !== 'reasoning') continue;
    const next = items.slice(at + 1).find((item) => item.type !== 'reasoning');
    if (!next || !isGenerated(next)) {
      throw invalid(
        `Item '${String(id)}' of type 'reasoning' was provided without its required following item.`,
        where,
      );
    }
  }
}

/** @throws ApiError 400 for a call without its output, or an output without its call */
export function checkCalls(items: readonly ApiItem[]): void {
  const idsOf = (type: string) =>
    new Set(items.filter((item) => item.type === type).map((item) => item.call_id));
  for (const type of CALLS) {
    const [calls, outputs] = [idsOf(type), idsOf(`${type}_output`)];
    const words = type.replaceAll('_', ' ');
    for (const id of calls) {
      if (!outputs.has(id)) throw invalid(`No tool output found for ${words} ${String(id)}.`, 'input');
    }
    for (const id of outputs) {
      if (!calls.has(id)) {
        throw invalid(`No tool call found for ${words} output with call_id ${String(id)}.`, 'input');
      }
    }
  }
}

/** @throws ApiError 400 for an id that is there twice */
export function checkDuplicates(items: readonly ApiItem[]): void {
  const ids = new Set<unknown>();
  for (const { id } of items) {
    if (typeof id !== 'string') continue;
    if (ids.has(id)) {
      throw invalid(
        `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
        'input',
      );
    }
    ids.add(id);
  }
}

/** What the application has to answer before the model goes on. */
const CALLS = ['function_call', 'custom_tool_call', 'computer_call', 'shell_call', 'apply_patch_call'];

/** Whether an item is a model's, rather than a person's, an instruction or a result. */
function isGenerated({ type = 'message', role }: ApiItem): boolean {
  return type === 'message' ? role === 'assistant' : !String(type).endsWith('_output');
}
