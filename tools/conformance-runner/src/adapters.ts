import type { StartedAdapter } from '@sessions/conformance';
import { startDynamoDBAdapter } from '../../../packages/dynamodb/test/adapter.ts';
import { startMemoryAdapter } from '../../../packages/memory/test/adapter.ts';
import { startMongoAdapter } from '../../../packages/mongo/test/adapter.ts';
import { startRedisAdapter } from '../../../packages/redis/test/adapter.ts';

/** How each adapter of this repository is started for the kit. */
export const ADAPTERS: Readonly<Record<string, () => Promise<StartedAdapter>>> = {
  dynamodb: startDynamoDBAdapter,
  memory: startMemoryAdapter,
  mongo: startMongoAdapter,
  redis: startRedisAdapter,
};
