import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startMemoryAdapter } from '../../packages/memory/test/adapter.ts';
import type { Capabilities } from '../src/adapter.ts';
import { Bench } from '../src/bench.ts';
import { arbitraryHistory } from '../src/histories/arbitrary-history.ts';
import { historyCases } from '../src/histories/history-cases.ts';
import { describeOutcome, isAsExpected, outcomeOf } from '../src/histories/outcome.ts';
import { spoil } from '../src/histories/spoil.ts';
import { runCase } from '../src/run.ts';

test.each(historyCases())('memory: $clause $title', async (tried) => {
  const { adapter } = await startMemoryAdapter();
  expect(await runCase(adapter, tried)).toMatchObject({ status: 'passed' });
});

test('hundreds of sessions are tried on a few connections, and none is left', async () => {
  const { adapter } = await startMemoryAdapter();
  const sessions = new Set<string>();
  let connections = 0;
  const open = async () => {
    connections++;
    const connection = await adapter.open();
    return {
      ...connection,
      session: (request: Parameters<typeof connection.session>[0]) => {
        sessions.add(request.sessionId);
        return connection.session(request);
      },
    };
  };
  const [tried] = historyCases({ seed: 1 });
  expect(await runCase({ ...adapter, open }, tried!)).toMatchObject({ status: 'passed' });
  expect(sessions.size).toBe(100);
  // Two, and one for each time that a history has one opened anew.
  expect(connections).toBeLessThan(150);
  expect(await new Bench(adapter).backdoor.contents()).toEqual([]);
});

const ALL: Capabilities = { transactions: true, rewrites: true, replacement: true, expiry: true };
const NONE: Capabilities = {
  transactions: { unsupported: 'none' },
  rewrites: { unsupported: 'none' },
  replacement: { unsupported: 'none' },
  expiry: { unsupported: 'none' },
};

function kindsOfSteps(has: Capabilities): Set<string> {
  const even = {
    basic: 5,
    transactions: 5,
    rewrites: 5,
    replacement: 5,
    aborted: 5,
    readAll: 5,
    newInstance: 5,
    reopen: 5,
    notAwaited: 50,
  };
  const sample = fc.sample(arbitraryHistory(even, has, 60), { numRuns: 50, seed: 1 }).flat();
  const kinds = sample.map((step) => (step.step === 'call' ? step.call.call : step.step));
  return new Set(kinds);
}

test('histories have every kind of step, but for what an adapter lacks', () => {
  const basic = ['addItems', 'getItems', 'popItem', 'clearSession', 'getSessionId'];
  const steps = ['aborted', 'readAll', 'newInstance', 'reopen'];
  const transactions = ['append', 'replaceSuffix', 'repeatTransaction', 'reuseOperationId'];
  expect(kindsOfSteps(NONE)).toEqual(new Set([...basic, ...steps]));
  expect(kindsOfSteps({ ...NONE, transactions: true })).toEqual(
    new Set([...basic, ...steps, ...transactions]),
  );
  expect(kindsOfSteps(ALL)).toEqual(
    new Set([...basic, ...steps, ...transactions, 'rewriteCalls', 'compact']),
  );
});

test('an adapter without capabilities is tried on what it has', async () => {
  const { adapter } = await startMemoryAdapter();
  const results = await Promise.all(
    historyCases({ runs: 20 }).map((tried) => runCase({ ...adapter, capabilities: NONE }, tried)),
  );
  expect(results.map(({ clause, status }) => `${clause} ${status}`)).toEqual([
    'GET-2 passed',
    'ORD-4 passed',
    'TXN-2 not applicable',
  ]);
});

test('a path that is of no case is refused', () => {
  expect(() => historyCases({ seed: 1, path: '0:1' })).toThrow('No history has the path "0:1"');
});

test('a connection that cannot be opened is told as it is', async () => {
  const { adapter } = await startMemoryAdapter();
  const open = () => Promise.reject(new Error('no connection'));
  const result = await runCase({ ...adapter, open }, historyCases()[0]!);
  expect(result).toMatchObject({
    status: 'failed',
    actual: expect.stringContaining('no connection') as string,
  });
});

test('a value is spoilt all through', () => {
  const leaf = () => [1];
  const [inMap, inSet, inObject] = [leaf(), leaf(), leaf()];
  const value = {
    map: new Map([[1, inMap]]),
    set: new Set([inSet]),
    bytes: new Uint8Array([1]),
    date: new Date(5),
    object: { inObject },
    frozen: Object.freeze([1]),
  };
  const parts = { ...value };
  spoil(value);
  expect([inMap, inSet, inObject]).toEqual(Array(3).fill(['spoilt', 'spoilt']));
  expect(parts).toEqual({
    map: new Map(),
    set: new Set(),
    bytes: new Uint8Array([0xee]),
    date: new Date(1),
    object: { inObject: 'spoilt', more: 'spoilt' },
    frozen: [1],
  });
  expect(Object.values(value)).toEqual(Array(7).fill('spoilt'));
});

test('what does not settle is told in time', async () => {
  const outcome = await outcomeOf(new Promise(() => undefined), 10);
  expect(isAsExpected(outcome, { kind: 'succeeds' })).toBe(false);
  expect(describeOutcome(outcome)).toBe('pending after 10 ms');
});
