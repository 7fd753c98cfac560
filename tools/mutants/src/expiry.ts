import type { SessionRequest } from '@sessions/conformance';
import type { Mutant } from './mutant.ts';
import { replacing } from './mutate-redis.ts';
import { sharedByInstances } from './shared-by-instances.ts';

/** A session with another expiry than it was asked for, if it was asked for one. */
function expires(
  change: (seconds: number) => number | undefined,
): (request: SessionRequest) => SessionRequest {
  return (request) => ({
    ...request,
    ttlSeconds: request.ttlSeconds === undefined ? undefined : change(request.ttlSeconds),
  });
}

const NEVER = { ttlSeconds: undefined };

const itemsOf = sharedByInstances((): unknown[] => []);
const operationsOf = sharedByInstances(() => new Set<string>());

export const expiryMutants: readonly Mutant[] = [
  {
    name: 'an end that a read made earlier is not that of the next write',
    clause: 'TTL-2',
    over: 'memory',
    session: (right, { request, again }) => ({
      getItems: async (limit, options) => {
        const { ttlSeconds, refreshTtlOnRead } = request;
        const isShort = refreshTtlOnRead && ttlSeconds !== undefined && ttlSeconds < 10;
        return isShort
          ? again({ refreshTtlOnRead: false }).getItems(limit, options)
          : right.getItems(limit, options);
      },
    }),
  },
  { name: 'there is no expiry', clause: 'TTL-1', over: 'memory', request: expires(() => undefined) },
  {
    name: 'seconds are taken for milliseconds',
    clause: 'TTL-1',
    over: 'memory',
    request: expires((seconds) => seconds / 1_000),
  },
  {
    name: 'a pop does not move the expiry',
    clause: 'TTL-1',
    over: 'memory',
    session: (_, { again }) => ({ popItem: (options) => again(NEVER).popItem(options) }),
  },
  {
    name: 'a pop by an instance without an expiry takes it off',
    clause: 'TTL-1',
    over: 'memory',
    session: (right, { request }) => ({
      popItem: async (options) => {
        const popped = await right.popItem(options);
        if (request.ttlSeconds !== undefined || popped === undefined) return popped;
        const left = await right.getItems(Number.POSITIVE_INFINITY);
        await right.clearSession();
        await right.addItems(left);
        return popped;
      },
    }),
  },
  {
    name: 'operations of an instance without an expiry have none',
    clause: 'TTL-1',
    over: 'redis',
    script: replacing('(empties or operation)', 'empties'),
  },
  {
    name: 'a compaction does not move the expiry',
    clause: 'TTL-1',
    over: 'memory',
    session: (_, { again }) => ({
      replaceHistoryWithCompaction: (items, options) =>
        again(NEVER).replaceHistoryWithCompaction(items, options),
    }),
  },
  {
    name: 'a transaction does not move the expiry',
    clause: 'TTL-1',
    over: 'memory',
    session: (_, { again }) => ({
      applyHistoryTransaction: (args, options) => again(NEVER).applyHistoryTransaction(args, options),
    }),
  },
  {
    name: 'a rewrite does not move the expiry',
    clause: 'TTL-1',
    over: 'memory',
    session: (_, { again }) => ({
      applyHistoryMutations: (args, options) => again(NEVER).applyHistoryMutations(args, options),
    }),
  },
  {
    name: 'only the first write sets the expiry',
    clause: 'TTL-1',
    over: 'memory',
    session: (right, { again }) => ({
      addItems: async (items, options) => {
        const isFirst = (await right.getItems(1)).length === 0;
        await (isFirst ? right : again(NEVER)).addItems(items, options);
      },
    }),
  },
  {
    name: 'a read moves the expiry, though it was not asked to',
    clause: 'TTL-1',
    over: 'memory',
    request: (request) => ({ ...request, refreshTtlOnRead: true }),
  },
  {
    name: 'a read never moves the expiry',
    clause: 'TTL-1',
    over: 'memory',
    request: (request) => ({ ...request, refreshTtlOnRead: false }),
  },
  {
    name: 'a pop that finds nothing moves the expiry',
    clause: 'TTL-1',
    over: 'memory',
    session: (right, { again }) => ({
      popItem: async (options) => {
        await again({ refreshTtlOnRead: true }).getItems(1);
        return right.popItem(options);
      },
    }),
  },
  {
    name: 'an instance without an expiry takes that of the session away',
    clause: 'TTL-1',
    over: 'memory',
    request: (request) => ({ ...request, ttlSeconds: request.ttlSeconds ?? 1_000_000 }),
  },
  {
    // Whoever is killed between the two leaves a session that never expires.
    name: 'the expiry is set in a second call',
    clause: 'TTL-1',
    over: 'redis',
    session: (_, { again, request }) => ({
      addItems: async (items, options) => {
        await again(NEVER).addItems(items, options);
        if (request.ttlSeconds !== undefined && items.length > 0)
          await again({ refreshTtlOnRead: true }).getItems(1);
      },
    }),
  },
  {
    name: 'what has expired is read until somebody sweeps',
    clause: 'TTL-2',
    over: 'memory',
    request: expires((seconds) => seconds + 60),
  },
  {
    name: 'a write brings back what has expired',
    clause: 'TTL-2',
    over: 'memory',
    session: (right, { request }) => {
      const written = itemsOf(request);
      return {
        addItems: async (items, options) => {
          const isEmpty = (await right.getItems(1)).length === 0;
          await right.addItems(isEmpty ? [...written, ...items] : items, options);
          written.push(...items);
        },
      };
    },
  },
  {
    name: 'operations outlive the items',
    clause: 'TTL-2',
    over: 'memory',
    session: (right, { request }) => {
      const operations = operationsOf(request);
      return {
        applyHistoryTransaction: async (args, options) => {
          if (operations.has(args.operationId)) return;
          await right.applyHistoryTransaction(args, options);
          operations.add(args.operationId);
        },
      };
    },
  },
  {
    name: 'a rewrite of what expired meanwhile leaves the rewritten call',
    clause: 'TTL-2',
    over: 'redis',
    session: (right) => ({
      applyHistoryMutations: async (args, options) => {
        const before = await right.getItems(Number.POSITIVE_INFINITY);
        await right.applyHistoryMutations(args, options);
        const isOver = before.length > 0 && (await right.getItems(1)).length === 0;
        if (isOver) await right.addItems(args.mutations.map(({ replacement }) => replacement));
      },
    }),
  },
  {
    name: 'a session expires so long after its first write, whatever came later',
    clause: 'TTL-2',
    over: 'memory',
    session: (right, { again }) => ({
      addItems: async (items, options) => {
        const isFirst = (await right.getItems(1)).length === 0;
        await (isFirst ? right : again(NEVER)).addItems(items, options);
      },
    }),
  },
];
