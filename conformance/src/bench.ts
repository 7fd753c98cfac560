import { randomUUID } from 'node:crypto';
import type {
  Address,
  AnySession,
  Backdoor,
  ConformanceAdapter,
  Connection,
  SessionRequest,
} from './adapter.ts';
import { FaultProxy } from './fault-proxy.ts';

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
  readonly #opened: { close(): Promise<void> }[] = [];
  #connection: Promise<Connection> | undefined;

  constructor(adapter: ConformanceAdapter) {
    this.adapter = adapter;
  }

  get backdoor(): Backdoor {
    return this.adapter.backdoor;
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

  /** One more client. */
  async connect(address?: Address): Promise<Connection> {
    return this.#keep(await this.adapter.open(address));
  }

  /** A client whose connection to the store the case can watch and break. */
  async proxied(): Promise<Proxied> {
    const proxy = await this.proxy();
    return { proxy, connection: await this.connect(proxy.address) };
  }

  /** A proxy in front of the store. */
  async proxy(): Promise<FaultProxy> {
    return this.#keep(await FaultProxy.before(this.#wire().address));
  }

  /** A session with a client of its own, which goes through a proxy. */
  own(proxy: FaultProxy, wish: SessionWish = {}): AnySession {
    return this.#keep(this.#wire().own({ sessionId: this.freshId(), ...wish }, proxy.address));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opened of this.#opened.reverse()) {
      await opened.close().catch(() => undefined);
    }
  }

  #keep<T extends { close(): Promise<void> }>(opened: T): T {
    this.#opened.push(opened);
    return opened;
  }

  #wire() {
    const { wire } = this.adapter;
    if ('unsupported' in wire) throw new Error('A case that needs the wire ran without one.');
    return wire;
  }
}
