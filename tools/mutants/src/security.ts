import { posix } from 'node:path';
import { inspect } from 'node:util';
import type { SessionRequest } from '@sessions/conformance';
import { SessionError } from '@sessions/core';
import { entries, inside, takes } from './changed-items.ts';
import { retelling, throwLike } from './errors-retold.ts';
import type { Mutant } from './mutant.ts';
import { underId } from './under-id.ts';

/** An id that is a pattern is the first id known that it matches. */
function firstMatching(): (request: SessionRequest) => SessionRequest {
  const known = new Set<string>();
  return (request) => {
    const { sessionId } = request;
    const isPattern = /[*?[]/.test(sessionId);
    const match = isPattern ? [...known].find((id) => posix.matchesGlob(id, sessionId)) : undefined;
    if (!isPattern) known.add(sessionId);
    return { ...request, sessionId: match ?? sessionId };
  };
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const securityMutants: readonly Mutant[] = [
  {
    name: 'the message of an error shows the items',
    clause: 'SEC-1',
    over: 'memory',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) =>
          throwLike(error, { message: `${error.message} ${inspect(items)}` }),
        ),
    }),
  },
  {
    name: 'the cause of an error carries the items',
    clause: 'SEC-1',
    over: 'memory',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) => throwLike(error, { cause: { items } })),
    }),
  },
  {
    name: 'an error repeats the limit that it was given',
    clause: 'SEC-1',
    over: 'memory',
    session: (right) => ({
      getItems: (limit, options) =>
        retelling(right.getItems(limit, options), (error) =>
          throwLike(error, { message: `${error.message} It was ${String(limit)}.` }),
        ),
    }),
  },
  {
    name: 'a conflict shows what was expected',
    clause: 'SEC-1',
    over: 'memory',
    session: (right) => ({
      applyHistoryTransaction: (args, options) =>
        retelling(right.applyHistoryTransaction(args, options), (error) =>
          throwLike(error, { message: `${error.message} ${JSON.stringify(args)}` }),
        ),
    }),
  },
  {
    name: 'what is kept of an operation shows its items',
    clause: 'SEC-1',
    over: 'memory',
    store: (right) => ({
      commit: (change, call) => {
        const operation = change.operation && { ...change.operation, digest: change.add.join() };
        return right.commit({ ...change, operation }, call);
      },
    }),
  },
  {
    name: "a failure of the store carries the driver's command",
    clause: 'SEC-1',
    over: 'redis',
    store: (right) => ({
      commit: (change, call) =>
        retelling(right.commit(change, call), (error) =>
          throwLike(
            error,
            error.code === 'OUTCOME_UNKNOWN'
              ? { cause: Object.assign(new Error('closed'), { args: change.add }) }
              : {},
          ),
        ),
    }),
  },
  {
    name: 'an operator in an item is run',
    clause: 'SEC-2',
    over: 'memory',
    session: takes(
      inside(
        entries((all) =>
          all.flatMap(([key, value]) => (key === '$set' ? Object.entries(Object(value)) : [[key, value]])),
        ),
      ),
    ),
  },
  {
    name: 'an item that looks like a command is one',
    clause: 'SEC-2',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        await right.addItems(items, options);
        const commands = items.filter(
          (item) => (Object(item) as { type?: unknown }).type === 'delete_session',
        );
        if (commands.length > 0) await right.clearSession();
      },
    }),
  },
  { name: 'an id is a pattern', clause: 'SEC-2', over: 'memory', request: firstMatching() },
  {
    name: 'an id is a path',
    clause: 'SEC-2',
    over: 'memory',
    request: underId((id) => posix.join('/', id, '.').slice(1) || id),
  },
  { name: 'an id is decoded', clause: 'SEC-2', over: 'memory', request: underId(percentDecoded) },
  {
    name: 'white space at the end of an id is not seen',
    clause: 'SEC-2',
    over: 'memory',
    request: underId((id) => id.trimEnd() || id),
  },
  {
    name: 'a long error is cut, and begins with the item',
    clause: 'SEC-1',
    over: 'memory',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), () => {
          throw new SessionError('INVALID_ITEM', { message: inspect(items).slice(0, 100) });
        }),
    }),
  },
];
