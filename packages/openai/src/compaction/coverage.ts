import { type ApiItem, recordOf } from '../items/api-item.ts';
import { comparableItem } from '../items/comparable-item.ts';

/** What a model was shown and what it answered. The official runner hands it over after each answer. */
export interface ModelExchange {
  readonly items: readonly unknown[];
  readonly responseId?: string | undefined;
  readonly reasoningItemIdPolicy?: 'preserve' | 'omit' | undefined;
}

/** How stored items compare with what a model has seen. */
export interface Coverage {
  /** Whether the model has seen each of them, in this order. */
  readonly isSeen: boolean;
  /** Whether it has seen anything else. */
  readonly hasMore: boolean;
}

/**
 * Compares stored items with a model exchange (CMP-7). Ids and defaults do not count: the runner leaves ids out of what
 * it shows or saves, as the run was configured.
 */
export function coverageOf(stored: readonly unknown[], seen: readonly unknown[]): Coverage {
  const texts = seen.map(comparableText);
  let at = 0;
  let matched = 0;
  for (const item of stored) {
    const text = comparableText(item);
    while (at < texts.length && texts[at] !== text) at++;
    if (at === texts.length) return { isSeen: false, hasMore: true };
    matched++;
    at++;
  }
  return { isSeen: true, hasMore: matched < texts.length };
}

function comparableText(item: unknown): string {
  return JSON.stringify(comparable(item), (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    const record = recordOf(value);
    return (
      (record && Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))) || value
    );
  });
}

function comparable(item: unknown): unknown {
  const given = recordOf(item);
  // Without its id it may be one that the API would not take, and that has another form.
  return given?.type === 'reasoning' ? thoughts(given) : comparableItem(item);
}

function thoughts({ content, summary, rawContent, encrypted_content, providerData }: ApiItem): unknown {
  const encrypted = encrypted_content ?? recordOf(providerData)?.encrypted_content ?? null;
  const texts = (parts: unknown) => (Array.isArray(parts) ? parts.map((part) => recordOf(part)?.text) : []);
  return ['reasoning', texts(summary ?? content), texts(rawContent), encrypted];
}
