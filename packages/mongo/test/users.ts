import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningMongo, startMongo } from '@sessions/servers';
import { type Document, MongoClient } from 'mongodb';

export const PASSWORD = 'hunter2';

/** A server that asks who somebody is. */
export interface ServerWithUsers {
  /** The URL of one of its users. */
  urlOf(user: string): string;
  stop(): Promise<void>;
}

/**
 * Starts a server that has these users, each with what it may do on each collection.
 *
 * A mongod lets the first user be made by anybody who comes from its own machine. SecantusDB has to be started once more.
 */
export async function startWithUsers(
  users: Readonly<Record<string, readonly string[]>>,
): Promise<ServerWithUsers> {
  const folder = await mkdtemp(join(tmpdir(), 'mongo-users-'));
  const place = ['--storage-path', folder];
  let server = await startMongo({ args: ['--auth'] });
  if (server.engine === 'secantusdb') {
    await server.stop();
    const open = await startMongo({ args: place });
    await makeUsers(open.url, users);
    await open.stop();
    server = await startMongo({ args: [...place, '--auth'] });
  } else {
    const root = { createUser: 'root', pwd: PASSWORD, roles: ['root'] };
    await withAdmin(server.url, (admin) => admin(root));
    await makeUsers(urlOf(server, 'root'), users);
  }
  return {
    urlOf: (user) => urlOf(server, user),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeUsers(url: string, users: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await withAdmin(url, async (admin) => {
    for (const [user, actions] of Object.entries(users)) {
      const privileges = [{ resource: { db: 'test', collection: '' }, actions }];
      await admin({ createRole: `${user}s`, privileges, roles: [] });
      await admin({ createUser: user, pwd: PASSWORD, roles: [`${user}s`] });
    }
    // The server may be killed before it writes them down by itself.
    await admin({ fsync: 1 });
  });
}

async function withAdmin(
  url: string,
  run: (admin: (command: Document) => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const client = new MongoClient(url);
  try {
    await run((command) => client.db('admin').command(command));
  } finally {
    await client.close();
  }
}

function urlOf({ url }: RunningMongo, user: string): string {
  const other = new URL(url);
  [other.username, other.password] = [user, PASSWORD];
  other.searchParams.set('authSource', 'admin');
  return other.href;
}
