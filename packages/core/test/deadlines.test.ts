import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { Deadlines } from '../src/store/deadlines.ts';

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

/** Tells how long after it was made its time was up. */
class Timed {
  readonly #started = performance.now();
  readonly ended = Promise.withResolvers<number>();
  endTime(): void {
    this.ended.resolve(performance.now() - this.#started);
  }
}

test('each ends when its own time is up, also one that came while others waited', async () => {
  const deadlines = Deadlines.in(200);
  const early = new Timed();
  deadlines.add(early);
  await pause(120);
  const late = new Timed();
  deadlines.add(late);
  for (const timed of [early, late]) {
    const waited = await timed.ended.promise;
    expect(waited).toBeGreaterThanOrEqual(199);
    expect(waited).toBeLessThan(5_000);
  }
});

test('one that is over in time is left alone, the others are not', async () => {
  const deadlines = Deadlines.in(60);
  const [over, waiting] = [new Timed(), new Timed()];
  deadlines.add(over);
  deadlines.add(waiting);
  deadlines.delete(over);
  await waiting.ended.promise;
  await expect(Promise.race([over.ended.promise, pause(50).then(() => 'left alone')])).resolves.toBe(
    'left alone',
  );
});

test('a time that ran out with nobody waiting begins anew', async () => {
  const over = new Timed();
  Deadlines.in(30).add(over);
  Deadlines.in(30).delete(over);
  await pause(60);
  const next = new Timed();
  Deadlines.in(30).add(next);
  expect(await next.ended.promise).toBeGreaterThanOrEqual(29);
});

test('a timer that a test took away is made again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const over = new Timed();
  Deadlines.in(40).add(over);
  Deadlines.in(40).delete(over);
  vi.useRealTimers();
  await pause(1_100);
  const next = new Timed();
  Deadlines.in(40).add(next);
  expect(await next.ended.promise).toBeGreaterThanOrEqual(39);
});

test.each([
  ['what is over does not keep the process', 'deadlines.delete(timed);', ''],
  ['what waits does', '', 'its time is up'],
  [
    'and what waits after another was over',
    'deadlines.delete(timed); deadlines.add(timed);',
    'its time is up',
  ],
])('%s', async (_, steps, expected) => {
  const script = `
    import { Deadlines } from ${JSON.stringify(new URL('../src/store/deadlines.ts', import.meta.url).href)};
    const timed = { endTime: () => process.stdout.write('its time is up') };
    const deadlines = Deadlines.in(700);
    deadlines.add(timed);
    ${steps}
  `;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe(expected);
});
