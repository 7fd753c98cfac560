import type { StartedAdapter } from '@sessions/conformance';
import { startDynamoDBAdapter } from '../../../packages/dynamodb/test/adapter.ts';
import { startMemoryAdapter } from '../../../packages/memory/test/adapter.ts';
import { startMongoAdapter } from '../../../packages/mongo/test/adapter.ts';
import { startOpenAIAdapter } from '../../../packages/openai/test/adapter.ts';
import { compacting } from '../../../packages/openai/test/compaction-adapter.ts';
import { startRedisAdapter } from '../../../packages/redis/test/adapter.ts';

/** How an adapter of this repository is started for the kit. */
type Start = () => Promise<StartedAdapter>;

/** Each adapter by itself, or on each engine that its store can be had as (a wrapper on each store that it is laid over), the one that is taken by default first. */
export const ADAPTERS: Readonly<Record<string, Start | Readonly<Record<string, Start>>>> = {
  compaction: {
    memory: compacting(startMemoryAdapter),
    redis: compacting(startRedisAdapter),
    dynamodb: compacting(startDynamoDBAdapter),
    mongo: compacting(startMongoAdapter),
  },
  dynamodb: {
    dynalite: () => startDynamoDBAdapter(),
    moto: () => startDynamoDBAdapter({ engine: 'moto' }),
  },
  memory: startMemoryAdapter,
  mongo: {
    mongodb: () => startMongoAdapter(),
    ferretdb: () => startMongoAdapter({ engine: 'ferretdb' }),
  },
  openai: startOpenAIAdapter,
  redis: startRedisAdapter,
};

/**
 * The adapters on the engines that are wanted.
 *
 * @param engine - `all`, or the name of one; if left out each adapter's first, under the adapter's own name
 * @throws NoSuchEngine
 */
export function adaptersOn(engine?: string): Record<string, Start> {
  const found: Record<string, Start> = {};
  for (const [name, start] of Object.entries(ADAPTERS)) {
    if (typeof start === 'function') {
      if (engine === undefined || engine === 'all') found[name] = start;
    } else if (engine === undefined) found[name] = Object.values(start)[0]!;
    else {
      for (const [known, startOn] of Object.entries(start))
        if (engine === 'all' || engine === known) found[`${name}:${known}`] = named(startOn, name, known);
    }
  }
  if (Object.keys(found).length > 0) return found;
  const known = Object.values(ADAPTERS).flatMap((start) =>
    typeof start === 'function' ? [] : Object.keys(start),
  );
  throw new NoSuchEngine(`There is no engine "${engine}", but all, ${known.join(', ')}.`);
}

/** No adapter has the engine that was asked for; the message is one line for whoever asked. */
export class NoSuchEngine extends Error {}

/** So that two columns of a table are told apart: by the store and its version, or by what a wrapper is laid over. */
function named(start: Start, name: string, engine: string): Start {
  return async () => {
    const { adapter, stop } = await start();
    const on = name === 'compaction' ? engine : adapter.store.replace(/ \(.*/, '');
    return { adapter: { ...adapter, name: `${name} (${on})` }, stop };
  };
}
