import { expect, test } from 'vitest';
import { SessionError } from '../src/errors.ts';
import { type LogClientOptions, logSession } from './support/log-session.ts';
import type { Step } from './support/memory-log.ts';

/** A record of which each row holds a piece. */
const LARGE = 'large '.repeat(300);
const MAX_ROW_BYTES = 400;

/** A session with clients whose events are held up one by one, and what is left of the large record. */
function largeSession() {
  const session = logSession();
  const client = (beforeEvent: (nth: number) => Promise<void>, options: LogClientOptions = {}) => {
    let events = 0;
    const hold = async ({ kind, key }: Step) => {
      if (kind === 'put' && key.startsWith('e')) await beforeEvent(++events);
    };
    return session.client({ maxRowBytes: MAX_ROW_BYTES, hold, ...options });
  };
  const left = () =>
    [...session.rows.values()].filter(({ texts }) => texts.join('').includes('large')).map(({ key }) => key);
  return { ...session, client, left, other: session.client({ maxRowBytes: MAX_ROW_BYTES }) };
}

test('of a batch that a clear overtook, no part is left when it is popped, though a reply was lost as well', async () => {
  const { client, other, left } = largeSession();
  const large = client(async (nth) => {
    if (nth === 1) await other.clear();
    if (nth === 2) throw new SessionError('OUTCOME_UNKNOWN');
  });
  await other.add('0');
  const change = { id: crypto.randomUUID(), drop: 0, add: [LARGE] };
  await expect(large.commit(change)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await large.commit(change);
  expect(await other.read()).toEqual([LARGE]);
  expect(await other.pop()).toBe(LARGE);
  expect(left()).toEqual([]);
});

test('a batch that a clear overtook is written once more, however often its event is overtaken after that', async () => {
  const { client, other, rows, stepsOf } = largeSession();
  const large = client(async (nth) => {
    if (nth === 1) await other.clear();
    else if (nth < 6) await other.add(`${nth}`);
  });
  await other.add('0');
  const steps = await stepsOf(() => large.add(LARGE));
  const parts = [...rows.keys()].filter((key) => key.startsWith('p'));
  expect(steps.filter((step) => step === 'put p')).toHaveLength(2 * parts.length);
  expect(await other.read()).toEqual(['2', '3', '4', '5', LARGE]);
});

test.each(['the same process writes', 'another process has written'])(
  'the parts of a write that may have been made and was not are gone once %s',
  async (who) => {
    const { client, other, left } = largeSession();
    const large = client(async (nth) => {
      if (nth === 1) throw new SessionError('OUTCOME_UNKNOWN');
    });
    await other.add('0');
    await expect(large.add(LARGE)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(left().length).toBeGreaterThan(1);
    if (who.startsWith('another')) await other.add('1');
    await large.add('2');
    expect(left()).toEqual([]);
  },
);

test('the parts of a write that may have been made and was stay', async () => {
  const { client, other } = largeSession();
  const hold = async ({ kind, key }: Step) => {
    if (kind !== 'put' || key !== 'e000000000000002') return;
    return () => {
      throw new SessionError('OUTCOME_UNKNOWN');
    };
  };
  const large = client(async () => {}, { hold });
  await other.add('0');
  await expect(large.add(LARGE)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await large.add('1');
  await large.add('2');
  expect(await other.read()).toEqual(['0', LARGE, '1', '2']);
});
