import type { LogRow } from '../../src/log/event-log.ts';
import { LogHistory } from '../../src/log/log-history.ts';
import type { HistoryChange, StoreCall } from '../../src/store/history-store.ts';
import { MemoryLog, type Step } from './memory-log.ts';

export interface LogClientOptions {
  /** Of this client; the session's, if left out. Never to end, if it is given as `undefined`. */
  readonly ttlMs?: number | undefined;
  readonly refreshTtlOnRead?: boolean;
  /** What comes before a step, which does not happen if that fails; if it gives something, that comes after it. */
  readonly hold?: (step: Step) => Promise<(() => void | Promise<void>) | void>;
  readonly maxRowBytes?: number;
  readonly pageRows?: number;
}

/** A session's rows, and clients of it whose steps are counted. */
export function logSession(ttlMs?: number) {
  const rows = new Map<string, LogRow>();
  const steps: string[] = [];
  const client = (options: LogClientOptions = {}) => {
    const { refreshTtlOnRead = false, hold, maxRowBytes, pageRows } = options;
    const takeStep = async <T>(step: Step<T>): Promise<T> => {
      const then = await hold?.(step);
      steps.push(`${step.kind} ${step.key[0]}`);
      const value = step.act();
      await then?.();
      return value;
    };
    const log = new MemoryLog(rows, { takeStep, maxRowBytes, pageRows });
    const history = new LogHistory(log, { ttlMs, refreshTtlOnRead, ...options });
    const call: StoreCall = { signal: new AbortController().signal };
    const commit = (change: Omit<HistoryChange, 'id'> & { readonly id?: string }, own = call) =>
      history.commit({ id: crypto.randomUUID(), ...change }, own);
    return {
      history,
      commit,
      add: (...add: string[]) => commit({ drop: 0, add }),
      append: (id: string, ...add: string[]) => commit({ drop: 0, add, operation: { id, digest: 'd' } }),
      pop: async () => (await commit({ drop: 1, add: [] })).popped,
      clear: () => commit({ drop: 'all', add: [], clear: true }),
      replaceAll: (...add: string[]) => commit({ drop: 'all', add }),
      read: async (limit?: number) => (await history.read({ limit, versioned: false }, call)).records,
    };
  };
  const stepsOf = async (work: () => Promise<unknown>) => {
    steps.length = 0;
    await work();
    return steps.slice();
  };
  /** The store removes what is due. */
  const removeDue = () => {
    for (const { key, removeAt } of [...rows.values()])
      if (removeAt !== undefined && removeAt <= Date.now()) rows.delete(key);
  };
  return { rows, client, stepsOf, removeDue };
}
