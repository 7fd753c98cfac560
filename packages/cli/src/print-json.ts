import { visible } from './visible.ts';

/**
 * An item as JSON to look at, always valid: bytes as base64, dates as text, maps as lists of entries, sets as lists, big and
 * unusual numbers as text. Not exact, which a line of an export is.
 *
 * @param longest - strings are cut after so many characters, and how many more there are is said; none is by default
 * @param indent - spaces for each level; all on one line by default
 */
export function printJson(item: unknown, longest = Number.POSITIVE_INFINITY, indent = 0): string {
  const text = JSON.stringify(
    item,
    (_, value: unknown) => {
      const plain = plainly(value);
      if (typeof plain !== 'string' || plain.length <= longest) return plain;
      return `${plain.slice(0, longest)}… ${plain.length - longest} more characters`;
    },
    indent,
  );
  return visible(text);
}

function plainly(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  }
  return value;
}
