import { agentTests } from '@sessions/agent-runs/tests';
import type { MongoClient } from 'mongodb';
import { beforeEach } from 'vitest';
import { MongoSession } from '../src/index.ts';
import { mongoForTests } from './server.ts';

const mongo = mongoForTests();

let client: MongoClient;

beforeEach(() => {
  client = mongo.client();
});

agentTests({
  open: (sessionId) => new MongoSession({ sessionId, client }),
  elsewhere: (sessionId) => ({
    module: new URL('../src/index.ts', import.meta.url).href,
    name: 'MongoSession',
    options: { sessionId, url: mongo.server().url },
  }),
});
