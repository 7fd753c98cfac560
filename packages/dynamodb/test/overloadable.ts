import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from '@sessions/conformance';

/** What is refused: of each batch all but its first row, all batches, or all writes. */
export type Overload = 'nothing' | 'rows' | 'batches' | 'all';

/** A way to a server, on which writes can be answered as DynamoDB does when they are too many. */
export interface Overloadable {
  readonly address: Address;
  overload(what: Overload): void;
  close(): Promise<void>;
}

interface Batch {
  RequestItems: Record<string, unknown[]>;
}

export async function overloadable({ host, port }: Address): Promise<Overloadable> {
  const agent = new Agent({ keepAlive: true });
  let overloaded: Overload = 'nothing';

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    let body = Buffer.concat(chunks);
    const [, action] = String(incoming.headers['x-amz-target']).split('.');
    let left: Record<string, unknown[]> | undefined;
    if (action === 'BatchWriteItem' && overloaded !== 'nothing') {
      const { RequestItems } = JSON.parse(body.toString()) as Batch;
      const [table, rows] = Object.entries(RequestItems)[0]!;
      const done = overloaded === 'rows' ? 1 : 0;
      left = rows.length > done ? { [table]: rows.slice(done) } : {};
      if (done === 0) return reply(outgoing, 200, { UnprocessedItems: left });
      body = Buffer.from(JSON.stringify({ RequestItems: { [table]: rows.slice(0, done) } }));
    } else if (action === 'PutItem' && overloaded === 'all') {
      const type = 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException';
      return reply(outgoing, 400, {
        __type: type,
        message: 'The level of configured throughput was exceeded.',
      });
    }
    const headers = { ...incoming.headers, 'content-length': body.length };
    const forwarded = request({ host, port, agent, method: incoming.method, path: incoming.url, headers });
    forwarded.once('error', () => outgoing.destroy());
    forwarded.once('response', (response) => {
      if (left) {
        response.resume();
        reply(outgoing, 200, { UnprocessedItems: left });
        return;
      }
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.once('error', () => outgoing.destroy());
      response.pipe(outgoing);
    });
    forwarded.end(body);
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { address, port: own } = server.address() as AddressInfo;
  return {
    address: { host: address, port: own },
    overload(what) {
      overloaded = what;
    },
    async close() {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reply(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
  outgoing.end(JSON.stringify(body));
}
