import type {
  HistoryReplaceAwareSession,
  HistoryRewriteAwareSession,
  HistorySnapshotAwareSession,
  HistoryTransactionAwareSession,
  Session,
  SessionSettings,
} from '@sessions/core';
import { invalidArgument } from '@sessions/core/store';
import { CONVERSATION } from '../conversations/conversation-mark.ts';

/** What a compaction session can be laid over: the four methods and the id, of whatever make. */
export type UnderlyingSession<TItem> = Pick<
  Session<TItem>,
  'getSessionId' | 'getItems' | 'addItems' | 'popItem' | 'clearSession'
>;

/** What a session may have beside that: the capabilities, an end, and what the official runner asks for. */
export interface Capabilities<TItem>
  extends Pick<HistoryTransactionAwareSession<TItem>, 'applyHistoryTransaction'>,
    Pick<HistoryRewriteAwareSession<TItem>, 'applyHistoryMutations'>,
    Pick<HistoryReplaceAwareSession<TItem>, 'replaceHistoryWithCompaction'>,
    Pick<HistorySnapshotAwareSession<TItem>, 'snapshotHistory'>,
    AsyncDisposable {
  close(): Promise<void>;
  prepareHistoryItemForModelInput(item: TItem): TItem;
  prepareHistoryItemsForPersistenceComparison(items: TItem[]): TItem[];
  preserveReasoningItemIdsForPersistence(): boolean;
  readonly acceptsRunContext: true;
  readonly sessionId: string;
  sessionSettings: SessionSettings | undefined;
}

export type AnyCapability<TItem> = Partial<Capabilities<TItem>>;

const METHODS = ['getSessionId', 'getItems', 'addItems', 'popItem', 'clearSession'] as const;

/**
 * Looks whether a session can be compacted at all.
 *
 * @throws SessionError `INVALID_ARGUMENT`
 */
export function checkUnderlying<TItem>(session: UnderlyingSession<TItem>): UnderlyingSession<TItem> {
  if (METHODS.some((method) => typeof (Object(session) as typeof session)[method] !== 'function')) {
    invalidArgument('`underlyingSession` must be a session', 'openai');
  }
  if (isConversation(session)) {
    invalidArgument(
      'A conversation of the Conversations API is compacted by the API itself. Use a session that stores the items',
      'openai',
    );
  }
  return session;
}

/** Ours, or the official one; each bears a mark. */
function isConversation(session: object): boolean {
  if (CONVERSATION in session) return true;
  return Object.getOwnPropertySymbols(session).some(
    (symbol) =>
      symbol.description === 'OPENAI_SESSION_API' && Reflect.get(session, symbol) === 'conversations',
  );
}
