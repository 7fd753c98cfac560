import { randomUUID } from 'node:crypto';
import type { AgentInputItem } from '@openai/agents';
import { RedisSession } from '@sessions/redis';
import { startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import type { Contender, Conversation } from '../contender.ts';
import type { LangChainHistory, Peers } from '../peers.ts';
import { langChain } from './langchain.ts';
import { mastra } from './mastra.ts';
import { ours } from './ours.ts';
import type { Store } from './store.ts';

/** On a server that is somebody's, nothing of a run that was cut short stays for longer, in seconds; but of Mastra's. */
const KEPT_S = 3_600;

export async function openRedis({ langchain, mastra: { RedisStore }, version }: Peers): Promise<Store> {
  const server = await startRedis();
  const { url } = server;
  const client = new Redis(url);
  const prefix = `bench-${randomUUID()}`;
  /** The messages as its `addMessage` writes them, one after another. */
  const fill = async (_: LangChainHistory, key: string, messages: object[]) => {
    const texts = langchain.mapChatMessagesToStoredMessages(messages).map((stored) => JSON.stringify(stored));
    await client.lpush(key, ...texts);
    await client.expire(key, KEPT_S);
  };
  const open = (sessionId: string) => new RedisSession({ sessionId, client, prefix, ttlSeconds: KEPT_S });
  const nodeRedis = new langchain.RedisChatMessageHistory({
    config: { url },
    sessionId: prefix,
    sessionTTL: KEPT_S,
  });
  const itsStore = new RedisStore({ id: prefix, connectionString: url });
  await itsStore.init();
  return {
    title: 'Redis',
    server: `${server.engine} ${server.version}`,
    ours: ours('@sessions/redis', open, 250),
    raw: rawList(client, prefix),
    peers: [
      langChain(`@langchain/community ${version('@langchain/community')}`, langchain, {
        open: (sessionId) =>
          new langchain.IoredisChatMessageHistory({ client, sessionId, sessionTTL: KEPT_S }),
        fill,
      }),
      langChain(`@langchain/redis ${version('@langchain/redis')}`, langchain, {
        open: (sessionId) =>
          new langchain.RedisChatMessageHistory({
            client: nodeRedis.client,
            sessionId,
            sessionTTL: KEPT_S,
          }),
        fill,
      }),
      mastra(`@mastra/redis ${version('@mastra/redis')}`, (await itsStore.getStore('memory'))!, {
        prefix,
      }),
    ],
    async close() {
      await itsStore.close?.();
      // LangChain's have other names, and an end.
      for await (const keys of client.scanStream({ match: `*${prefix}*`, count: 1_000 }) as AsyncIterable<
        string[]
      >) {
        if (keys.length > 0) await client.unlink(keys);
      }
      client.disconnect();
      if (nodeRedis.client.isOpen) await nodeRedis.client.disconnect();
      await server.stop();
    },
  };
}

/** The least that keeps a conversation: a list, of which the end is read. */
function rawList(client: Redis, prefix: string): Contender<string[]> {
  const conversation = (key: string): Conversation<string[]> => ({
    add: (texts) => client.rpush(key, ...texts),
    async newest(limit) {
      const texts = await client.lrange(key, limit === undefined ? 0 : -limit, -1);
      return texts.map((text) => JSON.parse(text) as unknown);
    },
    again: () => conversation(key),
  });
  const batch = (items: readonly AgentInputItem[]) => items.map((item) => JSON.stringify(item));
  return {
    name: 'the bare driver',
    batch,
    async begin(items) {
      const key = `${prefix}:raw:${randomUUID()}`;
      if (items.length > 0) {
        await client.rpush(key, ...batch(items));
        await client.expire(key, KEPT_S);
      }
      return conversation(key);
    },
  };
}
