import { afterEach, expect, test, vi } from 'vitest';
import { SessionError } from '../src/errors.ts';
import type { LogRow } from '../src/log/event-log.ts';
import { eventOf } from '../src/log/log-event.ts';
import { LogHistory } from '../src/log/log-history.ts';
import type { HistoryChange, StoreCall } from '../src/store/history-store.ts';
import { MemoryLog, type Step } from './support/memory-log.ts';

const HOUR = 60 * 60 * 1_000;

afterEach(() => void vi.useRealTimers());

/** A session's rows, and clients of it whose steps are counted. */
function session(ttlMs?: number) {
  const rows = new Map<string, LogRow>();
  const steps: string[] = [];
  const client = (
    options: {
      readonly isPlain?: boolean;
      readonly refreshTtlOnRead?: boolean;
      readonly hold?: (step: Step) => Promise<void>;
      readonly maxRowBytes?: number;
    } = {},
  ) => {
    const { isPlain = false, refreshTtlOnRead = false, hold, maxRowBytes } = options;
    const takeStep = async <T>(step: Step<T>): Promise<T> => {
      await hold?.(step);
      steps.push(`${step.kind} ${step.key[0]}`);
      return step.act();
    };
    const log = new MemoryLog(rows, { takeStep, maxRowBytes });
    const history = new LogHistory(log, { ttlMs: isPlain ? undefined : ttlMs, refreshTtlOnRead });
    const call: StoreCall = { signal: new AbortController().signal };
    const commit = (change: Omit<HistoryChange, 'id'> & { readonly id?: string }) =>
      history.commit({ id: crypto.randomUUID(), ...change }, call);
    return {
      commit,
      add: (...add: string[]) => commit({ drop: 0, add }),
      append: (id: string, ...add: string[]) => commit({ drop: 0, add, operation: { id, digest: 'd' } }),
      pop: async () => (await commit({ drop: 1, add: [] })).popped,
      clear: () => commit({ drop: 'all', add: [], clear: true }),
      replaceAll: (...add: string[]) => commit({ drop: 'all', add }),
      read: async (limit?: number) => (await history.read({ limit, versioned: false }, call)).records,
    };
  };
  const stepsOf = async (work: () => Promise<unknown>) => {
    steps.length = 0;
    await work();
    return steps.slice();
  };
  return { rows, client, stepsOf };
}

test('an append costs one step after a read, and two in a new instance (ADD-7)', async () => {
  const { client, stepsOf } = session();
  const one = client();
  await one.add('a');
  await one.read(1);
  expect(await stepsOf(() => one.add('b'))).toEqual(['put e']);
  expect(await stepsOf(() => client().add('c'))).toEqual(['scan e', 'put e']);
});

test('a first append costs one step after a read of an empty session (ADD-7)', async () => {
  const { client, stepsOf } = session();
  const one = client();
  await one.read();
  expect(await stepsOf(() => one.add('a'))).toEqual(['put e']);
  const [late, early] = [client(), client()];
  await late.clear();
  await late.read();
  await early.add('b');
  await late.add('c');
  expect(await one.read()).toEqual(['b', 'c']);
});

test('what another client popped costs nothing more, once it is erased', async () => {
  const { client, stepsOf } = session();
  const [one, other] = [client(), client()];
  await one.add('a', 'b', 'c');
  await one.add('d');
  await one.pop();
  expect(await stepsOf(() => other.pop())).toEqual(['scan e', 'put e', 'put e']);
  await one.add('e');
  await other.pop();
  expect(await stepsOf(() => client().add('e'))).toEqual(['scan e', 'put e']);
  await other.add('e');
  await one.pop();
  expect(await stepsOf(() => other.pop())).toEqual(['scan e', 'put e', 'erase e']);
  await one.add('e', 'e');
  await one.pop();
  await other.read(20);
  expect(await stepsOf(() => other.add('f'))).toEqual(['put e']);
  await one.pop();
  await one.pop();
  await other.read();
  expect(await stepsOf(() => other.add('g'))).toEqual(['put e']);
  expect(await one.read()).toEqual(['a', 'b', 'g']);
});

test('a transaction that others keep overtaking costs three steps a try', async () => {
  const { client, stepsOf } = session();
  const rival = client();
  await rival.add('a');
  let overtaken = 0;
  const hold = async ({ kind, key }: Step) => {
    if (kind === 'put' && key.startsWith('e') && overtaken++ < 3) await rival.add('b');
  };
  const slow = client({ hold });
  const steps = await stepsOf(() => slow.append('o', 'c'));
  expect(steps.filter((step) => step !== 'put e').join()).toBe(
    'scan e,scan o,put o,scan e,put o,scan e,put o,scan e,put o',
  );
  expect(await stepsOf(() => client().append('o', 'c'))).toEqual(['scan e', 'scan o']);
  expect(await rival.read()).toEqual(['a', 'b', 'b', 'b', 'c']);
});

test('a pop costs two steps, and one that erases', async () => {
  const { client, stepsOf } = session();
  const one = client();
  await one.add('a', 'b');
  expect(await stepsOf(() => one.pop())).toEqual(['scan e', 'put e', 'put e']);
  await one.add('c');
  expect(await stepsOf(() => one.pop())).toEqual(['scan e', 'put e', 'erase e']);
});

test('forty pops in a row cost two steps each, and one that erases, and a read then costs one', async () => {
  const { client, stepsOf } = session();
  const one = client();
  for (let at = 0; at < 90; at++) await one.add(`${at}`);
  for (let at = 0; at < 40; at++)
    expect(await stepsOf(() => one.pop())).toEqual(['scan e', 'put e', 'erase e']);
  expect(await stepsOf(() => one.read(20))).toEqual(['scan e']);
});

test('what two clients pop in turn costs the same, however much they popped before', async () => {
  const { client, stepsOf } = session();
  const [one, other] = [client(), client()];
  for (let index = 0; index < 60; index++) await one.add(`${index}`);
  const costs: number[] = [];
  for (let index = 0; index < 20; index++) {
    costs.push((await stepsOf(() => one.pop())).length, (await stepsOf(() => other.pop())).length);
  }
  // The first of them finds nothing left by the other one. From time to time there are more dead rows than a page has.
  expect(Math.max(...costs)).toBeLessThanOrEqual(Math.min(...costs) + 3);
});

test('a clear of an empty session writes nothing, unless parts were left behind (CLR-3)', async () => {
  const { rows, client } = session();
  await client().clear();
  expect(rows.size).toBe(0);
  const hold = async ({ kind, key }: Step) => {
    if (kind === 'put' && key.startsWith('e')) throw new SessionError('UNAVAILABLE');
  };
  const texts = () => [...rows.values()].flatMap((row) => row.texts);
  // In the first life, and in one that a clear began.
  for (let life = 0; life < 2; life++) {
    await expect(client({ hold }).add('x'.repeat(200_000))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(texts()).not.toEqual([]);
    await client().clear();
    expect(texts()).toEqual([]);
  }
});

test('rows that the store lost are told, and a clear helps', async () => {
  const { rows, client } = session();
  const one = client();
  for (const item of ['a', 'b', 'c']) await one.add(item);
  rows.delete([...rows.keys()].sort()[0]!);
  await expect(one.read()).rejects.toMatchObject({ code: 'INCOMPATIBLE_STORE' });
  expect(await one.read(2)).toEqual(['b', 'c']);
  await one.clear();
  expect(await one.read()).toEqual([]);
});

test('a call whose time is up sends nothing more, and does not disturb the next one', async () => {
  const { rows } = session();
  const timeUp = new AbortController();
  let isFirst = true;
  const takeStep = async <T>({ kind, act }: Step<T>): Promise<T> => {
    const value = act();
    if (kind === 'scan' && isFirst) {
      isFirst = false;
      timeUp.abort();
    }
    return value;
  };
  const history = new LogHistory(new MemoryLog(rows, { takeStep }), {
    ttlMs: undefined,
    refreshTtlOnRead: false,
  });
  const late = history.commit({ id: crypto.randomUUID(), drop: 0, add: ['late'] }, { signal: timeUp.signal });
  await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await history.commit(
    { id: crypto.randomUUID(), drop: 0, add: ['next'] },
    { signal: new AbortController().signal },
  );
  expect([...rows.values()].flatMap(({ texts }) => texts)).toEqual(['next']);
});

test('a write that fails after its time does not make the next one forget that it may have been written', async () => {
  const { rows, client } = session();
  const timeUp = new AbortController();
  let fail: (() => void) | undefined;
  let isLost = true;
  const takeStep = async <T>({ kind, act }: Step<T>): Promise<T> => {
    if (kind !== 'put') return act();
    if (!timeUp.signal.aborted)
      return new Promise((_, reject) => {
        fail = () => reject(new SessionError('UNAVAILABLE'));
      });
    const value = act();
    if (!isLost) return value;
    isLost = false;
    fail?.();
    await new Promise(setImmediate);
    throw new SessionError('OUTCOME_UNKNOWN');
  };
  const history = new LogHistory(new MemoryLog(rows, { takeStep }), {
    ttlMs: undefined,
    refreshTtlOnRead: false,
  });
  const change = (item: string): HistoryChange => ({ id: crypto.randomUUID(), drop: 0, add: [item] });
  const late = history.commit(change('late'), { signal: timeUp.signal }).catch(() => undefined);
  await new Promise(setImmediate);
  timeUp.abort();
  const next = change('next');
  const call = { signal: new AbortController().signal };
  await expect(history.commit(next, call)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await history.commit(next, call);
  await late;
  expect(await client().read()).toEqual(['next']);
});

test('an answer that comes a day late does not tell what the newest event is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = session();
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const takeStep = async <T>({ act }: Step<T>): Promise<T> => {
    const value = act();
    if (![...rows.values()].some(({ texts }) => texts.includes('1'))) return value;
    write();
    await answered;
    return value;
  };
  const log = new MemoryLog(rows, { takeStep });
  const history = new LogHistory(log, { ttlMs: undefined, refreshTtlOnRead: false });
  const change = (item: string): HistoryChange => ({ id: crypto.randomUUID(), drop: 0, add: [item] });
  const call: StoreCall = { signal: new AbortController().signal };
  const late = history.commit(change('1'), call);
  await written;
  const other = client();
  await other.add('2');
  await other.pop();
  vi.setSystemTime(Date.now() + 30 * HOUR);
  for (const row of rows.values()) if (row.removeAt! <= Date.now()) rows.delete(row.key);
  answer();
  await late;
  await history.commit(change('3'), call);
  expect(await client().read()).toEqual(['1', '3']);
});

test('a write long after a clear keeps the newest row, before it goes on from there', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = session();
  const one = client();
  await one.add('a');
  await one.clear();
  const [key] = [...rows.keys()].sort().reverse();
  vi.setSystemTime(rows.get(key!)!.removeAt! - 1);
  const removeAts: number[] = [];
  const hold = async ({ kind }: Step) => {
    if (kind === 'put') removeAts.push(rows.get(key!)!.removeAt! - Date.now());
  };
  await client({ hold }).add('b');
  // At the last put, which is that of the new event.
  expect(removeAts.at(-1)).toBeGreaterThan(10 * 60 * 1_000);
});

test('an aim lasts as long as the event that it leads to, whoever wrote it (TXN-2)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = session(4 * HOUR);
  await client().add('0');
  vi.setSystemTime(Date.now() + 1.95 * HOUR);
  let reachAim = () => {};
  let writeAim = () => {};
  const reached = new Promise<void>((resolve) => {
    reachAim = resolve;
  });
  const written = new Promise<void>((resolve) => {
    writeAim = resolve;
  });
  let isGone = false;
  const hold = async ({ kind, key }: Step) => {
    if (isGone) await new Promise(() => {});
    if (kind !== 'put' || !key.startsWith('o')) return;
    reachAim();
    await written;
    isGone = true;
  };
  void client({ hold }).append('x', '1');
  await reached;
  vi.setSystemTime(Date.now() + 0.1 * HOUR);
  await client({ refreshTtlOnRead: true }).read();
  writeAim();
  await vi.waitFor(() => expect([...rows.keys()].some((key) => key.startsWith('o'))).toBe(true));
  await client().append('x', '1');
  const newest = (kind: string) => {
    const keys = [...rows.keys()].filter((key) => key.startsWith(kind)).sort();
    return rows.get(keys.at(-1)!)!;
  };
  expect(newest('o').removeAt).toBeGreaterThanOrEqual(eventOf(newest('e')).keptUntil!);
});

test('rows are made to last longer once in half a life, not at each write (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client, stepsOf } = session(4 * HOUR);
  const one = client();
  for (let index = 0; index < 50; index++) await one.add(`${index}`);
  const costs: number[] = [];
  for (let index = 0; index < 80; index++) {
    vi.setSystemTime(Date.now() + 0.1 * HOUR);
    costs.push((await stepsOf(() => one.add('x'))).length);
  }
  // Within eight hours.
  expect(costs.filter((cost) => cost > 20).length).toBeLessThanOrEqual(4);
  expect(await one.read(1)).toEqual(['x']);
});

test('who adds after a clear that is not erased writes nothing for ever, if the session has an end (TTL-1)', async () => {
  const { rows, client } = session(4 * HOUR);
  const { promise: gone, resolve: goes } = Promise.withResolvers<void>();
  const erasesNothing = async ({ kind }: Step) => {
    if (kind === 'erase') throw new SessionError('UNAVAILABLE');
  };
  const dies = async (step: Step) => {
    await erasesNothing(step);
    if (![...rows.values()].some(({ texts }) => texts.includes('b'))) return;
    goes();
    await new Promise(() => {});
  };
  await client().add('a');
  await client({ hold: erasesNothing }).clear();
  void client({ hold: dies }).add('b');
  await gone;
  expect([...rows.values()].filter(({ removeAt }) => removeAt === undefined)).toEqual([]);
});

test('a write that is late finds no gap, however near to its end a session is (TTL-2)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = session(HOUR);
  await client().add('0');
  await client().add('1');
  vi.setSystemTime(Date.now() + HOUR / 2 - 1);
  await client().add('2');
  vi.setSystemTime(Date.now() + HOUR - 1);
  const { promise: looked, resolve: look } = Promise.withResolvers<void>();
  const { promise: removed, resolve: remove } = Promise.withResolvers<void>();
  const hold = async ({ kind, key }: Step) => {
    if (kind !== 'put' || !key.startsWith('e')) return;
    look();
    await removed;
  };
  const adding = client({ hold }).add('3');
  await looked;
  vi.setSystemTime(Date.now() + 20 * 60 * 1_000);
  for (const row of rows.values()) if (row.removeAt! <= Date.now()) rows.delete(row.key);
  remove();
  await adding;
  expect(await client().read()).toEqual(['0', '1', '2', '3']);
});

test('an append need not wait until a clear is erased, and says what is left of that (CLR-1, CLR-3)', async () => {
  const { rows, client, stepsOf } = session();
  const one = client();
  for (let index = 0; index < 20; index++) await one.add(`secret ${index}`);
  await one.append('x', 'secret x');
  let isDown = true;
  const hold = async ({ kind }: Step) => {
    if (isDown && kind === 'erase') throw new SessionError('UNAVAILABLE');
  };
  await client({ hold }).clear();
  const other = client({ hold });
  for (const item of ['a', 'b', 'c']) {
    await client({ hold }).add(item);
    await other.add(`${item}2`);
  }
  expect(await one.read()).toEqual(['a', 'a2', 'b', 'b2', 'c', 'c2']);
  const left = () => JSON.stringify([...rows.values()]);
  expect(left()).toContain('secret');
  // What names something of its own cannot name that too.
  await expect(client({ hold }).pop()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  isDown = false;
  await client().add('d');
  expect(left()).not.toContain('secret');
  expect(left()).not.toContain('"operation"');
  // It is known to be done, by those too who come then.
  expect(await stepsOf(() => client().add('e'))).toEqual(['scan e', 'put e']);
  expect(await client().pop()).toBe('e');
  expect(await one.read()).toEqual(['a', 'a2', 'b', 'b2', 'c', 'c2', 'd']);
});

test('whoever gives no end goes on with the one that a replacement by nothing gave (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = session(4 * HOUR);
  await client().add('0');
  vi.setSystemTime(Date.now() + 5 * HOUR);
  await client().replaceAll();
  const end = Date.now() + 4 * HOUR;
  await client({ isPlain: true }).add('1');
  expect(await client().read()).toEqual(['1']);
  for (const { removeAt } of rows.values()) expect(removeAt).toBeGreaterThanOrEqual(end);
  vi.setSystemTime(end);
  expect(await client().read()).toEqual([]);
});

test('of many who read at once one moves the end, and who reads again so soon does not (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client, stepsOf } = session(4 * HOUR);
  await client().add('0');
  const readers = Array.from({ length: 20 }, () => client({ refreshTtlOnRead: true }));
  expect(await stepsOf(() => readers[0]!.read(1))).toEqual(['scan e']);
  vi.setSystemTime(Date.now() + 0.5 * HOUR);
  const steps = await stepsOf(() => Promise.all(readers.map((reader) => reader.read(1))));
  // Those that came second look once more.
  expect(steps.length).toBeLessThanOrEqual(20 * 3);
  expect(await stepsOf(() => readers[0]!.read(1))).toEqual(['scan e']);
});

test('a read whose renewal got no answer is no write of which nothing is known', async () => {
  const { client } = session(4 * HOUR);
  await client({ isPlain: true }).add('0');
  const hold = async ({ kind }: Step) => {
    if (kind === 'put') throw new SessionError('OUTCOME_UNKNOWN');
  };
  const reading = client({ refreshTtlOnRead: true, hold }).read();
  await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('parts that were written are not written once more by the next try (FLT-5)', async () => {
  const { client, stepsOf } = session();
  let puts = 0;
  const hold = async ({ kind }: Step) => {
    if (kind === 'put' && ++puts % 5 === 0) throw new SessionError('UNAVAILABLE');
  };
  const one = client({ hold, maxRowBytes: 1_000 });
  const change = { id: crypto.randomUUID(), drop: 0, add: ['x'.repeat(12_000)] } as const;
  const steps = await stepsOf(async () => {
    for (let isDone = false; !isDone; ) {
      isDone = await one.commit(change).then(
        () => true,
        () => false,
      );
    }
  });
  expect(steps.filter((step) => step === 'put p')).toHaveLength(13);
  expect(await one.read()).toEqual(change.add);
});
