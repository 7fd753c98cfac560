import type { AnySession, ConformanceAdapter, Connection, SessionRequest } from '@sessions/conformance';
import type { HistoryStore } from '@sessions/core/store';
import type { Mutant, RightSession, StoreMutation } from './mutant.ts';
import { asSession } from './plain-conversations.ts';

/** The adapter with the mutant's requests, sessions and capabilities laid over its own. */
export function mutate(adapter: ConformanceAdapter, mutant: Partial<Mutant>): ConformanceAdapter {
  const { wire, compaction, conversations } = adapter;
  const wrong = (
    request: SessionRequest,
    build: (request: SessionRequest) => AnySession,
    connection?: Connection,
  ): AnySession => {
    const asked = mutant.request?.(request) ?? request;
    const session = build(asked);
    const again = (change: Partial<SessionRequest> = {}) => rightOf(build({ ...asked, ...change }));
    const changes = mutant.session?.(rightOf(session), { request: asked, again, connection });
    // Laid over the object itself, since no other object may use its private fields.
    return Object.assign(session, { sessionId: request.sessionId }, changes);
  };
  const wrongly = (right: Connection): Connection => ({
    session: (request) => wrong(request, (asked) => right.session(asked), right),
    close: () => right.close(),
  });
  return {
    ...adapter,
    capabilities: { ...adapter.capabilities, ...mutant.capabilities },
    compaction:
      mutant.compaction && compaction && 'wrap' in compaction
        ? { wrap: (session, wish) => mutant.compaction!(compaction.wrap, session, wish) }
        : compaction,
    conversations:
      mutant.conversations && conversations && 'open' in conversations
        ? {
            open(wish) {
              const { client } = conversations.open(wish);
              return { session: asSession(mutant.conversations!(client, wish)), client };
            },
          }
        : conversations,
    open: async (address) => wrongly(await adapter.open(address)),
    wire:
      'unsupported' in wire
        ? wire
        : {
            ...wire,
            own: (request, address) => wrong(request, (asked) => wire.own(asked, address)),
            openWithoutResending: async (address) => wrongly(await wire.openWithoutResending!(address)),
          },
  };
}

/**
 * Until it is disposed of, every store of the class is the mutant's. Adapters build their stores themselves, so it is
 * the class that has to change; only one mutant at a time is tried.
 */
export function mutateStores(stores: HistoryStore, mutation: StoreMutation | undefined): Disposable {
  const { read, commit } = stores;
  if (mutation) {
    const made = new WeakMap<HistoryStore, HistoryStore>();
    const wrong = (store: HistoryStore): HistoryStore => {
      let mutated = made.get(store);
      if (!mutated) {
        const right = { read: read.bind(store), commit: commit.bind(store) };
        mutated = { ...right, ...mutation(right) };
        made.set(store, mutated);
      }
      return mutated;
    };
    stores.read = function (query, call) {
      return wrong(this).read(query, call);
    };
    stores.commit = function (change, call) {
      return wrong(this).commit(change, call);
    };
  }
  return {
    [Symbol.dispose]: () => void Object.assign(stores, { read, commit }),
  };
}

function rightOf(session: AnySession): RightSession {
  return {
    getSessionId: session.getSessionId.bind(session),
    getItems: session.getItems.bind(session),
    addItems: session.addItems.bind(session),
    popItem: session.popItem.bind(session),
    clearSession: session.clearSession.bind(session),
    applyHistoryTransaction: session.applyHistoryTransaction!.bind(session),
    applyHistoryMutations: session.applyHistoryMutations!.bind(session),
    replaceHistoryWithCompaction: session.replaceHistoryWithCompaction!.bind(session),
    close: session.close!.bind(session),
  };
}
