import type { HistoryTransaction } from '@sessions/core';
import { isSessionError, SessionError } from '@sessions/core';
import { NO_VERSION } from '@sessions/core/store';
import { retelling } from './errors-retold.ts';
import type { Mutant, RightSession, SessionMutation, StoreMutation } from './mutant.ts';
import { sharedByInstances } from './shared-by-instances.ts';
import { turn } from './turn.ts';
import { newest, wholeList } from './whole-list.ts';

const operationsOf = sharedByInstances((): string[] => []);
const clearsOf = sharedByInstances(() => ({ count: 0 }));
const textsOf = sharedByInstances(() => new Map<string, string>());

/** A session that applies another transaction, or the same one in another way. */
function applies(
  change: (
    right: RightSession,
    operationId: string,
    transaction: HistoryTransaction<unknown>,
  ) => Promise<void>,
): (right: RightSession) => ReturnType<SessionMutation> {
  return (right) => ({
    applyHistoryTransaction: async (args, options) => {
      // What is malformed is the right session's to refuse.
      const { operationId, transaction } = Object(args) as typeof args;
      const { items, expectedSuffix, replacement } = Object(transaction) as Record<string, unknown>;
      const hasLists = Array.isArray(items) || (Array.isArray(expectedSuffix) && Array.isArray(replacement));
      if (typeof operationId !== 'string' || !hasLists) return right.applyHistoryTransaction(args, options);
      return change(right, operationId, transaction);
    },
  });
}

/** Operations older than the latest few are new ones again. */
function remembers(count: number): SessionMutation {
  return (right, { request }) => {
    const operations = operationsOf(request);
    // Under its number, so that one that was forgotten is another one for the right session.
    const wrong = applies((_, operationId, transaction) => {
      if (operationId.trim() === '') return right.applyHistoryTransaction({ operationId, transaction });
      const at = operations.lastIndexOf(operationId);
      if (at === -1 || at < operations.length - count) operations.push(operationId);
      const known = `${operationId}/${operations.lastIndexOf(operationId)}`;
      return right.applyHistoryTransaction({ operationId: known, transaction });
    });
    return {
      ...wrong(right),
      clearSession: async (options) => {
        await right.clearSession(options);
        operations.length = 0;
      },
    };
  };
}

/** A clear that drops the items, and remembers all operations. */
const keepsOperations: StoreMutation = (right) => ({
  commit: (change, call) => right.commit({ ...change, clear: undefined }, call),
});

/** Operations are forgotten after a clear, in a way of its own: by then each has another id. */
function forgets(later: (forget: () => void) => void | Promise<void>): SessionMutation {
  return (right, { request }) => {
    const clears = clearsOf(request);
    const wrong = applies((_, operationId, transaction) =>
      right.applyHistoryTransaction({ operationId: `${clears.count}/${operationId}`, transaction }),
    );
    return {
      ...wrong(right),
      clearSession: async (options) => {
        await right.clearSession(options);
        await later(() => {
          clears.count++;
        });
      },
    };
  };
}

function recordOnly(operationId: string) {
  return { operationId, transaction: { type: 'append_items' as const, items: [] } };
}

export const transactionMutants: readonly Mutant[] = [
  {
    name: 'the version is how many items there are',
    clause: 'TXN-3',
    over: 'redis',
    store: (right) => ({
      async read({ limit }, call) {
        const records = await wholeList(right, call);
        return { records: newest(records, limit), version: String(records.length) };
      },
      async commit({ ifVersion, ...change }, call) {
        if (ifVersion === undefined || ifVersion === NO_VERSION)
          return right.commit({ ...change, ifVersion }, call);
        const { length } = await wholeList(right, call);
        if (ifVersion !== String(length)) throw new SessionError('CONFLICT');
        return right.commit(change, call);
      },
    }),
  },
  {
    name: 'an operation is looked up, applied and then recorded',
    clause: 'TXN-1',
    over: 'memory',
    store: (right) => ({
      async commit({ operation, ...change }, call) {
        if (!operation) return right.commit(change, call);
        const record = { id: `${change.id}/record`, drop: 0, add: [], operation };
        try {
          // Of no version that there is, so that nothing comes of it but the answer whether the operation is known.
          return await right.commit({ ...record, ifVersion: NO_VERSION }, call);
        } catch (error) {
          if (!isSessionError(error, 'CONFLICT')) throw error;
        }
        // As long as a store takes to answer, so that whoever asks meanwhile finds it on a busy machine too.
        for (let turns = 0; turns < 100; turns++) await turn();
        await right.commit(change, call);
        return right.commit(record, call);
      },
    }),
  },
  {
    name: 'a suffix is compared by its JSON text',
    clause: 'TXN-1',
    over: 'memory',
    session: applies(async (right, operationId, transaction) => {
      if (transaction.type === 'replace_suffix' && transaction.expectedSuffix.length > 0) {
        const found = await right.getItems(transaction.expectedSuffix.length);
        const isSame = JSON.stringify(found) === JSON.stringify(transaction.expectedSuffix);
        if (!isSame) throw new SessionError('SUFFIX_MISMATCH');
      }
      await right.applyHistoryTransaction({ operationId, transaction });
    }),
  },
  {
    name: 'an append with an id loses to others for as long as they write',
    clause: 'TXN-1',
    over: 'memory',
    session: applies(async (right, operationId, transaction) => {
      const count = async () => (await right.getItems()).length;
      const isWritten = async () => (await count()) !== (await turn().then(count));
      for (let tries = 0; transaction.type === 'append_items' && (await isWritten()); tries++)
        if (tries === 100) throw new SessionError('OUTCOME_UNKNOWN');
      await right.applyHistoryTransaction({ operationId, transaction });
    }),
  },
  {
    name: 'of rich values in a suffix the JSON is compared',
    clause: 'TXN-1',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      retelling(right.applyHistoryTransaction({ operationId, transaction }), async (error) => {
        if (error.code !== 'SUFFIX_MISMATCH' || transaction.type !== 'replace_suffix') throw error;
        const expectedSuffix = await right.getItems(transaction.expectedSuffix.length);
        const plain = (items: unknown) => JSON.stringify(items, (_, value: unknown) => sorted(value));
        if (plain(expectedSuffix) !== plain(transaction.expectedSuffix)) throw error;
        const loose = { ...transaction, expectedSuffix: expectedSuffix as object[] };
        await right.applyHistoryTransaction({ operationId, transaction: loose });
      }),
    ),
  },
  {
    name: 'a suffix is found and then removed by its length',
    clause: 'TXN-1',
    over: 'memory',
    store: (right) => ({
      commit: (change, call) => right.commit({ ...change, ifVersion: undefined }, call),
    }),
  },
  {
    name: 'a replacement is only appended',
    clause: 'TXN-1',
    over: 'memory',
    store: (right) => ({
      commit: (change, call) => right.commit(change.operation ? { ...change, drop: 0 } : change, call),
    }),
  },
  {
    name: 'no transactions are declared, but the method is there and fails',
    clause: 'TXN-1',
    over: 'memory',
    capabilities: { transactions: { unsupported: 'The store cannot do two things at once.' } },
    session: () => ({
      applyHistoryTransaction: async () => {
        throw new Error('not supported');
      },
    }),
  },
  {
    name: 'each instance remembers its own operations only',
    clause: 'TXN-2',
    over: 'memory',
    session: (right) => {
      const instance = crypto.randomUUID();
      return {
        applyHistoryTransaction: ({ operationId, transaction }, options) =>
          right.applyHistoryTransaction({ operationId: `${operationId}/${instance}`, transaction }, options),
      };
    },
  },
  {
    name: 'operations are forgotten when the last item is popped',
    clause: 'TXN-2',
    over: 'memory',
    session: (right) => ({
      popItem: async (options) => {
        const item = await right.popItem(options);
        if ((await right.getItems(1)).length === 0) await right.clearSession();
        return item;
      },
    }),
  },
  {
    name: 'the latest 10 operations are remembered',
    clause: 'TXN-2',
    over: 'memory',
    session: remembers(10),
  },
  {
    name: 'the latest 1,000 operations are remembered',
    clause: 'TXN-2',
    over: 'memory',
    session: remembers(1_000),
  },
  {
    name: 'operation ids are trimmed',
    clause: 'TXN-2',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      right.applyHistoryTransaction({ operationId: operationId.trim(), transaction }),
    ),
  },
  {
    name: 'operation ids are case-folded',
    clause: 'TXN-2',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      right.applyHistoryTransaction({ operationId: operationId.toLowerCase(), transaction }),
    ),
  },
  {
    name: 'a compaction forgets the operations',
    clause: 'TXN-2',
    over: 'memory',
    session: (right) => ({
      replaceHistoryWithCompaction: async (items, options) => {
        await right.clearSession();
        await right.addItems(items, options);
      },
    }),
  },
  {
    name: 'a clear keeps the operations',
    clause: 'TXN-2',
    over: 'memory',
    store: keepsOperations,
  },
  {
    name: 'a clear forgets the operations a little later',
    clause: 'TXN-2',
    over: 'memory',
    store: keepsOperations,
    session: forgets((forget) => void setTimeout(forget, 20)),
  },
  {
    name: 'a clear forgets the operations in a second step, and those that came in between',
    clause: 'TXN-2',
    over: 'memory',
    store: keepsOperations,
    session: forgets(async (forget) => {
      await turn();
      forget();
    }),
  },
  {
    name: 'the same transaction with its keys in another order is another one',
    clause: 'TXN-2',
    over: 'memory',
    session: (right, { request }) => ({
      applyHistoryTransaction: async (args, options) => {
        const texts = textsOf(request);
        const text = JSON.stringify(args.transaction);
        if ((texts.get(args.operationId) ?? text) !== text) throw new SessionError('OPERATION_CONFLICT');
        await right.applyHistoryTransaction(args, options);
        texts.set(args.operationId, text);
      },
    }),
  },
  {
    name: 'another transaction under a known id is passed over',
    clause: 'TXN-3',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      retelling(right.applyHistoryTransaction({ operationId, transaction }), (error) => {
        if (error.code !== 'OPERATION_CONFLICT') throw error;
      }),
    ),
  },
  {
    name: 'a replacement under the id of an append of the same items is the same',
    clause: 'TXN-3',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      transaction.type === 'replace_suffix' && transaction.expectedSuffix.length === 0
        ? right.applyHistoryTransaction({
            operationId,
            transaction: { type: 'append_items', items: transaction.replacement },
          })
        : right.applyHistoryTransaction({ operationId, transaction }),
    ),
  },
  {
    name: 'a suffix that does not match is passed over',
    clause: 'TXN-3',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      retelling(right.applyHistoryTransaction({ operationId, transaction }), (error) => {
        if (error.code !== 'SUFFIX_MISMATCH') throw error;
      }),
    ),
  },
  {
    name: 'of a suffix that does not match the replacement is appended',
    clause: 'TXN-3',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      retelling(right.applyHistoryTransaction({ operationId, transaction }), async (error) => {
        if (error.code === 'SUFFIX_MISMATCH' && transaction.type === 'replace_suffix')
          await right.addItems(transaction.replacement);
        throw error;
      }),
    ),
  },
  {
    name: 'an operation whose suffix does not match is recorded',
    clause: 'TXN-3',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      retelling(right.applyHistoryTransaction({ operationId, transaction }), async (error) => {
        if (error.code === 'SUFFIX_MISMATCH') await right.applyHistoryTransaction(recordOnly(operationId));
        throw error;
      }),
    ),
  },
  {
    name: 'of a suffix the newest item is compared',
    clause: 'TXN-3',
    over: 'memory',
    session: applies(async (right, operationId, transaction) => {
      if (transaction.type !== 'replace_suffix' || transaction.expectedSuffix.length === 0)
        return right.applyHistoryTransaction({ operationId, transaction });
      const found = await right.getItems(transaction.expectedSuffix.length);
      const isSame = JSON.stringify(found.at(-1)) === JSON.stringify(transaction.expectedSuffix.at(-1));
      const expectedSuffix = isSame ? (found as object[]) : transaction.expectedSuffix;
      return right.applyHistoryTransaction({ operationId, transaction: { ...transaction, expectedSuffix } });
    }),
  },
  {
    name: 'a suffix is looked for anywhere',
    clause: 'TXN-3',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      retelling(right.applyHistoryTransaction({ operationId, transaction }), async (error) => {
        if (error.code !== 'SUFFIX_MISMATCH' || transaction.type !== 'replace_suffix') throw error;
        const texts = (await right.getItems()).map((item) => JSON.stringify(item));
        const isThere = transaction.expectedSuffix.every((item) => texts.includes(JSON.stringify(item)));
        if (!isThere) throw error;
      }),
    ),
  },
  {
    name: 'an empty append is not recorded',
    clause: 'TXN-4',
    over: 'memory',
    session: applies(async (right, operationId, transaction) => {
      if (transaction.type === 'append_items' && transaction.items.length === 0) return;
      await right.applyHistoryTransaction({ operationId, transaction });
    }),
  },
  {
    name: 'a blank operation id is taken',
    clause: 'TXN-4',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      right.applyHistoryTransaction({ operationId: operationId.trim() || 'blank', transaction }),
    ),
  },
  {
    name: 'extra fields are passed over',
    clause: 'TXN-4',
    over: 'memory',
    session: applies((right, operationId, transaction) => {
      const { type, items } = transaction as { type: string; items?: unknown[] };
      const isAppend = type === 'append_items' && items !== undefined;
      const fields = isAppend ? { type, items } : transaction;
      return right.applyHistoryTransaction({ operationId, transaction: fields as typeof transaction });
    }),
  },
  {
    name: 'a transaction of an unknown type does nothing',
    clause: 'TXN-4',
    over: 'memory',
    session: applies(async (right, operationId, transaction) => {
      if (!['append_items', 'replace_suffix', undefined].includes(transaction.type)) return;
      await right.applyHistoryTransaction({ operationId, transaction });
    }),
  },
  {
    name: 'an operation is recorded before its items are checked',
    clause: 'TXN-4',
    over: 'memory',
    session: applies((right, operationId, transaction) =>
      retelling(right.applyHistoryTransaction({ operationId, transaction }), async (error) => {
        if (error.code === 'INVALID_ITEM') await right.applyHistoryTransaction(recordOnly(operationId));
        throw error;
      }),
    ),
  },
  {
    name: 'the operation id is read twice',
    clause: 'TXN-4',
    over: 'memory',
    session: (right) => ({
      applyHistoryTransaction: async (args, options) => {
        if (args?.operationId === undefined) throw new SessionError('INVALID_ARGUMENT');
        await right.applyHistoryTransaction(args, options);
      },
    }),
  },
  {
    name: 'the arguments are read after the first await',
    clause: 'TXN-4',
    over: 'memory',
    session: (right) => ({
      applyHistoryTransaction: async (args, options) => {
        await undefined;
        await right.applyHistoryTransaction(args, options);
      },
    }),
  },
];

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
