/** What a wire would take between two calls of a store: everybody else gets on meanwhile. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
