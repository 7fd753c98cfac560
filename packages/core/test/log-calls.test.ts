import { afterEach, expect, test, vi } from 'vitest';
import { SessionError } from '../src/errors.ts';
import { logSession } from './support/log-session.ts';
import type { Step } from './support/memory-log.ts';

const HOUR = 60 * 60 * 1_000;

afterEach(() => void vi.useRealTimers());

test('a call whose time is up sends nothing more, and does not disturb the next one', async () => {
  const { rows, client } = logSession();
  const timeUp = new AbortController();
  const hold = async ({ kind }: Step) => (kind === 'scan' ? () => timeUp.abort() : undefined);
  const one = client({ hold });
  const late = one.commit({ drop: 0, add: ['late'] }, { signal: timeUp.signal });
  await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await one.add('next');
  expect([...rows.values()].flatMap(({ texts }) => texts)).toEqual(['next']);
});

test('a write that fails after its time does not make the next one forget that it may have been written', async () => {
  const { client } = logSession();
  const timeUp = new AbortController();
  let fail: (() => void) | undefined;
  let isLost = true;
  const hold = async ({ kind }: Step) => {
    if (kind !== 'put') return undefined;
    if (!timeUp.signal.aborted)
      return new Promise<never>((_, reject) => {
        fail = () => reject(new SessionError('UNAVAILABLE'));
      });
    if (!isLost) return undefined;
    isLost = false;
    return async () => {
      fail?.();
      await new Promise(setImmediate);
      throw new SessionError('OUTCOME_UNKNOWN');
    };
  };
  const one = client({ hold });
  const late = one.commit({ drop: 0, add: ['late'] }, { signal: timeUp.signal }).catch(() => undefined);
  await new Promise(setImmediate);
  timeUp.abort();
  const next = { id: crypto.randomUUID(), drop: 0, add: ['next'] };
  await expect(one.commit(next)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await one.commit(next);
  await late;
  expect(await client().read()).toEqual(['next']);
});

test('an answer that comes a day late does not tell what the newest event is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { rows, client, removeDue } = logSession();
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const hold = async () => async () => {
    if (![...rows.values()].some(({ texts }) => texts.includes('1'))) return;
    write();
    await answered;
  };
  const one = client({ hold });
  const late = one.add('1');
  await written;
  const other = client();
  await other.add('2');
  await other.pop();
  vi.setSystemTime(Date.now() + 30 * HOUR);
  removeDue();
  answer();
  await late;
  await one.add('3');
  expect(await client().read()).toEqual(['1', '3']);
});

test('a read that is given up, and answered later, does not make the next call forget what it tried (FLT-1)', async () => {
  for (const change of [
    { drop: 0, add: ['x'] },
    { drop: 1, add: [] },
  ] as const) {
    const { client } = logSession(HOUR);
    await client({ ttlMs: undefined }).add('0', '1', '2');
    const givenUp = new AbortController();
    let answer: (() => void) | undefined;
    let isLost = false;
    const hold = async ({ kind, signal }: Step) => {
      if (kind === 'scan' && signal === givenUp.signal) {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }
      if (kind !== 'put' || isLost) return undefined;
      isLost = true;
      answer?.();
      await new Promise(setImmediate);
      return () => {
        throw new SessionError('OUTCOME_UNKNOWN');
      };
    };
    const one = client({ refreshTtlOnRead: true, hold });
    const reading = one.history.read({ limit: undefined, versioned: false }, { signal: givenUp.signal });
    void reading.catch(() => undefined);
    await new Promise(setImmediate);
    givenUp.abort();
    const identified = { ...change, id: crypto.randomUUID() };
    await expect(one.commit(identified)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await one.commit(identified);
    expect(await client().read()).toEqual(change.drop === 0 ? ['0', '1', '2', 'x'] : ['0', '1']);
  }
});

test('a write that may have been made is looked for, whatever a late answer says is the newest event (FLT-1)', async () => {
  for (const item of ['x', 'x'.repeat(1_000)]) {
    const { client } = logSession();
    const other = client();
    await other.add('0');
    const timeUp = new AbortController();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let isLost = false;
    const hold = async ({ kind, key, signal }: Step) => {
      if (kind !== 'put' || !key.startsWith('e')) return undefined;
      if (signal === timeUp.signal) return () => answered;
      // The first try meets what another process wrote.
      if (isLost || key !== 'e000000000000004') return undefined;
      isLost = true;
      return () => {
        throw new SessionError('OUTCOME_UNKNOWN');
      };
    };
    const one = client({ hold, maxRowBytes: 500 });
    const late = one.commit({ drop: 0, add: ['1'] }, { signal: timeUp.signal });
    await new Promise(setImmediate);
    timeUp.abort();
    await other.add('2');
    const change = { id: crypto.randomUUID(), drop: 0, add: [item] };
    await expect(one.commit(change)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    answer();
    await late;
    await one.commit(change);
    expect(await other.read()).toEqual(['0', '1', '2', item]);
    await other.pop();
    expect(await other.read()).toEqual(['0', '1', '2']);
  }
});
