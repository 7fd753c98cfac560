import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { Turns } from '../src/log/log-turns.ts';
import { logSession } from './support/log-session.ts';

const HOUR = 60 * 60 * 1_000;

afterEach(() => void vi.useRealTimers());

/** As of a store at the other end of a wire: a step is on its way, is taken, and its answer is on its way back. */
async function hold() {
  await sleep(2);
  return () => sleep(2);
}

/** How many writes others fit in, who write without a pause, while one call is made. */
async function overtakenBy(
  rivals: number,
  make: (one: ReturnType<ReturnType<typeof logSession>['client']>) => Promise<unknown>,
) {
  const { client } = logSession();
  let isOver = false;
  let writes = 0;
  const writing = Array.from({ length: rivals }, async () => {
    const rival = client({ hold });
    for (; !isOver && writes < 2_000; writes++) await rival.add('r');
  });
  await sleep(50);
  const before = writes;
  await make(client({ hold }));
  isOver = true;
  const meanwhile = writes - before;
  await Promise.all(writing);
  return meanwhile;
}

test.each([1, 5])(
  '%i clients that write without a pause leave a turn to one that has to look',
  async (rivals) => {
    expect(await overtakenBy(rivals, (one) => one.add('a'))).toBeLessThan(500);
    expect(await overtakenBy(rivals, (one) => one.append('x', 'a'))).toBeLessThan(500);
    expect(await overtakenBy(rivals, (one) => one.pop())).toBeLessThan(500);
  },
);

/** Writes until the next one has to wait. */
async function write(turns: Turns, signal: AbortSignal) {
  for (let writes = 0; writes < 8; writes++) {
    await turns.wait(0, signal);
    await turns.time(async () => vi.advanceTimersByTime(20));
  }
}

test('a wait is as long as two writes, and over when the time of its call is up', async () => {
  vi.useFakeTimers();
  for (const isUp of [false, true]) {
    const turns = new Turns();
    const call = new AbortController();
    await write(turns, call.signal);
    let isOver = false;
    const waiting = turns.wait(0, call.signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(39);
    expect(isOver).toBe(false);
    if (isUp) call.abort();
    else vi.advanceTimersByTime(1);
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  }
});

test('who pauses by itself, for as long, has nothing to wait for', async () => {
  vi.useFakeTimers();
  const turns = new Turns();
  const { signal } = new AbortController();
  await write(turns, signal);
  vi.advanceTimersByTime(41);
  await turns.wait(0, signal);
  expect(vi.getTimerCount()).toBe(0);
});

test('what was the newest event before a wait need not be after it', async () => {
  vi.useFakeTimers();
  const { rows, client, removeDue } = logSession();
  const slow = client({ hold: async () => void vi.advanceTimersByTime(20) });
  for (let writes = 0; writes < 8; writes++) await slow.add('a');
  const adding = slow.add('b');
  await vi.advanceTimersByTimeAsync(1);
  const before = rows.size;
  vi.setSystemTime(Date.now() + HOUR);
  await client().clear();
  for (const hours of [25, 25]) {
    vi.setSystemTime(Date.now() + hours * HOUR);
    removeDue();
  }
  expect([before, rows.size]).toEqual([8, 0]);
  await client().add('c');
  await vi.advanceTimersByTimeAsync(100);
  await adding;
  expect(await client().read()).toEqual(['c', 'b']);
});
