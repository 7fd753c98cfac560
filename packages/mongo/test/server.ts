import { randomUUID } from 'node:crypto';
import {
  FIRST_START_MS,
  type MongoEngine,
  type RunningMongo,
  startMongo,
  whyAbsent,
} from '@sessions/servers';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { urlWith } from './place.ts';

/**
 * A real server for the tests of one file, and clients that end with the test that opened them. Tests of an engine that
 * cannot be built on this machine are skipped.
 */
export function mongoForTests(options: { engine?: MongoEngine; args?: readonly string[] } = {}): {
  server(): RunningMongo;
  client(options?: MongoClientOptions, address?: { host: string; port: number }): MongoClient;
} {
  let running: RunningMongo | undefined;
  const missing = options.engine === 'ferretdb' ? whyAbsent('go', 'ferretdb') : undefined;
  beforeAll(async () => {
    if (missing === undefined) running = await startMongo({ ...options, own: true });
  }, FIRST_START_MS);
  beforeEach((context) => context.skip(missing !== undefined, missing));
  afterAll(() => running?.stop());
  const server = () => running!;
  return {
    server,
    client(clientOptions = {}, address = server()) {
      const client = new MongoClient(urlWith(server().url, address), clientOptions);
      onTestFinished(() => client.close());
      return client;
    },
  };
}

export function freshId(): string {
  return `test-${randomUUID()}`;
}

export function message(index: number): { role: 'user'; content: string } {
  return { role: 'user', content: `m${index}` };
}

export function messages(count: number): { role: 'user'; content: string }[] {
  return Array.from({ length: count }, (_, at) => message(at));
}
