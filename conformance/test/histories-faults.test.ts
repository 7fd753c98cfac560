import { isDeepStrictEqual } from 'node:util';
import { isSessionError, type SessionErrorCode } from '@sessions/core';
import { stringify } from 'fast-check';
import { expect, test } from 'vitest';
import { startMemoryAdapter } from '../../packages/memory/test/adapter.ts';
import type { AnySession, ConformanceAdapter } from '../src/adapter.ts';
import { type HistoryOptions, historyCases } from '../src/histories/history-cases.ts';
import type { CaseResult } from '../src/report/report.ts';
import { runCase } from '../src/run.ts';

/** What the wrong sessions with one id have in common. */
interface Shared {
  readonly applied: Set<string>;
  readonly appliedBeforeClear: Set<string>;
  pops: number;
}

type Fault = (right: AnySession, shared: Shared) => Partial<AnySession>;

/** Sessions in memory of which some methods are wrong. */
async function wrongAdapter(fault: Fault): Promise<ConformanceAdapter> {
  const { adapter } = await startMemoryAdapter();
  const sharedBy = new Map<string, Shared>();
  return {
    ...adapter,
    async open() {
      const connection = await adapter.open();
      return {
        ...connection,
        session(request) {
          const right = connection.session(request);
          const shared = sharedBy.get(request.sessionId) ?? {
            applied: new Set(),
            appliedBeforeClear: new Set(),
            pops: 0,
          };
          sharedBy.set(request.sessionId, shared);
          return { ...methodsOf(right), ...fault(right, shared) };
        },
      };
    },
  };
}

function methodsOf(right: AnySession): AnySession {
  return {
    sessionId: right.sessionId,
    getSessionId: () => right.getSessionId(),
    getItems: (limit, options) => right.getItems(limit, options),
    addItems: (items, options) => right.addItems(items, options),
    popItem: (options) => right.popItem(options),
    clearSession: (options) => right.clearSession(options),
    applyHistoryTransaction: (args) => right.applyHistoryTransaction!(args),
    applyHistoryMutations: (args) => right.applyHistoryMutations!(args),
    replaceHistoryWithCompaction: (items) => right.replaceHistoryWithCompaction!(items),
    close: () => right.close!(),
    [Symbol.asyncDispose]: () => right.close!(),
  };
}

/** Items are read back with each value in them changed. */
function reading(change: (value: unknown) => unknown): Fault {
  const changed = (value: unknown): unknown => {
    const now = change(value);
    if (Array.isArray(now)) return now.map(changed);
    if (!isPlain(now)) return now;
    return Object.fromEntries(Object.entries(now).map(([key, entry]) => [key, changed(entry)]));
  };
  return (right) => ({
    getItems: async (limit, options) => (await right.getItems(limit, options)).map(changed),
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Transactions that should be refused with a code succeed, and do nothing. */
function ignoring(code: SessionErrorCode): Fault {
  return (right) => ({
    applyHistoryTransaction: async (args) => {
      await right.applyHistoryTransaction!(args).catch((error: unknown) => {
        if (!isSessionError(error, code)) throw error;
      });
    },
  });
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'a limit gives the oldest': (right) => ({
    getItems: async (limit, options) => {
      const newest = await right.getItems(limit, options);
      return (await right.getItems()).slice(0, newest.length);
    },
  }),
  'a limit over 10 is no limit': (right) => ({
    getItems: (limit, options) =>
      right.getItems(limit !== undefined && limit > 10 ? undefined : limit, options),
  }),
  'a fraction is rounded': (right) => ({
    getItems: (limit, options) => right.getItems(limit === undefined ? limit : Math.floor(limit), options),
  }),
  'a pop from more than 5 removes nothing': (right) => ({
    popItem: async (options) => {
      const items = await right.getItems(undefined, options);
      return items.length > 5 ? items.at(-1) : right.popItem(options);
    },
  }),
  'of two equal items the second is dropped': (right) => ({
    addItems: (items, options) => {
      const different = items.filter((item, at) => at === 0 || !isDeepStrictEqual(item, items[at - 1]));
      return right.addItems(different, options);
    },
  }),
  'the 26th item of a batch is lost': (right) => ({
    addItems: (items, options) => right.addItems(items.toSpliced(25, 1), options),
  }),
  'a refused batch leaves its first item': (right) => ({
    addItems: async (items, options) => {
      await right.addItems(items, options).catch(async (error: unknown) => {
        if (isSessionError(error, 'INVALID_ITEM')) await right.addItems(items.slice(0, error.index));
        throw error;
      });
    },
  }),
  'minus zero is zero': reading((value) => (Object.is(value, -0) ? 0 : value)),
  'undefined in an array is null': reading((value) => {
    return Array.isArray(value) ? value.map((entry: unknown) => entry ?? null) : value;
  }),
  'bytes are a list of numbers': reading((value) => (value instanceof Uint8Array ? [...value] : value)),
  'a lone surrogate is replaced': reading((value) => {
    return typeof value === 'string' ? value.toWellFormed() : value;
  }),
  'keys are sorted': reading((value) => {
    return isPlain(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  }),
  'items are not copied at the call': (right) => ({
    addItems: async (items, options) => {
      await undefined;
      return right.addItems(items, options);
    },
  }),
  'all readers get the same objects': (right) => {
    const before = new Map<string, unknown[]>();
    return {
      getItems: async (limit, options) => {
        const items = await right.getItems(limit, options);
        const text = stringify(items);
        before.set(text, before.get(text) ?? items);
        return before.get(text)!;
      },
    };
  },
  'an instance reads the store once': (right) => {
    let all: unknown[] | undefined;
    return {
      getItems: async (limit, options) => {
        if (limit !== undefined) return right.getItems(limit, options);
        all ??= await right.getItems(limit, options);
        return structuredClone(all);
      },
    };
  },
  'a pop is overtaken by later calls': (right) => ({
    popItem: async (options) => {
      await new Promise((resolve) => setImmediate(resolve));
      return right.popItem(options);
    },
  }),
  'a signal that has fired is seen too late': (right) => ({
    clearSession: async (options) => {
      await right.clearSession();
      options?.signal?.throwIfAborted();
    },
  }),
  'a pop forgets the operations': (right, shared) => ({
    popItem: async (options) => {
      const item = await right.popItem(options);
      shared.pops++;
      return item;
    },
    applyHistoryTransaction: ({ operationId, transaction }) => {
      return right.applyHistoryTransaction!({ operationId: `${operationId} ${shared.pops}`, transaction });
    },
  }),
  'a clear forgets no operations': (right, { applied, appliedBeforeClear }) => ({
    clearSession: async (options) => {
      await right.clearSession(options);
      for (const operationId of applied) appliedBeforeClear.add(operationId);
    },
    applyHistoryTransaction: async (args) => {
      const { operationId } = args;
      if (appliedBeforeClear.has(operationId)) return;
      await right.applyHistoryTransaction!(args);
      applied.add(operationId);
    },
  }),
  'another transaction passes for the same': ignoring('OPERATION_CONFLICT'),
  'a suffix that does not match is no matter': ignoring('SUFFIX_MISMATCH'),
  'a rewrite appends': (right) => ({
    applyHistoryMutations: ({ mutations }) => right.addItems(mutations.map(({ replacement }) => replacement)),
  }),
  'a compaction appends': (right) => ({
    replaceHistoryWithCompaction: (items) => right.addItems(items),
  }),
};

/** The first case that fails. */
async function failureOf(fault: Fault, options?: HistoryOptions): Promise<CaseResult | undefined> {
  const adapter = await wrongAdapter(fault);
  for (const tried of historyCases(options)) {
    const result = await runCase(adapter, tried);
    if (result.status === 'failed') return result;
  }
  return undefined;
}

function linesOf(found: CaseResult | undefined): string[] {
  return (found?.steps ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('//'));
}

test.each(Object.keys(FAULTS))('%s: found, told shortly, and found again', async (name) => {
  const fault = FAULTS[name]!;
  const found = await failureOf(fault, { seed: 1 });
  expect(found?.reason).toContain('does not come to what the model says');
  expect(found?.steps).not.toContain('not seen again');
  const lines = linesOf(found);
  expect(lines.length).toBeLessThanOrEqual(6);
  const { clause, seed, path, replay } = found!;
  expect(replay).toContain(`--clause ${clause} `);
  expect(replay).toContain(` --seed ${seed} --path ${path}`);
  expect(historyCases({ seed, path }).map((one) => one.clause)).toEqual([clause]);
  const again = await failureOf(fault, { seed, path });
  // Shorter still, and with other items, if this machine was too busy the first time to come to the end of shortening.
  expect(linesOf(again).length).toBeLessThanOrEqual(lines.length);
  expect(linesOf(again).length).toBeGreaterThan(0);
  expect(again?.clause).toBe(clause);
  expect(again?.reason).toContain('does not come to what the model says');
});

test('with steps of its own a history is played again by code', async () => {
  const found = await failureOf(Object.values(FAULTS)[0]!, { seed: 1, steps: 20 });
  expect(found?.replay).toMatch(/^historyCases\(\{ seed: 1, path: '[^']+', steps: 20 \}\)$/);
});

test('what is seen once only is told with the whole history', async () => {
  let popped = false;
  const once: Fault = (right) => ({
    popItem: async (options) => {
      const item = await right.popItem(options);
      if (popped || options?.signal?.aborted) return item;
      popped = true;
      return 'something else';
    },
  });
  const found = await failureOf(once, { seed: 1 });
  expect(found?.steps).toContain('It was not seen again');
  expect(linesOf(found).at(-1)).toContain('popItem()');
  expect(found?.actual).toBe('"something else"');
});
