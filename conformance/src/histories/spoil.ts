/**
 * Changes a value everywhere, as its owner may: arguments after a call has been made (ADD-4), and results (ISO-1).
 * What cannot be changed stays as it is.
 */
export function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Uint8Array) {
    value.fill(0xee);
  } else if (value instanceof Date) {
    value.setTime(1);
  } else if (value instanceof Map) {
    spoil([...value]);
    value.clear();
  } else if (value instanceof Set) {
    spoil([...value]);
    value.clear();
  } else {
    for (const [key, property] of Object.entries(value)) {
      spoil(property);
      Reflect.set(value, key, 'spoilt');
    }
    Reflect.set(value, Array.isArray(value) ? value.length : 'more', 'spoilt');
  }
}
