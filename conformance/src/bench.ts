import { randomUUID } from 'node:crypto';
import type {
  Address,
  AnySession,
  Backdoor,
  ConformanceAdapter,
  Connection,
  SessionRequest,
} from './adapter.ts';
import { asksAdapter } from './adapter-failure.ts';
import { CompactionApi } from './apis/compaction-api.ts';
import { ConversationsApi } from './apis/conversations-api.ts';
import type { CompactingSession, CompactionPart, CompactionWish } from './compaction.ts';
import type {
  ConversationsClient,
  ConversationsPart,
  ConversationsSession,
  ConversationsWish,
} from './conversations.ts';
import { FaultProxy } from './fault-proxy.ts';
import { apiMessages } from './items.ts';
import { watchedBackdoor } from './watched-backdoor.ts';

/** How long all that a case opened may take to close together, in milliseconds. */
const CLOSING_MS = 10_000;

/** How a case asks for a session: like an adapter's user, but a fresh id will do. */
export type SessionWish = Partial<SessionRequest>;

/** A proxy in front of the store, and a client that goes through it. */
export interface Proxied {
  readonly proxy: FaultProxy;
  readonly connection: Connection;
}

/** What one case works with. Everything that it opens is ended after it. */
export class Bench implements AsyncDisposable {
  readonly adapter: ConformanceAdapter;
  readonly #opened: { close?(): Promise<void> }[] = [];
  #connection: Promise<Connection> | undefined;
  /** Whether clients that go through a proxy may send again by themselves what was lost. */
  resends = true;

  constructor(adapter: ConformanceAdapter) {
    this.adapter = adapter;
  }

  get backdoor(): Backdoor {
    const { backdoor } = this.adapter;
    if ('unsupported' in backdoor) throw new Error('A case that needs the backdoor ran without one.');
    // A case names what it needs of it.
    return watchedBackdoor(backdoor as Backdoor);
  }

  /** Texts in the store that show this one. */
  async contentsWith(shown: string): Promise<string[]> {
    return (await this.backdoor.contents()).filter((text) => text.includes(shown));
  }

  /** An id that nobody has used. */
  freshId(): string {
    return `kit-${randomUUID()}`;
  }

  /** A session on the case's own client. */
  async session(wish: SessionWish = {}): Promise<AnySession> {
    this.#connection ??= this.connect();
    return this.sessionOn(await this.#connection, wish);
  }

  /** The same session, through another client. */
  async elsewhere({ sessionId }: AnySession, wish: SessionWish = {}): Promise<AnySession> {
    return this.sessionOn(await this.connect(), { ...wish, sessionId });
  }

  /** A session on a given client. */
  sessionOn(connection: Connection, wish: SessionWish = {}): AnySession {
    return this.#keep(connection.session({ sessionId: this.freshId(), ...wish }));
  }

  /**
   * A session laid over with the adapter's compaction, and the API that it talks to.
   *
   * @param connection - the case's own client by default
   */
  async compacting(
    wish: Omit<CompactionWish, 'baseURL'> = {},
    sessionWish: SessionWish = {},
    connection?: Connection,
  ): Promise<{ session: CompactingSession; api: CompactionApi }> {
    const api = this.#keep(await CompactionApi.start());
    const session = connection ? this.sessionOn(connection, sessionWish) : await this.session(sessionWish);
    return { session: this.compactingOver(session, api, wish), api };
  }

  /** One more wrapper, over a session that there is. */
  compactingOver(
    session: AnySession,
    api: CompactionApi,
    wish: Omit<CompactionWish, 'baseURL'> = {},
  ): CompactingSession {
    // A case names what it needs.
    const { wrap } = this.adapter.compaction as CompactionPart;
    return wrap(session, { baseURL: api.baseURL, ...wish });
  }

  /**
   * A session over the Conversations API, which the kit plays, and the client that it talks through.
   *
   * @param count - how many messages (m0, m1, …) its conversation holds; if left out, it has none yet
   */
  async conversing(
    wish: Omit<ConversationsWish, 'baseURL'> = {},
    count?: number,
  ): Promise<{ session: ConversationsSession; client: ConversationsClient; api: ConversationsApi }> {
    const api = this.#keep(await ConversationsApi.start());
    const conversationId = count === undefined ? undefined : api.begin(apiMessages(0, count));
    // A case names what it needs.
    const { open } = this.adapter.conversations as ConversationsPart;
    const { session, client } = open({ baseURL: api.baseURL, conversationId, ...wish });
    this.#keep(session);
    return { session, client, api };
  }

  /** One more client. */
  async connect(address?: Address): Promise<Connection> {
    return this.#keep(await asksAdapter('open()', () => this.adapter.open(address)));
  }

  /** A client whose connection to the store the case can watch and break. */
  async proxied(): Promise<Proxied> {
    const proxy = await this.proxy();
    if (this.resends) return { proxy, connection: await this.connect(proxy.address) };
    const open = () => this.#wire().openWithoutResending!(proxy.address);
    return { proxy, connection: this.#keep(await asksAdapter('wire.openWithoutResending()', open)) };
  }

  /** A proxy in front of the store. */
  async proxy(): Promise<FaultProxy> {
    return this.#keep(await FaultProxy.before(this.#wire().address));
  }

  /** A session with a client of its own, which goes through a proxy. */
  own(proxy: FaultProxy, wish: SessionWish = {}): AnySession {
    return this.#keep(this.#wire().own({ sessionId: this.freshId(), ...wish }, proxy.address));
  }

  /** The store refuses writes for a while, or takes them again; it does at the end of the case. */
  async throttle(refuses: boolean): Promise<void> {
    const { backdoor } = this;
    if (refuses) this.#keep({ close: () => backdoor.throttle!(false) });
    await backdoor.throttle!(refuses);
  }

  /** Closes everything, the latest first. What does not come to its end in time is left behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSING_MS);
    });
    for (const opened of this.#opened.reverse()) await Promise.race([closed(opened), late]);
    clearTimeout(timer);
  }

  #keep<T extends { close?(): Promise<void> }>(opened: T): T {
    this.#opened.push(opened);
    return opened;
  }

  #wire() {
    const { wire } = this.adapter;
    if ('unsupported' in wire) throw new Error('A case that needs the wire ran without one.');
    return wire;
  }
}

async function closed(opened: { close?(): Promise<void> }): Promise<void> {
  try {
    await opened?.close?.();
  } catch {
    // The case has said what there is to say.
  }
}
