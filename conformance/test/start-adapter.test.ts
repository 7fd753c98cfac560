import type { ProtocolVersion } from '@sessions/core';
import { expect, test } from 'vitest';
import { startMemoryAdapter } from '../../packages/memory/test/adapter.ts';
import { type AdapterSource, runConformance, startAdapter, WrongAdapter } from '../src/index.ts';

test('an adapter, one with its end, and functions that give them are started', async () => {
  const { adapter } = await startMemoryAdapter();
  let stopped = 0;
  const stop = async () => void stopped++;
  const sources: AdapterSource[] = [
    adapter,
    { adapter, stop },
    () => adapter,
    async () => ({ adapter, stop }),
  ];
  for (const source of sources) {
    const started = await startAdapter(source);
    expect(started.adapter).toBe(adapter);
    await started.stop();
  }
  expect(stopped).toBe(2);
});

test('an adapter may say of each part that there is none', async () => {
  const none = { unsupported: 'There is none.' };
  const adapter = {
    name: 'bare',
    store: 'nothing',
    capabilities: { transactions: none, rewrites: none, replacement: none, expiry: none },
    open: () => Promise.reject(new Error('not here')),
    wire: none,
    processes: none,
    backdoor: none,
  };
  expect(await startAdapter(adapter)).toMatchObject({ adapter });
  const backdoor = { plant: none, contents: none, records: none };
  expect(await startAdapter({ ...adapter, backdoor })).toMatchObject({ adapter: { backdoor } });
});

test('an adapter may say which protocol it was built for, and one that the kit does not know is not tried', async () => {
  const { adapter } = await startMemoryAdapter();
  const built = (protocolVersion: ProtocolVersion) => startAdapter({ ...adapter, protocolVersion });
  await expect(built('1.0')).resolves.toMatchObject({ adapter: { protocolVersion: '1.0' } });
  await expect(built('2.0')).rejects.toThrow(
    /^The adapter was built for session protocol 2\.0, and .* Update the older/,
  );
  const { problems } = await runConformance({ ...adapter, protocolVersion: '1.1' }, { clauses: ['ID-1'] });
  expect(problems).toEqual([expect.stringContaining('protocol 1.1')]);
});

test('all that is missing is told at once', async () => {
  const { adapter } = await startMemoryAdapter();
  const { name, backdoor, ...rest } = adapter;
  const parts = {
    ...rest,
    capabilities: { ...adapter.capabilities, expiry: false },
    wire: { address: { host: '127.0.0.1' }, own: () => undefined },
    processes: { unsupported: '' },
    backdoor: { ...backdoor, plant: undefined },
  };
  const starting = startAdapter(parts as unknown as AdapterSource);
  await expect(starting).rejects.toThrow(WrongAdapter);
  await expect(starting).rejects.toThrow(
    'The adapter is not whole: it has no text `name`, it has no `capabilities.expiry` (true, or { unsupported: ' +
      'reason }), it has no `wire` ({ address: { host, port }, own }, or { unsupported: reason }), it has no ' +
      '`processes` ({ module, options }, or { unsupported: reason }), it has no `backdoor.plant` (a function, or ' +
      '{ unsupported: reason }). The type ConformanceAdapter says what an adapter has.',
  );
});

test.each([
  ['an error', new Error('no server'), /^The adapter did not start: no server/],
  ['a text', 'no server', 'The adapter did not start: no server'],
  ['an error of two lines', new Error('first\nsecond'), /^The adapter did not start: first[^\n]*$/],
  ['an error without a message', new RangeError(''), /^The adapter did not start: RangeError/],
  ['an object', Object.create(null), 'The adapter did not start: [Object: null prototype] {}'],
])('%s that a start throws is told in one line', async (_, thrown, message) => {
  await expect(startAdapter(() => Promise.reject(thrown))).rejects.toThrow(message);
});

test('what was begun is stopped when the adapter is not whole, or is late', async () => {
  let stopped = 0;
  const stop = async () => void stopped++;
  const wrong = { adapter: { name: 'half' }, stop } as unknown as AdapterSource;
  await expect(startAdapter(wrong)).rejects.toThrow('The adapter is not whole');
  expect(stopped).toBe(1);
  const { adapter } = await startMemoryAdapter();
  const { promise, resolve } = Promise.withResolvers<{ adapter: typeof adapter; stop: typeof stop }>();
  await expect(startAdapter(() => promise, 20)).rejects.toThrow('The adapter did not start within 0.02 s.');
  resolve({ adapter, stop });
  await expect.poll(() => stopped).toBe(2);
});
