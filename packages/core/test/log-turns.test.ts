import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { logSession } from './support/log-session.ts';

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
