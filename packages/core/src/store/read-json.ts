/** Where a key with an escape in it may end. A string that holds `":` looks the same. */
const MAYBE_ESCAPED_KEY = /\\"?[^"\\]*"\s*:/;

/**
 * `JSON.parse`, also for engines that mix up keys with escapes in them: V8 reads `{"a":1,"\n":2}` as `{"a":1,"\\":2}`
 * once it has met an object with the latter's keys (nodejs/node#63785).
 */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAYBE_ESCAPED_KEY.test(text)) return value;
  const { plain, keys } = keysApart(text);
  return keys.size === 0 ? value : readPlain(plain, keys);
}

/** Well-formed text with keys that no object has had before in the place of those with escapes, and what they stand for. */
function keysApart(text: string): { plain: string; keys: ReadonlyMap<string, string> } {
  const keys = new Map<string, string>();
  const nonce = crypto.randomUUID();
  let plain = '';
  let copied = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    let end = start + 1;
    let escaped = false;
    for (; text[end] !== '"'; end++) {
      if (text[end] !== '\\') continue;
      escaped = true;
      end++;
    }
    end++;
    if (escaped && /\s*:/y.test(text.slice(end, end + 100))) {
      const name = nonce + keys.size;
      keys.set(name, JSON.parse(text.slice(start, end)) as string);
      plain += `${text.slice(copied, start)}"${name}"`;
      copied = end;
    }
    start = text.indexOf('"', end);
  }
  return { plain: plain + text.slice(copied), keys };
}

function readPlain(plain: string, keys: ReadonlyMap<string, string>): unknown {
  return JSON.parse(plain, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [keys.get(key) ?? key, entry]));
  }) as unknown;
}
