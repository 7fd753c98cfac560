import type {
  AnySession,
  Capabilities,
  Clause,
  CompactingSession,
  CompactionPart,
  CompactionWish,
  Connection,
  ConversationsClient,
  ConversationsWish,
  SessionRequest,
} from '@sessions/conformance';
import type { HistoryStore } from '@sessions/core/store';
import type { PlainConversations } from './plain-conversations.ts';

type Method =
  | 'getSessionId'
  | 'getItems'
  | 'addItems'
  | 'popItem'
  | 'clearSession'
  | 'applyHistoryTransaction'
  | 'applyHistoryMutations'
  | 'replaceHistoryWithCompaction'
  | 'close';

/** The methods of a right session, as they were before a mutant took their place. */
export type RightSession = Required<Pick<AnySession, Method>>;

/** What a wrong session may need beside the right one. */
export interface Around {
  readonly request: SessionRequest;
  /** One more right session on the same client, asked for with these changes. */
  again(change?: Partial<SessionRequest>): RightSession;
  /** The client, unless it is the session's own. */
  readonly connection: Connection | undefined;
}

/** What a store does differently; made once for each store, which is once for each session object. */
export type StoreMutation = (right: HistoryStore) => Partial<HistoryStore>;

/** What a session does differently; made once for each session object. */
export type SessionMutation = (right: RightSession, around: Around) => Partial<AnySession>;

/** What is laid over a session in the place of the right compaction. */
export type CompactionMutation = (
  wrap: CompactionPart['wrap'],
  session: AnySession,
  wish: CompactionWish,
) => CompactingSession;

/** What is in the place of the right session over the Conversations API; the client is the right one's. */
export type ConversationsMutation = (
  client: ConversationsClient,
  wish: ConversationsWish,
) => PlainConversations;

/** A wrong adapter: what is wrong with it, and over which right one it is laid. */
export interface Mutant {
  /** What it does wrong, in a few words. */
  readonly name: string;
  /** The clause that it breaks; a case of this clause has to find it. */
  readonly clause: Clause;
  /**
   * Memory is fast; Redis has a wire; `compaction` is memory with a wrapper that compacts, and `conversations` memory with
   * sessions over the Conversations API beside its own.
   */
  readonly over: 'memory' | 'redis' | 'compaction' | 'conversations';
  /** What is asked of the right adapter instead. */
  readonly request?: ((request: SessionRequest) => SessionRequest) | undefined;
  readonly store?: StoreMutation | undefined;
  readonly session?: SessionMutation | undefined;
  readonly compaction?: CompactionMutation | undefined;
  readonly conversations?: ConversationsMutation | undefined;
  /** Over Redis: a change of the script that makes all changes. */
  readonly script?: ((lua: string) => string) | undefined;
  /** What it declares otherwise than the right one. */
  readonly capabilities?: Partial<Capabilities> | undefined;
}
