import { describe, expect, it } from 'vitest';
import type { HistoryTransaction } from '../src/index.ts';
import { contentOf, m, open, rejectionOf, rowsOf } from './support/sessions.ts';

type Transaction = HistoryTransaction<unknown>;

const append = (...items: unknown[]): Transaction => ({ type: 'append_items', items });
const replace = (expectedSuffix: unknown[], replacement: unknown[]): Transaction => {
  return { type: 'replace_suffix', expectedSuffix, replacement };
};

describe('arguments of a transaction', () => {
  const fine = { operationId: 'op', transaction: append(m(1)) };

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an array', [fine]],
    ['a string', 'op'],
    ['no fields', {}],
    ['an empty id', { ...fine, operationId: '' }],
    ['a blank id', { ...fine, operationId: ' \t\n\u00a0' }],
    ['no id', { transaction: fine.transaction }],
    ['a number for an id', { ...fine, operationId: 5 }],
    ['an object for an id', { ...fine, operationId: { $ne: null } }],
    ['null for an id', { ...fine, operationId: null }],
    ['no transaction', { operationId: 'op' }],
    ['null for a transaction', { operationId: 'op', transaction: null }],
    ['an array for a transaction', { operationId: 'op', transaction: [m(1)] }],
    ['a string for a transaction', { operationId: 'op', transaction: 'append_items' }],
    ['an extra field', { ...fine, extra: 1 }],
    ['an extra field that is undefined', { ...fine, extra: undefined }],
    ['an extra symbol', { ...fine, [Symbol('extra')]: 1 }],
    ['no type', { operationId: 'op', transaction: { items: [] } }],
    ['an unknown type', { operationId: 'op', transaction: { type: 'prepend_items', items: [] } }],
    ['a type from a prototype', { operationId: 'op', transaction: { type: 'constructor', items: [] } }],
    ['no items', { operationId: 'op', transaction: { type: 'append_items' } }],
    ['items that are no array', { operationId: 'op', transaction: { type: 'append_items', items: m(1) } }],
    ['an extra field of an append', { operationId: 'op', transaction: { ...append(), extra: 1 } }],
    ['an extra symbol of an append', { operationId: 'op', transaction: { ...append(), [Symbol('x')]: 1 } }],
    ['a suffix of an append', { operationId: 'op', transaction: { ...append(), expectedSuffix: [] } }],
    ['no suffix', { operationId: 'op', transaction: { type: 'replace_suffix', replacement: [] } }],
    ['no replacement', { operationId: 'op', transaction: { type: 'replace_suffix', expectedSuffix: [] } }],
    ['an extra field of a replacement', { operationId: 'op', transaction: { ...replace([], []), extra: 1 } }],
    ['items of a replacement', { operationId: 'op', transaction: { ...replace([], []), items: [] } }],
    ['a suffix that is no array', { operationId: 'op', transaction: replace(m(1) as never, []) }],
    ['a replacement that is no array', { operationId: 'op', transaction: replace([], 'text' as never) }],
  ])('TXN-4 refuses %s before any call', async (_, args) => {
    const { session, store } = open();
    const error = await rejectionOf(session.applyHistoryTransaction(args as typeof fine));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', adapter: 'scripted', retryable: false });
    expect(store.calls).toBe(0);
  });

  it.each<[string, Transaction]>([
    ['the items of an append', append(m(1), { bad: () => 1 })],
    ['the suffix', replace([m(1), { bad: () => 1 }], [])],
    ['the replacement', replace([], [m(1), { bad: () => 1 }])],
  ])('TXN-4 ADD-5 refuses what cannot be stored in %s before any call', async (_, transaction) => {
    const { session, store } = open();
    const error = await rejectionOf(session.applyHistoryTransaction({ operationId: 'op', transaction }));
    expect(error).toMatchObject({ code: 'INVALID_ITEM', index: 1, path: '.bad' });
    expect(store.calls).toBe(0);
  });

  /** Counts how often each property is read. */
  function counted<T extends object>(target: T, reads: Map<string, number>, name: string): T {
    return new Proxy(target, {
      get(owner, key, receiver) {
        reads.set(`${name}.${String(key)}`, (reads.get(`${name}.${String(key)}`) ?? 0) + 1);
        return Reflect.get(owner, key, receiver) as unknown;
      },
    });
  }

  it.each<[string, Transaction]>([
    ['an append', append(m(1))],
    ['a replacement', replace([m(0)], [m(1)])],
  ])('TXN-4 reads each property of %s once', async (_, transaction) => {
    const { session, store } = open();
    store.records = rowsOf(m(0));
    const reads = new Map<string, number>();
    const args = counted(
      { operationId: 'op', transaction: counted(transaction, reads, 'transaction') },
      reads,
      'args',
    );
    await session.applyHistoryTransaction(args);
    expect([...reads.keys()].sort()).toEqual(
      [
        'args.operationId',
        'args.transaction',
        ...Object.keys(transaction).map((key) => `transaction.${key}`),
      ].sort(),
    );
    expect([...reads.values()].filter((count) => count !== 1)).toEqual([]);
  });

  it('TXN-4 cannot be shown one value for the check and another for the store', async () => {
    const { session, store } = open();
    let reads = 0;
    const args = {
      get operationId() {
        return reads++ === 0 ? 'op' : '';
      },
      transaction: {
        type: 'append_items' as const,
        get items() {
          return reads++ === 1 ? [m(1)] : [() => 1];
        },
      },
    };
    await session.applyHistoryTransaction(args);
    expect(reads).toBe(2);
    expect([...store.operations.keys()]).toEqual(['op']);
    expect(contentOf(store)).toEqual([m(1)]);
  });

  it('TXN-4 reads each item once', async () => {
    const { session } = open();
    const reads = new Map<string, number>();
    await session.applyHistoryTransaction({
      operationId: 'op',
      transaction: { type: 'append_items', items: counted([m(1), m(2)], reads, 'items') },
    });
    expect([reads.get('items.0'), reads.get('items.1'), reads.get('items.length')]).toEqual([1, 1, 1]);
  });

  it('ADD-4 TXN-4 takes the items as they were when it was called', async () => {
    const { session, store } = open();
    const item = { content: 'before' };
    const transaction = append(item) as { items: unknown[] } & Transaction;
    const applying = session.applyHistoryTransaction({ operationId: 'op', transaction });
    item.content = 'after';
    transaction.items.push(m(2));
    await applying;
    expect(contentOf(store)).toEqual([{ content: 'before' }]);
  });
});
