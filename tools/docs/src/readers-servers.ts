import { startDynamoDB, startMongo, startOpenAI, startRedis } from '@sessions/servers';

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** What documents call the reader's servers, and what is started for them. */
const SERVERS: Readonly<Record<string, () => Promise<Server>>> = {
  'redis://localhost:6379': () => startRedis(),
  'mongodb://localhost:27017': () => startMongo(),
  'http://localhost:8000': () => startDynamoDB(),
};

/** Servers in the place of those that an example names. */
export interface ReadersServers extends AsyncDisposable {
  /** The example, with the addresses of what was started. */
  readonly text: string;
  /** What the process has to have in its environment: the key and the address of OpenAI's API. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts what an example needs, and nothing else. */
export async function startFor(example: string): Promise<ReadersServers> {
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
  };
  try {
    let text = example;
    for (const [readers, start] of Object.entries(SERVERS)) {
      if (!text.includes(readers)) continue;
      const server = await start();
      started.push(server);
      text = text.replaceAll(readers, server.url);
    }
    let env = {};
    if (text.includes(`from 'openai'`)) {
      const api = await startOpenAI();
      started.push(api);
      env = { OPENAI_API_KEY: api.apiKey, OPENAI_BASE_URL: api.baseURL };
    }
    return { text, env, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
