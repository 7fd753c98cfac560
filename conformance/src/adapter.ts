import type {
  HistoryReplaceAwareSession,
  HistoryRewriteAwareSession,
  HistoryTransactionAwareSession,
  ProtocolVersion,
  Session,
  SessionSettings,
} from '@sessions/core';
import type { Clause } from './clauses.ts';
import type { CompactionPart } from './compaction.ts';
import type { ConversationsPart } from './conversations.ts';
import type { ProcessOpening } from './races/process-opening.ts';

/** A thing that an adapter, or its store, does not have, and why. */
export interface Unsupported {
  readonly unsupported: string;
}

/** What a store, or its engine, does wrong or cannot do, so that no adapter could keep the promise on it. */
export interface StoreGap {
  readonly clause: Clause;
  /** The one case that it is about; all of the clause's, if left out. */
  readonly title?: string | undefined;
  /** What the store does, with its name, so that a reader can look it up or try it. */
  readonly reason: string;
}

/** What the contract leaves open to an adapter (marked ◇ there). For what is unsupported the method must be absent. */
export interface Capabilities {
  /** TXN: `applyHistoryTransaction`. */
  readonly transactions: true | Unsupported;
  /** RWR: `applyHistoryMutations`. */
  readonly rewrites: true | Unsupported;
  /** RPL: `replaceHistoryWithCompaction`. */
  readonly replacement: true | Unsupported;
  /** TTL: `ttlSeconds` and `refreshTtlOnRead`. */
  readonly expiry: true | Unsupported;
}

/** What a session has that can be closed. */
export interface Closable extends AsyncDisposable {
  close(): Promise<void>;
}

/** Any session, with whatever it has beyond the protocol's own methods. */
export type AnySession = Session<unknown> &
  Partial<HistoryTransactionAwareSession<unknown>> &
  Partial<HistoryRewriteAwareSession<unknown>> &
  Partial<HistoryReplaceAwareSession<unknown>> &
  Partial<Closable>;

/** How the kit wants a session built. */
export interface SessionRequest {
  readonly sessionId: string;
  /** The prefix, table or collection; the adapter's own when left out. */
  readonly namespace?: string | undefined;
  readonly sessionSettings?: SessionSettings | undefined;
  readonly ttlSeconds?: number | undefined;
  readonly refreshTtlOnRead?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

/** A client of the store, which all sessions built on it share. */
export interface Connection {
  /** Builds a session with this client handed in. Throws what the adapter's constructor throws. */
  session(request: SessionRequest): AnySession;
  /** Ends the client. */
  close(): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** How the kit reaches the wire between an adapter and its store. */
export interface Wire {
  /** Where the store listens. */
  readonly address: Address;
  /** A session with a client of its own, which connects to `address` (a proxy of the kit's). */
  own(request: SessionRequest, address: Address): AnySession;
  /**
   * Opens a client to `address` that sends nothing again by itself: what is lost fails, and to try again is the
   * adapter's. Left out where there is no such client.
   */
  openWithoutResending?(address: Address): Promise<Connection>;
}

/** What the kit does behind an adapter's back. */
export interface Backdoor {
  /**
   * Appends a record to what is stored of a session that has items already: one that nobody can read (`damaged`), or
   * one that a newer version wrote (`held`).
   */
  plant(sessionId: string, kind: 'damaged' | 'held'): Promise<void>;
  /** All texts in the store, names and values, of every session that the kit made. */
  contents(): Promise<string[]>;
  /** The stored texts of a session's items, oldest first. */
  records(sessionId: string): Promise<string[]>;
  /**
   * For adapters with an expiry: milliseconds that each record of a session has left, everything counted that holds
   * content or operations.
   */
  lifetimes?(sessionId: string): Promise<number[]>;
  /**
   * Where the store can be made to: from now on it refuses writes for a while, as one that is overloaded does, or
   * takes them again.
   */
  throttle?(refuses: boolean): Promise<void>;
  /**
   * Ends the store as a crash does, and starts it again with its data, at the same address. It answers when this
   * resolves.
   */
  restart?(): Promise<void>;
  /**
   * Where the store removes things by itself when their time has come: it removes at once what it may within so many
   * milliseconds, whosever it is, and no clock moves.
   */
  removeDue?(ms: number): Promise<void>;
  /** Makes the store drop what it keeps to save its clients work: scripts, prepared statements. */
  forget?(): Promise<void>;
}

/** An adapter, as the kit takes it. */
export interface ConformanceAdapter {
  readonly name: string;
  /** The version of the protocol that the adapter was built for. One that the kit's core does not keep is not tried. */
  readonly protocolVersion?: ProtocolVersion | undefined;
  /** The store and its version, for the report. */
  readonly store: string;
  readonly capabilities: Capabilities;
  /** Opens one more client, independent of the others, to one and the same store. */
  open(address?: Address): Promise<Connection>;
  readonly wire: Wire | Unsupported;
  /** How other operating-system processes get at the same store. */
  readonly processes: ProcessOpening | Unsupported;
  /** All of it, or what of it there is. */
  readonly backdoor: { readonly [Name in keyof Backdoor]: Backdoor[Name] | Unsupported } | Unsupported;
  /** Only where sessions cannot be kept apart by `namespace`, and why. */
  readonly namespaces?: Unsupported | undefined;
  /** Only where sessions have neither `close()` nor `Symbol.asyncDispose`, and why. */
  readonly closing?: Unsupported | undefined;
  /** Only for a wrapper that compacts histories (CMP): how the kit gets at it. */
  readonly compaction?: CompactionPart | Unsupported | undefined;
  /** Only for sessions over OpenAI's Conversations API (CONV): how the kit gets at them. */
  readonly conversations?: ConversationsPart | Unsupported | undefined;
  /**
   * Cases that the store cannot stand, whatever the adapter does. They are not run, stand in the report with their reason,
   * and keep an adapter from a level that asks for their clause.
   */
  readonly gaps?: readonly StoreGap[] | undefined;
}

/** An adapter on a running store, and how to end both. */
export interface StartedAdapter {
  readonly adapter: ConformanceAdapter;
  stop(): Promise<void>;
}
