import { expect, test } from 'vitest';
import { logSession } from './support/log-session.ts';
import type { Step } from './support/memory-log.ts';

/** A session whose reads are watched: how many rows each of their requests gave. */
function watched() {
  const given: number[] = [];
  const hold = async ({ kind, act }: Step) => {
    if (kind === 'scan') given.push((act() as readonly unknown[]).length);
  };
  const { client } = logSession();
  const rowsOf = async (read: () => Promise<unknown>) => {
    given.length = 0;
    await read();
    return given.slice();
  };
  return { client: () => client({ hold }), rowsOf };
}

test('a limited read asks for as many rows as the same client wrote for so many records', async () => {
  const { client, rowsOf } = watched();
  const one = client();
  for (let turn = 0; turn < 30; turn++) await one.add('a', 'b', 'c', 'd');
  expect(await rowsOf(() => one.read(20))).toEqual([5]);
});

test('the first read of a client asks for as many as others of its process wrote last', async () => {
  const { client, rowsOf } = watched();
  const one = client();
  for (let turn = 0; turn < 30; turn++) await one.add('a', 'b', 'c', 'd');
  expect(await rowsOf(() => client().read(20))).toEqual([5]);
  await watched().client().add('a', 'b');
  expect(await rowsOf(() => client().read(20))).toEqual([10]);
});

test('of writes of different sizes the least counts, so that one request is enough', async () => {
  const { client, rowsOf } = watched();
  const one = client();
  for (let turn = 0; turn < 30; turn++) await one.add(...Array.from({ length: turn % 2 ? 1 : 9 }, String));
  expect(await rowsOf(() => one.read(20))).toEqual([20]);
  // What was found says more.
  expect(await rowsOf(() => one.read(20))).toEqual([4]);
});

test('once something was read, what is written does not count, until that is read', async () => {
  const { client, rowsOf } = watched();
  const one = client();
  for (let turn = 0; turn < 30; turn++) await one.add('a', 'b', 'c', 'd');
  await one.read(20);
  for (let turn = 0; turn < 30; turn++) await one.add('a');
  expect(await rowsOf(() => one.read(20))).toEqual([5, 5, 5, 5]);
  expect(await rowsOf(() => one.read(20))).toEqual([20]);
});
