/**
 * A text that differs for any two values that a session must keep apart: order of keys, -0, lone surrogates, kinds of
 * typed array and prototypes included. Stricter than the matchers' equality, and readable where a test fails.
 */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `[${Array.from(value, show).join()}]`;
  if (value instanceof Map) {
    return `Map(${Array.from(value, ([key, entry]) => `${show(key)}:${show(entry)}`).join()})`;
  }
  if (value instanceof Set) return `Set(${Array.from(value, show).join()})`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof ArrayBuffer) return `ArrayBuffer(${new Uint8Array(value).join()})`;
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return `${value.constructor.name}(${bytes.join()})`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `${String(value)}, not a plain object`;
  // A property that is undefined may come back absent (VAL-2), so both look alike here.
  const properties = Object.entries(value).filter(([, property]) => property !== undefined);
  return `{${properties.map(([key, property]) => `${JSON.stringify(key)}:${show(property)}`).join()}}`;
}
