import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { Address } from './adapter.ts';

interface Link {
  readonly client: Socket;
  readonly store: Socket;
}

/** What happens to one thing that passes, once. */
interface Fault {
  readonly on: 'request' | 'reply';
  /** How many pass before it. */
  before: number;
  happen(link: Link, data: Buffer): void;
}

/** A TCP proxy that counts what passes and breaks what it is told to. It knows nothing of the store's protocol. */
export class FaultProxy {
  readonly #target: Address;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #mode: 'pass' | 'refuse' | 'hang' = 'pass';
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

  /** Everything passes again, what was held back first. */
  pass(): void {
    this.#mode = 'pass';
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
    for (const link of this.#links) this.#pause(link);
  }

  /** All connections drop, once. */
  drop(): void {
    for (const link of this.#links) this.#cut(link);
  }

  /**
   * The next request reaches the store and is answered, and the connection drops instead of the reply.
   *
   * @param before - how many replies pass before that
   */
  loseNextReply(before = 0): Promise<void> {
    return this.#next('reply', (link) => this.#cut(link), before);
  }

  /** The next request never reaches the store: the connection drops. */
  loseNextRequest(): Promise<void> {
    return this.#next('request', (link) => this.#cut(link));
  }

  /** Of the next request only the beginning reaches the store, then the connection drops. */
  cutNextRequest(): Promise<void> {
    return this.#next('request', (link, data) => {
      link.store.write(data.subarray(0, data.length >> 1), () => this.#cut(link));
    });
  }

  async close(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #next(on: Fault['on'], happen: Fault['happen'], before = 0): Promise<void> {
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
    const link = { client, store };
    this.#links.add(link);
    for (const socket of [client, store]) {
      // Both ends are cut together; why one went is of no interest here.
      socket.on('error', () => undefined);
      socket.on('close', () => this.#cut(link));
    }
    client.on('data', (data) => {
      this.sent += data.length;
      this.#forward('request', link, store, data);
    });
    store.on('data', (data) => {
      this.received += data.length;
      this.#forward('reply', link, client, data);
    });
    if (this.#mode === 'hang') this.#pause(link);
  }

  #forward(direction: Fault['on'], link: Link, to: Socket, data: Buffer): void {
    const fault = this.#fault;
    if (fault?.on === direction && fault.before-- === 0) {
      this.#fault = undefined;
      fault.happen(link, data);
    } else {
      to.write(data);
    }
  }

  #pause({ client, store }: Link): void {
    client.pause();
    store.pause();
  }

  #cut(link: Link): void {
    this.#links.delete(link);
    link.client.destroy();
    link.store.destroy();
  }
}
