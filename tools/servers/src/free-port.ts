import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that is free, as are those at the given distances from it. It lies below the ports that
 * systems give to outgoing connections, so that it's still free when a killed server is started again.
 */
export async function freePort(distances: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(11_000, 22_000);
    const free = await Promise.all([0, ...distances].map((distance) => isFree(port + distance)));
    if (free.every(Boolean)) return port;
  }
  throw new Error('found no free port in 100 attempts');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
}
