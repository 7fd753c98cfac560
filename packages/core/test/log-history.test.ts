import { afterEach, expect, test, vi } from 'vitest';
import { SessionError } from '../src/errors.ts';
import { logSession } from './support/log-session.ts';
import type { Step } from './support/memory-log.ts';

const HOUR = 60 * 60 * 1_000;

afterEach(() => void vi.useRealTimers());

test('an append costs one step after a read, and two in a new instance (ADD-7)', async () => {
  const { client, stepsOf } = logSession();
  const one = client();
  await one.add('a');
  await one.read(1);
  expect(await stepsOf(() => one.add('b'))).toEqual(['put e']);
  expect(await stepsOf(() => client().add('c'))).toEqual(['scan e', 'put e']);
});

test('a first append costs one step after a read of an empty session (ADD-7)', async () => {
  const { client, stepsOf } = logSession();
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
  const { client, stepsOf } = logSession();
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

/** A client that another one overtakes so many times, and the steps that it takes itself. */
function overtaken({ client }: Pick<ReturnType<typeof logSession>, 'client'>, times: number) {
  const rival = client();
  const steps: string[] = [];
  let left = times;
  const hold = async ({ kind, key }: Step) => {
    steps.push(`${kind} ${key[0]}`);
    if (kind === 'put' && key.startsWith('e') && left-- > 0) await rival.add('b');
  };
  return { slow: client({ hold }), steps };
}

test('who is overtaken takes two steps a try, a transaction too but for one more in sixteen', async () => {
  const session = logSession();
  const again = (times: number) => new Array<string[]>(times).fill(['scan e', 'put e']).flat();
  await session.client().add('a');
  const one = overtaken(session, 4);
  await one.slow.add('c');
  expect(one.steps).toEqual(again(5));
  const other = overtaken(session, 18);
  await other.slow.append('o', 'd');
  expect(other.steps).toEqual([
    ...['scan e', 'scan o', 'put o', 'put e'],
    ...['scan e', 'put o', 'put e', ...again(15)],
    ...['scan e', 'put o', 'put e', ...again(1)],
  ]);
  expect(await session.stepsOf(() => session.client().append('o', 'd'))).toEqual(['scan e', 'scan o']);
  expect((await session.client().read()).filter((record) => record !== 'b')).toEqual(['a', 'c', 'd']);
});

test('an operation is found wherever it may stand among the events that it was aimed at (TXN-2)', async () => {
  for (const times of [0, 1, 2, 5, 17, 18]) {
    const session = logSession();
    const { client, stepsOf } = session;
    const rival = client();
    await rival.add('a');
    const { slow } = overtaken(session, times);
    await slow.append('o', 'c');
    for (let at = 0; at < 20; at++) await rival.add('d');
    expect(await stepsOf(() => client().append('o', 'c'))).toEqual(['scan e', 'scan o', 'scan e']);
    const operation = { id: 'o', digest: 'another' };
    await expect(client().commit({ drop: 0, add: ['c'], operation })).rejects.toMatchObject({
      code: 'OPERATION_CONFLICT',
    });
    expect((await rival.read()).filter((record) => record === 'c')).toEqual(['c']);
  }
});

/** A client is gone that has aimed its operation, and not written its event. */
async function beforeItsEvent({ kind, key }: Step) {
  if (kind === 'put' && key.startsWith('e')) throw new SessionError('UNAVAILABLE');
}

test('an operation is found in a session that has begun anew since its client looked for it (TXN-2)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client } = logSession();
  await client().add('a');
  await client().clear();
  const gone = client({ hold: beforeItsEvent });
  await expect(gone.append('x', 'x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  vi.setSystemTime(Date.now() + 24 * HOUR);
  let puts = 0;
  const slow = client({
    hold: async ({ kind, key }: Step) => {
      if (kind !== 'put' || !key.startsWith('e')) return;
      puts++;
      // The store removes what is due, and then somebody else begins the session anew.
      if (puts === 1) for (const key of [...rows.keys()]) if (key.startsWith('e')) rows.delete(key);
      if (puts === 2) await client().append('x', 'x');
    },
  });
  await slow.append('x', 'x');
  expect(puts).toBe(2);
  expect(await client().read()).toEqual(['x']);
});

test('an operation that others aimed further is known, whatever version it was to go on from (TXN-2)', async () => {
  const { client } = logSession();
  await client().add('a');
  const { version } = await client().history.read(
    { limit: undefined, versioned: true },
    { signal: new AbortController().signal },
  );
  const gone = client({ hold: beforeItsEvent });
  await expect(gone.append('x', 'x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  let puts = 0;
  const slow = client({
    hold: async ({ kind, key }: Step) => {
      if (kind !== 'put' || !key.startsWith('e') || puts++ > 0) return;
      await client().add('b');
      await client().append('x', 'x');
    },
  });
  const operation = { id: 'x', digest: 'd' };
  await slow.commit({ drop: 0, add: ['x'], ifVersion: version, operation });
  expect(await client().read()).toEqual(['a', 'b', 'x']);
});

test('whoever tries an operation again goes on with the events that it was aimed at (TXN-2)', async () => {
  const session = logSession();
  const { client } = session;
  await client().add('a');
  const rival = client();
  let puts = 0;
  // The second try is aimed at many events, and its client is gone before its event is there.
  const gone = client({
    hold: async ({ kind, key }: Step) => {
      if (kind !== 'put' || !key.startsWith('e')) return;
      if (++puts === 2) throw new SessionError('UNAVAILABLE');
      await rival.add('b');
    },
  });
  await expect(gone.append('o', 'c')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  for (let at = 0; at < 3; at++) await rival.add('b');
  const { slow, steps } = overtaken(session, 3);
  await slow.append('o', 'c');
  const again = new Array<string[]>(3).fill(['scan e', 'put e']).flat();
  expect(steps).toEqual(['scan e', 'scan o', 'scan e', 'put e', ...again]);
  expect((await rival.read()).filter((record) => record === 'c')).toEqual(['c']);
});

test('a pop costs two steps, and one that erases', async () => {
  const { client, stepsOf } = logSession();
  const one = client();
  await one.add('a', 'b');
  expect(await stepsOf(() => one.pop())).toEqual(['scan e', 'put e', 'put e']);
  await one.add('c');
  expect(await stepsOf(() => one.pop())).toEqual(['scan e', 'put e', 'erase e']);
});

test('forty pops in a row cost two steps each, and one that erases, and a read then costs one', async () => {
  const { client, stepsOf } = logSession();
  const one = client();
  for (let at = 0; at < 90; at++) await one.add(`${at}`);
  for (let at = 0; at < 40; at++)
    expect(await stepsOf(() => one.pop())).toEqual(['scan e', 'put e', 'erase e']);
  expect(await stepsOf(() => one.read(20))).toEqual(['scan e']);
});

test('what two clients pop in turn costs the same, however much they popped before', async () => {
  const { client, stepsOf } = logSession();
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
  const { rows, client } = logSession();
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
  const { rows, client } = logSession();
  const one = client();
  for (const item of ['a', 'b', 'c']) await one.add(item);
  rows.delete([...rows.keys()].sort()[0]!);
  await expect(one.read()).rejects.toMatchObject({ code: 'INCOMPATIBLE_STORE' });
  expect(await one.read(2)).toEqual(['b', 'c']);
  await one.clear();
  expect(await one.read()).toEqual([]);
});

test('an append need not wait until a clear is erased, and says what is left of that (CLR-1, CLR-3)', async () => {
  const { rows, client, stepsOf } = logSession();
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

test('parts that were written are not written once more by the next try (FLT-5)', async () => {
  const { client, stepsOf } = logSession();
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

test('a clear that meets the erasure after a pop leaves no operation behind (CLR-3)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client, removeDue } = logSession();
  const other = client();
  await other.append('x', 'X');
  let isCleared = false;
  const hold = async ({ kind, key }: Step) => {
    if (isCleared || !rows.has('e000000000000002') || kind === 'scan' || key !== 'e000000000000001') return;
    isCleared = true;
    await other.clear();
  };
  expect(await client({ hold }).pop()).toBe('X');
  expect(isCleared).toBe(true);
  for (const item of ['y', 'z']) {
    await other.add(item);
    await other.clear();
  }
  vi.setSystemTime(Date.now() + 1_000 * HOUR);
  removeDue();
  expect([...rows]).toEqual([]);
});
