import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An API that the kit plays, on this machine alone. A request that it cannot make sense of is cut. */
export abstract class PlayedApi {
  readonly #server = createServer((request, response) => {
    void text(request)
      .then((body) => this.serve(request, body, response))
      .catch(() => response.destroy());
  });

  /** What a client takes as the API's address. */
  get baseURL(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  protected async listen(): Promise<void> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
  }

  protected abstract serve(request: IncomingMessage, body: string, response: ServerResponse): Promise<void>;
}
