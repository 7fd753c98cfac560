import { afterEach, expect, test, vi } from 'vitest';
import { SessionError } from '../src/errors.ts';
import { eventOf } from '../src/log/log-event.ts';
import { logSession } from './support/log-session.ts';
import type { Step } from './support/memory-log.ts';

const MINUTE = 60 * 1_000;
const HOUR = 60 * MINUTE;

afterEach(() => void vi.useRealTimers());

test('a write long after a clear keeps the newest row, before it goes on from there', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = logSession();
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
  const { rows, client } = logSession(4 * HOUR);
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
  await expect.poll(() => [...rows.keys()].some((key) => key.startsWith('o'))).toBe(true);
  await client().append('x', '1');
  const newest = (kind: string) => {
    const keys = [...rows.keys()].filter((key) => key.startsWith(kind)).sort();
    return rows.get(keys.at(-1)!)!;
  };
  expect(newest('o').removeAt).toBeGreaterThanOrEqual(eventOf(newest('e')).keptUntil!);
});

test('rows are made to last longer once in half a life, not at each write (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client, stepsOf } = logSession(4 * HOUR);
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
  const { rows, client } = logSession(4 * HOUR);
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
  const { client, removeDue } = logSession(HOUR);
  await client().add('0');
  await client().add('1');
  vi.setSystemTime(Date.now() + HOUR / 2 - 1);
  await client().add('2');
  vi.setSystemTime(Date.now() + HOUR - 1);
  const { promise: looked, resolve: look } = Promise.withResolvers<void>();
  const { promise: removed, resolve: remove } = Promise.withResolvers<void>();
  const hold = async ({ kind, key }: Step) => {
    if (kind !== 'put' || key !== 'e000000000000004') return;
    look();
    await removed;
  };
  const adding = client({ hold }).add('3');
  await looked;
  vi.setSystemTime(Date.now() + 20 * 60 * 1_000);
  removeDue();
  remove();
  await adding;
  expect(await client().read()).toEqual(['0', '1', '2', '3']);
});

test('whoever gives no end goes on with the one that a replacement by nothing gave (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = logSession(4 * HOUR);
  await client().add('0');
  vi.setSystemTime(Date.now() + 5 * HOUR);
  await client().replaceAll();
  const end = Date.now() + 4 * HOUR;
  await client({ ttlMs: undefined }).add('1');
  expect(await client().read()).toEqual(['1']);
  for (const { removeAt } of rows.values()) expect(removeAt).toBeGreaterThanOrEqual(end);
  vi.setSystemTime(end);
  expect(await client().read()).toEqual([]);
});

test('of many who read at once one moves the end, and who reads again so soon does not (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client, stepsOf } = logSession(4 * HOUR);
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
  const { client } = logSession(4 * HOUR);
  await client({ ttlMs: undefined }).add('0');
  const hold = async ({ kind }: Step) => {
    if (kind === 'put') throw new SessionError('OUTCOME_UNKNOWN');
  };
  const reading = client({ refreshTtlOnRead: true, hold }).read();
  await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a first end reaches no row of a life that began since (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client, removeDue } = logSession();
  const plain = client();
  await plain.add('a');
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const { promise: cleared, resolve: clear } = Promise.withResolvers<void>();
  const hold = async ({ kind }: Step) => {
    if (kind !== 'scan' || rows.size < 2) return;
    write();
    await cleared;
  };
  const adding = client({ ttlMs: HOUR, hold }).add('b');
  await written;
  await plain.clear();
  await plain.add('c');
  clear();
  await adding;
  await plain.add('d');
  vi.setSystemTime(Date.now() + 5 * HOUR);
  removeDue();
  expect(await client().read()).toEqual(['c', 'd']);
});

test('rows last for an end that comes after a first one, which its writer gave to the newest event alone (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client, removeDue } = logSession(1_000 * HOUR);
  await client({ ttlMs: undefined }).add('a');
  const isSecond = ({ key }: Step) => key.startsWith('e') && rows.size > 1;
  const { promise: given, resolve: give } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const hold = async (step: Step) => {
    if (!isSecond(step)) return;
    give();
    await released;
  };
  const first = client({ ttlMs: HOUR, hold }).add('b');
  await given;
  // The rows get their short end only when this one is about to write its event, after which it is gone.
  const dies = async ({ kind, key }: Step) => {
    if (rows.has('e000000000000003')) await new Promise(() => {});
    if (kind !== 'put' || key !== 'e000000000000003') return;
    release();
    await first;
  };
  void client({ hold: dies }).add('c');
  await expect.poll(() => rows.has('e000000000000003')).toBe(true);
  vi.setSystemTime(Date.now() + 500 * HOUR);
  removeDue();
  expect(await client().read()).toEqual(['a', 'b', 'c']);
});

test('an erasure that takes long takes no time back that the first row of a life was given since (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const { rows, client, removeDue } = logSession(MINUTE);
  await client().add('old');
  vi.setSystemTime(Date.now() + 10 * MINUTE);
  const never = new Promise<void>(() => {});
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const dies = async () => {
    if (!rows.has('e000000000000002')) return;
    begin();
    await never;
  };
  void client({ hold: dies }).add('first');
  await begun;
  const { promise: looks, resolve: look } = Promise.withResolvers<void>();
  const { promise: going, resolve: go } = Promise.withResolvers<void>();
  let tookLong = false;
  const hold = async ({ kind, key }: Step) => {
    if (kind === 'erase' && !tookLong) {
      tookLong = true;
      vi.advanceTimersByTime(400);
    }
    if (kind !== 'scan' || key !== 'e000000000000002' || !rows.has('e000000000000003')) return;
    look();
    await going;
  };
  const adding = client({ hold }).add('second');
  await looks;
  await client({ ttlMs: 1_000 * HOUR }).add('third');
  go();
  await adding;
  vi.setSystemTime(Date.now() + 500 * HOUR);
  removeDue();
  expect(await client({ ttlMs: 1_000 * HOUR }).read()).toEqual(['first', 'second', 'third']);
});

test('an operation is known although its session ends while it is looked for (TXN-2)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client } = logSession(HOUR);
  await client().add('a');
  const dies = async ({ kind, key }: Step) => {
    if (kind === 'put' && key.startsWith('e')) throw new SessionError('UNAVAILABLE');
  };
  await client({ hold: dies })
    .append('x', 'X')
    .catch(() => undefined);
  vi.setSystemTime(Date.now() + HOUR - 5);
  const hold = async ({ kind, key }: Step) =>
    kind === 'scan' && key.startsWith('o') ? () => void vi.setSystemTime(Date.now() + 10) : undefined;
  await client({ hold }).append('x', 'X');
  await client().append('x', 'X');
  expect(await client().read()).toEqual(['X']);
});

test('who finds a session over ends none that a read has moved since (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client } = logSession(10 * MINUTE);
  await client().add('a');
  vi.setSystemTime(Date.now() + 10 * MINUTE - 20);
  let read: string[] | undefined;
  const hold = async ({ kind }: Step) =>
    kind === 'scan' && !read
      ? async () => {
          read = [...(await client({ refreshTtlOnRead: true }).read())];
          vi.setSystemTime(Date.now() + 40);
        }
      : undefined;
  await client({ hold }).add('b');
  expect(read).toEqual(['a']);
  expect(await client().read()).toEqual(['a', 'b']);
});

test('what is appended in parts does not bring back a session that ended meanwhile (TTL-2)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client } = logSession(HOUR);
  await client().add('old');
  vi.setSystemTime(Date.now() + HOUR - 1_000);
  const hold = async ({ kind, key }: Step) => {
    if (kind === 'put' && key.startsWith('p')) vi.setSystemTime(Date.now() + 200);
  };
  await client({ maxRowBytes: 2_000, hold }).add('n'.repeat(18_000));
  expect(await client().read()).toEqual(['n'.repeat(18_000)]);
});

test('parts that were to be erased are not taken for written (ADD-3)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client } = logSession(5 * MINUTE);
  const atTime = async <T>(ms: number, act: () => Promise<T>) => {
    vi.setSystemTime(Date.now() + ms);
    const value = await act();
    vi.setSystemTime(Date.now() - ms);
    return value;
  };
  const behind = client({ refreshTtlOnRead: true });
  await behind.add('old');
  let isOver = false;
  let isLost = false;
  const hold = async ({ kind, key }: Step) => {
    if (kind === 'put' && key.startsWith('e') && !isOver) {
      isOver = true;
      await atTime(-2 * MINUTE, () => behind.add('b'));
      vi.setSystemTime(Date.now() + 3 * MINUTE + 1_000);
    }
    if (kind !== 'erase' || !key.startsWith('p') || isLost) return undefined;
    isLost = true;
    return () => {
      throw new SessionError('OUTCOME_UNKNOWN');
    };
  };
  const writer = client({ maxRowBytes: 2_000, hold });
  const change = { id: crypto.randomUUID(), drop: 0, add: ['n'.repeat(3_000)] } as const;
  await writer.commit(change).catch(() => undefined);
  vi.setSystemTime(Date.now() + 500);
  await atTime(-2 * MINUTE, () => behind.read());
  await writer.commit(change);
  expect((await client().read()).at(-1)).toBe(change.add[0]);
});

test('a pop whose write may yet come does not say that nothing is there (POP-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client } = logSession(HOUR);
  await client().add('a', 'b');
  vi.setSystemTime(Date.now() + HOUR - 1_000);
  let isDelayed = false;
  const hold = async ({ kind, key }: Step) => {
    if (kind !== 'put' || key !== 'e000000000000002' || isDelayed) return;
    isDelayed = true;
    throw new SessionError('OUTCOME_UNKNOWN');
  };
  const popping = client({ hold });
  const change = { id: crypto.randomUUID(), drop: 1, add: [] } as const;
  await expect(popping.commit(change)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  vi.setSystemTime(Date.now() + 2_000);
  await expect(popping.commit(change)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});

test('a full row can be given an end', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client, removeDue } = logSession(HOUR);
  const maxRowBytes = 20_000;
  for (let length = maxRowBytes; !rows.has('e000000000000001') || rows.size > 1; length--) {
    rows.clear();
    await client({ ttlMs: undefined, maxRowBytes }).add('x'.repeat(length), '1', '2');
  }
  await client({ maxRowBytes }).pop();
  await client({ maxRowBytes }).add('y');
  const sizes = [...rows.values()].map(({ head, texts }) => [head, ...texts].join('').length + texts.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(maxRowBytes);
  vi.setSystemTime(Date.now() + 10 * HOUR);
  removeDue();
  expect([...rows]).toEqual([]);
});

test('operations end with their life, though nobody erased what that left before the next one ended too (TTL-2)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = logSession(HOUR);
  const one = client();
  await one.append('x', '1');
  await one.replaceAll('2');
  vi.setSystemTime(Date.now() + 2 * HOUR);
  const dies = async () => {
    if (rows.has('e000000000000003')) throw new SessionError('UNAVAILABLE');
  };
  await client({ hold: dies }).add('3');
  vi.setSystemTime(Date.now() + 2 * HOUR);
  await client().add('4');
  expect([...rows.values()].filter(({ head }) => head.includes('operation'))).toEqual([]);
});

test('a session that a shorter end ended is not brought back by the longer one before it (TTL-2)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client, removeDue } = logSession(HOUR);
  await client({ ttlMs: undefined }).add('a');
  const { promise: given, resolve: give } = Promise.withResolvers<void>();
  const dies = async () => {
    if (!rows.has('e000000000000002')) return;
    give();
    await new Promise(() => {});
  };
  void client({ ttlMs: 1_000 * HOUR, hold: dies }).add('b');
  await given;
  await client().add('c');
  for (const hours of [2, 5, 500]) {
    vi.setSystemTime(Date.now() + hours * HOUR);
    removeDue();
    expect(await client().read()).toEqual([]);
  }
});

test('an erasure takes no time back that others need of the row which began the life (TTL-1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client, removeDue } = logSession(1_000 * HOUR);
  await client().add('old');
  vi.setSystemTime(Date.now() + 1_001 * HOUR);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: added, resolve: add } = Promise.withResolvers<void>();
  const hold = async ({ kind, key }: Step) => {
    if (kind !== 'put' || key !== 'e000000000000002') return undefined;
    return async () => {
      begin();
      await added;
    };
  };
  const beginning = client({ ttlMs: MINUTE, hold }).add('first');
  await begun;
  const erasesNothing = async ({ kind }: Step) => {
    if (kind === 'erase') throw new SessionError('UNAVAILABLE');
  };
  await client({ ttlMs: 100 * HOUR, hold: erasesNothing }).add('second');
  add();
  await beginning;
  vi.setSystemTime(Date.now() + 50 * HOUR);
  removeDue();
  expect(await client().read()).toEqual(['first', 'second']);
});

test('a change to a history that ended while it was read is not made to another one (TTL-2)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let steps = Number.POSITIVE_INFINITY;
  for (let nth = 1; nth <= steps; nth++) {
    const { client } = logSession(HOUR);
    const writer = client();
    for (const item of ['0', '1', '2', '3', '4', '5', '6']) await writer.add(item);
    let scans = 0;
    const hold = async ({ kind }: Step) => {
      if (kind === 'scan' && ++scans === nth) vi.setSystemTime(Date.now() + 2 * HOUR);
    };
    const slow = client({ hold, pageRows: 2 });
    const call = { signal: new AbortController().signal };
    const { records, version } = await slow.history.read({ limit: undefined, versioned: true }, call);
    const rewritten = slow.commit({ drop: 1, add: ['rewritten'], ifVersion: version! });
    const outcome = await rewritten.then(
      () => 'made',
      (error) => error.code,
    );
    steps = scans;
    if (scans < nth) break;
    expect(outcome).toBe(records.length > 0 ? 'CONFLICT' : 'made');
    expect(await client().read()).toEqual(records.length > 0 ? [] : ['rewritten']);
  }
  expect(steps).toBeGreaterThan(4);
});
