import type { AnySession, ConformanceAdapter, Connection, SessionRequest } from '@sessions/conformance';
import { COPIES, type Copy, type HistoryStore } from '@sessions/core/store';
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

/** A store whose records are copies, or texts. */
export type AnyStore = HistoryStore<Copy | string>;

/**
 * Until it is disposed of, every store of the class is the mutant's. Adapters build their stores themselves, so it is
 * the class that has to change; only one mutant at a time is tried.
 */
export function mutateStores(stores: AnyStore, mutation: StoreMutation | undefined): Disposable {
  const { read, commit } = stores;
  if (mutation) {
    const made = new WeakMap<AnyStore, HistoryStore>();
    const wrong = (store: AnyStore): HistoryStore => {
      let mutated = made.get(store);
      if (!mutated) {
        const right = asTexts({ read: read.bind(store), commit: commit.bind(store) });
        mutated = { ...right, ...mutation(right) };
        made.set(store, mutated);
      }
      return mutated;
    };
    stores.read = function (query, call) {
      return wrong(this).read(query, call);
    };
    stores.commit = function (change, call) {
      return wrong(this).commit({ ...change, add: change.add.map(COPIES.text) }, call);
    };
  }
  return {
    [Symbol.dispose]: () => void Object.assign(stores, { read, commit }),
  };
}

/** The same store with texts for records, which is what mutants are written for. */
function asTexts(store: AnyStore): HistoryStore {
  return {
    async read(query, call) {
      const { records, ...rest } = await store.read(query, call);
      return { ...rest, records: records.map(COPIES.text) };
    },
    async commit(change, call) {
      const { popped } = await store.commit(change, call);
      return popped === undefined ? {} : { popped: COPIES.text(popped) };
    },
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
