import { types } from 'node:util';
import { SessionError } from '@sessions/core';
import { type Change, entries, inside, isPlain, returns, takes } from './changed-items.ts';
import type { Mutant, StoreMutation } from './mutant.ts';

/** A codec that loses something of the items on their way to the store. */
function loses(name: string, clause: 'VAL-1' | 'VAL-2', change: Change): Mutant {
  return { name, clause, over: 'memory', session: takes(inside(change)) };
}

/** A session that makes something storable of what is not data. */
function accepts(name: string, change: Change): Mutant {
  return { name, clause: 'VAL-3', over: 'memory', session: takes(inside(change)) };
}

const texts =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

const numbers =
  (change: (number: number) => unknown): Change =>
  (value) =>
    typeof value === 'number' ? change(value) : value;

/** Changes the properties of an object one by one, as they are. */
function properties(
  change: (property: PropertyDescriptor, key: string | symbol) => PropertyDescriptor | undefined,
): Change {
  return (value) => {
    if (types.isProxy(value) || !isPlain(value)) return value;
    const copy = {};
    for (const key of Reflect.ownKeys(value)) {
      const property = change(Object.getOwnPropertyDescriptor(value, key)!, key);
      if (property) Object.defineProperty(copy, key, property);
    }
    return copy;
  };
}

/** Records as they are kept in a form of the store's own. */
function keptAs(write: (record: string) => string, read: (record: string) => string): StoreMutation {
  return (right) => ({
    async read(query, call) {
      const { records, version } = await right.read(query, call);
      return { records: records.map(read), version };
    },
    async commit(change, call) {
      const { popped } = await right.commit({ ...change, add: change.add.map(write) }, call);
      return { popped: popped === undefined ? undefined : read(popped) };
    },
  });
}

export const valueMutants: readonly Mutant[] = [
  loses(
    'keys are sorted',
    'VAL-1',
    entries((all) => all.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  ),
  loses(
    '__proto__ is lost',
    'VAL-1',
    entries((all) => all.filter(([key]) => key !== '__proto__')),
  ),
  loses(
    'a key of operators is lost',
    'VAL-1',
    entries((all) => all.filter(([key]) => !key.startsWith('$'))),
  ),
  loses(
    'dots in keys are replaced',
    'VAL-1',
    entries((all) => all.map(([key, value]) => [key.replaceAll('.', '_'), value])),
  ),
  loses(
    'an empty key is lost',
    'VAL-1',
    entries((all) => all.filter(([key]) => key !== '')),
  ),
  loses(
    'lone surrogates are replaced',
    'VAL-1',
    texts((text) => text.toWellFormed()),
  ),
  loses(
    'NUL is taken out of texts',
    'VAL-1',
    texts((text) => text.replaceAll('\0', '')),
  ),
  loses(
    'texts are normalized',
    'VAL-1',
    texts((text) => text.normalize()),
  ),
  loses(
    'texts are trimmed',
    'VAL-1',
    texts((text) => text.trim()),
  ),
  loses('an empty text becomes null', 'VAL-1', (value) => (value === '' ? null : value)),
  loses('an empty object becomes null', 'VAL-1', (value) => {
    return isPlain(value) && Object.keys(value).length === 0 ? null : value;
  }),
  loses(
    'numbers have 15 digits',
    'VAL-1',
    numbers((number) => Number(number.toPrecision(15))),
  ),
  loses('nesting over 32 levels is refused', 'VAL-1', (value, ancestors) => {
    if (ancestors.length > 32) throw new SessionError('INVALID_ITEM', { index: 0, path: '' });
    return value;
  }),
  {
    name: "JSON that looks like the codec's own becomes what it looks like",
    clause: 'VAL-1',
    over: 'memory',
    session: returns(
      inside((value) => {
        const { type, data } = Object(value) as { type?: unknown; data?: unknown };
        return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data) : value;
      }),
    ),
  },
  {
    name: 'bytes come back as a Buffer',
    clause: 'VAL-2',
    over: 'memory',
    session: returns(inside((value) => (value instanceof Uint8Array ? Buffer.from(value) : value))),
  },
  loses('bytes become an array', 'VAL-2', (value) => (value instanceof Uint8Array ? [...value] : value)),
  loses('the whole buffer under the bytes is stored', 'VAL-2', (value) => {
    return value instanceof Uint8Array ? new Uint8Array(value.buffer) : value;
  }),
  loses('a date becomes text', 'VAL-2', (value) => (value instanceof Date ? value.toJSON() : value)),
  loses('a map becomes an object', 'VAL-2', (value) => {
    return value instanceof Map ? Object.fromEntries(value) : value;
  }),
  loses('a set becomes an array', 'VAL-2', (value) => (value instanceof Set ? [...value] : value)),
  loses('a BigInt becomes a number', 'VAL-2', (value) => (typeof value === 'bigint' ? Number(value) : value)),
  loses('undefined becomes null', 'VAL-2', (value) => (value === undefined ? null : value)),
  loses('undefined in arrays becomes null', 'VAL-2', (value) => {
    return Array.isArray(value) ? value.map((element: unknown) => element ?? null) : value;
  }),
  loses(
    'NaN becomes null',
    'VAL-2',
    numbers((number) => (Number.isNaN(number) ? null : number)),
  ),
  loses(
    'infinity becomes the largest number',
    'VAL-2',
    numbers((number) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number))),
  ),
  loses(
    '-0 is lost',
    'VAL-2',
    numbers((number) => number + 0),
  ),
  accepts('an accessor is called', (value) => {
    return properties(({ get, set, ...property }) => {
      return get || set ? { value: get?.call(value), enumerable: true } : property;
    })(value, []);
  }),
  accepts('a proxy is taken', (value) => {
    if (!types.isProxy(value)) return value;
    return Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  }),
  accepts('a cycle becomes null', (value, ancestors) => {
    return typeof value === 'object' && ancestors.includes(value) ? null : value;
  }),
  accepts('a function is left out', (value) => (typeof value === 'function' ? undefined : value)),
  accepts('a symbol becomes text', (value) => (typeof value === 'symbol' ? String(value) : value)),
  accepts(
    'a key that is a symbol is left out',
    properties((property, key) => (typeof key === 'symbol' ? undefined : property)),
  ),
  accepts(
    'a hidden property is left out',
    properties((property) => (property.enumerable ? property : undefined)),
  ),
  accepts('an instance of a class becomes an object', (value) => {
    const isInstance = Object.getPrototypeOf(Object.getPrototypeOf(Object(value)) ?? {}) === Object.prototype;
    return !types.isProxy(value) && isInstance && String(value) === '[object Object]'
      ? { ...(value as object) }
      : value;
  }),
  accepts('an error becomes its message', (value) => (value instanceof Error ? value.message : value)),
  accepts('a regular expression becomes text', (value) => (value instanceof RegExp ? value.source : value)),
  accepts('a Map is known by its prototype', (value) => {
    return types.isMap(value) && Object.getPrototypeOf(value) !== Map.prototype ? {} : value;
  }),
  accepts('bytes that were transferred become none', (value) => {
    return types.isUint8Array(value) && (value.buffer as ArrayBuffer).detached ? new Uint8Array() : value;
  }),
  accepts('a promise becomes an object', (value) => (value instanceof Promise ? {} : value)),
  {
    name: 'toJSON is called',
    clause: 'VAL-3',
    over: 'memory',
    session: takes(
      inside((value) => {
        if (types.isProxy(value) || !isPlain(value)) return value;
        const toJSON = Object.getOwnPropertyDescriptor(value, 'toJSON')?.value as unknown;
        return typeof toJSON === 'function' ? toJSON.call(value) : value;
      }),
    ),
  },
  {
    name: 'records are packed',
    clause: 'VAL-4',
    over: 'memory',
    store: keptAs(
      (record) => Buffer.from(record, 'utf16le').toString('base64'),
      (record) => Buffer.from(record, 'base64').toString('utf16le'),
    ),
  },
  {
    name: 'each record is wrapped with a version of the codec',
    clause: 'VAL-4',
    over: 'memory',
    store: keptAs(
      (record) => JSON.stringify({ v: 1, item: record }),
      (record) => (JSON.parse(record) as { item: string }).item,
    ),
  },
  {
    name: 'an item is stored as a text within a text',
    clause: 'VAL-4',
    over: 'memory',
    store: keptAs(
      (record) => JSON.stringify(record),
      (record) => JSON.parse(record) as string,
    ),
  },
  {
    // Equal by all that can be compared, but a write of what was read is stored as something else.
    name: 'records say how often they were read',
    clause: 'VAL-5',
    over: 'memory',
    session: (right) => {
      let reads = 0;
      return {
        getItems: async (limit, options) => {
          reads++;
          return (await right.getItems(limit, options)).map((item) =>
            isPlain(item) ? { ...item, _reads: reads } : item,
          );
        },
      };
    },
  },
  {
    name: 'bytes that were read cannot be added again',
    clause: 'VAL-5',
    over: 'memory',
    session: returns(inside((value) => (value instanceof Uint8Array ? Object.freeze([...value]) : value))),
  },
];
