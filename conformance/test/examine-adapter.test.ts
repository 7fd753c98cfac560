import { SessionError } from '@sessions/core';
import { describe, expect, test } from 'vitest';
import { examineAdapter } from '../src/examine-adapter.ts';
import { type ConformanceAdapter, runConformance, selectCases } from '../src/index.ts';
import { fakeAdapter, withSessions } from './fake-adapter.ts';

const never = () => new Promise<never>(() => undefined);
const close = async () => undefined;

const METHODS = {
  getSessionId: async () => 'id',
  getItems: async () => [],
  addItems: async () => undefined,
  popItem: async () => undefined,
  clearSession: async () => undefined,
  applyHistoryTransaction: async () => undefined,
  replaceHistoryWithCompaction: async () => undefined,
};

/** What is wrong, and the line for it. */
const WRONG: [string, () => unknown, string][] = [
  ['no object', () => undefined, 'An adapter is an object'],
  ['no name', () => fakeAdapter({ name: '' }), 'text `name`'],
  ['no capabilities', () => fakeAdapter({ capabilities: undefined as never }), '`capabilities.transactions`'],
  ['no backdoor', () => fakeAdapter({ backdoor: {} as never }), '`backdoor.plant`'],
  [
    'an open() that throws',
    () =>
      fakeAdapter({
        open: () => {
          throw new Error('no such host\n  at x');
        },
      }),
    "The adapter's open() failed: no such host",
  ],
  [
    'an open() that rejects',
    () => fakeAdapter({ open: () => Promise.reject(new Error('no such host')) }),
    "The adapter's open() failed: no such host",
  ],
  [
    'an open() that hangs',
    () => fakeAdapter({ open: never }),
    "The adapter's open() did not come to an end within 0.3 s.",
  ],
  [
    'an open() that gives nothing',
    () => fakeAdapter({ open: async () => undefined as never }),
    'gives no client',
  ],
  [
    'an open() that gives something else',
    () => fakeAdapter({ open: async () => ({ close }) as never }),
    'gives no client',
  ],
  [
    'a session() that throws',
    () =>
      withSessions(() => {
        throw new Error('no id');
      }),
    "The adapter's session() of a client failed: no id",
  ],
  [
    'a session() that gives nothing',
    () => withSessions(() => undefined),
    'gives a value of type undefined, not a session',
  ],
  ['a session() that gives null', () => withSessions(() => null), 'gives null, not a session'],
  ['a session() that gives a promise', () => withSessions(async () => METHODS), 'gives a promise'],
  [
    'a session without two methods',
    () => withSessions(() => ({ ...METHODS, popItem: undefined, getItems: 1 })),
    'it has no getItems(), no popItem()',
  ],
  [
    'a capability that is declared and not there',
    () => withSessions(() => ({ ...METHODS, applyHistoryTransaction: undefined })),
    'says that it has `capabilities.transactions`, but its sessions have no applyHistoryTransaction()',
  ],
  [
    'a read that hangs',
    () => withSessions(() => ({ ...METHODS, getItems: never })),
    "The adapter's getItems() of a new session did not come to an end within 0.3 s.",
  ],
  [
    'a store that is not there',
    () =>
      withSessions(() => ({
        ...METHODS,
        getItems: () => Promise.reject(new SessionError('UNAVAILABLE')),
      })),
    "The adapter's getItems() of a new session failed: The store could not be reached",
  ],
  [
    'a close() that hangs',
    () => withSessions(() => ({ ...METHODS, close: never })),
    "The adapter's close() of a session did not come to an end within 0.3 s.",
  ],
  [
    'a client that does not close',
    () => fakeAdapter({ open: async () => ({ session: () => METHODS as never, close: never }) }),
    "The adapter's close() of a client did not come to an end within 0.3 s.",
  ],
];

test.each(WRONG)('%s is told in one line', async (_, make, line) => {
  const problems = await examineAdapter(make() as ConformanceAdapter, 300);
  expect(problems).toEqual([expect.stringContaining(line)]);
  expect(problems[0]).not.toContain('\n');
});

test('what a clause is about is left to its case', async () => {
  expect(await examineAdapter(fakeAdapter())).toEqual([]);
  const wrong = withSessions(() => ({
    ...METHODS,
    getItems: () => Promise.reject(new Error('broken')),
    // A stub of what is declared to be missing: the case of RWR-1 says so.
    applyHistoryMutations: async () => undefined,
  }));
  expect(await examineAdapter(wrong)).toEqual([]);
  const report = await runConformance(wrong, { cases: selectCases({ clauses: ['RWR-1'] }) });
  expect(report.results.filter(({ status }) => status === 'failed')).toMatchObject([
    { title: 'an adapter without rewrites does not have the method' },
  ]);
});

describe('a run of an adapter that cannot be tried', () => {
  test('has the line, no results, and no level', async () => {
    const started: string[] = [];
    const report = await runConformance(
      fakeAdapter({ open: () => Promise.reject(new Error('no such host')) }),
      {
        onStart: ({ title }) => started.push(title),
      },
    );
    expect(started).toEqual([]);
    expect(report).toMatchObject({
      adapter: 'fake',
      problems: [expect.stringContaining("The adapter's open() failed: no such host")],
      results: [],
    });
    expect(report.levels.map(({ status }) => status)).toEqual(Array(4).fill('not shown'));
  });

  test('is a report, whatever was given', async () => {
    for (const given of [undefined, null, 'adapter', {}]) {
      const report = await runConformance(given as never);
      expect(report.problems.length).toBeGreaterThan(0);
      expect(typeof report.adapter).toBe('string');
    }
  });
});
