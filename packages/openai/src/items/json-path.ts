/**
 * Where in plain data there is something that JSON cannot say, such as a `Date`, bytes or `NaN`; `undefined` if there
 * is nothing of the kind.
 */
export function notJsonPath(value: unknown, path = ''): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? undefined : path;
    case 'object':
      break;
    default:
      return path;
  }
  if (value === null) return undefined;
  if (Array.isArray(value)) return first(value.entries(), (at) => `${path}[${at}]`);
  if (Object.prototype.toString.call(value) !== '[object Object]') return path;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return first(entries, (name) => `${path}.${name}`);
}

function first<TKey>(entries: Iterable<[TKey, unknown]>, pathOf: (key: TKey) => string): string | undefined {
  for (const [key, entry] of entries) {
    const found = notJsonPath(entry, pathOf(key));
    if (found !== undefined) return found;
  }
  return undefined;
}
