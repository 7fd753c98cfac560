import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { Address } from './adapter.ts';

type Direction = 'request' | 'reply';

interface Link {
  readonly client: Socket;
  readonly store: Socket;
  /** What passed last. A request is what a client sends until it is answered, a reply what comes until it sends again. */
  passed: Direction | undefined;
  /** Resolves when what is delayed has arrived, for a direction in which something is. */
  readonly delayed: { [direction in Direction]?: Promise<void> };
}

/** What happens to one request or reply, once. */
interface Fault {
  readonly on: Direction;
  /** How many pass before it. */
  before: number;
  /** @param data - its beginning; all of it, unless it is large */
  happen(link: Link, data: Buffer): void;
}

/** A TCP proxy that counts what passes and breaks what it is told to. It knows nothing of the store's protocol. */
export class FaultProxy {
  readonly #target: Address;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #mode: 'pass' | 'refuse' | 'hang' = 'pass';
  #delayMs = 0;
  #fault: Fault | undefined;
  /** Bytes that clients sent, since the start. */
  sent = 0;
  /** Bytes that the store sent, since the start. */
  received = 0;

  private constructor(target: Address) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async before(target: Address): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get address(): Address {
    const { address, port } = this.#server.address() as { address: string; port: number };
    return { host: address, port };
  }

  /** How many clients are connected. */
  get clients(): number {
    return this.#links.size;
  }

  /** Everything passes again, what was held back first. A fault that has not happened yet never will. */
  pass(): void {
    this.#mode = 'pass';
    this.#delayMs = 0;
    this.#fault = undefined;
    for (const { client, store } of this.#links) {
      client.resume();
      store.resume();
    }
  }

  /** All connections drop, and new ones too, as those of a store that is down. */
  refuse(): void {
    this.#mode = 'refuse';
    this.drop();
  }

  /** Connections stand, and are taken, but nothing passes in either direction. */
  hang(): void {
    this.#mode = 'hang';
    for (const { client, store } of this.#links) {
      client.pause();
      store.pause();
    }
  }

  /** From now on all takes so much longer to arrive, in each direction; even if its sender is gone by then. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** All connections drop, once. */
  drop(): void {
    for (const link of this.#links) this.#cut(link);
  }

  /**
   * A request never reaches the store: the connection drops. Like each of the faults to come, it takes the place of
   * one that has not happened yet, and resolves when it happens.
   *
   * @param before - how many requests pass before that, of all clients together
   */
  loseNextRequest(before = 0): Promise<void> {
    return this.#next('request', before, (link) => this.#cut(link));
  }

  /** Of a request only the beginning reaches the store, then the connection drops. */
  cutNextRequest(before = 0): Promise<void> {
    return this.#next('request', before, (link, data) => this.#cutAmid(link, link.client, link.store, data));
  }

  /** A request, and all that comes after it in either direction, stays on the way until `pass`. */
  holdNextRequest(before = 0): Promise<void> {
    return this.#next('request', before, (link, data) => {
      this.hang();
      this.sent -= data.length;
      link.client.unshift(data);
    });
  }

  /** The same on its connection alone, which stands as one does whose other end is gone without a word. */
  stallNextRequest(before = 0): Promise<void> {
    return this.#next('request', before, ({ client, store }, data) => {
      client.pause();
      store.pause();
      this.sent -= data.length;
      client.unshift(data);
    });
  }

  /** A request reaches the store and is answered, and the connection drops instead of the reply. */
  loseNextReply(before = 0): Promise<void> {
    return this.#next('reply', before, (link) => this.#cut(link));
  }

  /** Of a reply only the beginning reaches the client, then the connection drops. */
  cutNextReply(before = 0): Promise<void> {
    return this.#next('reply', before, (link, data) => this.#cutAmid(link, link.store, link.client, data));
  }

  /** A request reaches the store and is answered; the reply, and all that comes after it, stays on the way until `pass`. */
  holdNextReply(before = 0): Promise<void> {
    return this.#next('reply', before, (link, data) => {
      this.hang();
      this.received -= data.length;
      link.store.unshift(data);
    });
  }

  async close(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #next(on: Direction, before: number, happen: Fault['happen']): Promise<void> {
    return new Promise((resolve) => {
      this.#fault = {
        on,
        before,
        happen(link, data) {
          resolve();
          happen(link, data);
        },
      };
    });
  }

  #accept(client: Socket): void {
    if (this.#mode === 'refuse') {
      client.destroy();
      return;
    }
    const store = createConnection({ ...this.#target, noDelay: true });
    client.setNoDelay(true);
    const link: Link = { client, store, passed: undefined, delayed: {} };
    this.#links.add(link);
    // Both ends are cut together; why one went is of no interest here.
    for (const socket of [client, store]) socket.on('error', () => undefined);
    client.on('close', () => this.#cutAfter(link, 'request'));
    store.on('close', () => this.#cutAfter(link, 'reply'));
    client.on('data', (data) => {
      this.sent += data.length;
      this.#forward('request', link, data);
    });
    store.on('data', (data) => {
      this.received += data.length;
      this.#forward('reply', link, data);
    });
    if (this.#mode === 'hang') {
      client.pause();
      store.pause();
    }
  }

  #forward(direction: Direction, link: Link, data: Buffer): void {
    const isBeginning = link.passed !== direction;
    link.passed = direction;
    const fault = this.#fault;
    if (isBeginning && fault?.on === direction && fault.before-- === 0) {
      this.#fault = undefined;
      fault.happen(link, data);
    } else {
      this.#send(direction, link, data);
    }
  }

  #send(direction: Direction, link: Link, data: Buffer): void {
    const to = direction === 'request' ? link.store : link.client;
    const ahead = link.delayed[direction];
    if (!ahead && this.#delayMs === 0) {
      to.write(data);
      return;
    }
    const delay = new Promise((resolve) => setTimeout(resolve, this.#delayMs));
    const arrival = Promise.all([delay, ahead]).then(() => {
      if (link.delayed[direction] === arrival) delete link.delayed[direction];
      if (!to.destroyed) to.write(data);
    });
    link.delayed[direction] = arrival;
  }

  #cutAmid(link: Link, from: Socket, to: Socket, data: Buffer): void {
    // The rest of something large must not follow its beginning.
    from.pause();
    to.write(data.subarray(0, data.length >> 1), () => this.#cut(link));
  }

  /** One end is gone: what it sent still arrives. */
  #cutAfter(link: Link, direction: Direction): void {
    const arriving = link.delayed[direction];
    if (arriving) arriving.then(() => this.#cut(link));
    else this.#cut(link);
  }

  #cut(link: Link): void {
    this.#links.delete(link);
    link.client.destroy();
    link.store.destroy();
  }
}
