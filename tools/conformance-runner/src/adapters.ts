import type { StartedAdapter } from '@sessions/conformance';
import { startMemoryAdapter } from '../../../packages/memory/test/adapter.ts';
import { startRedisAdapter } from '../../../packages/redis/test/adapter.ts';

/** How each adapter of this repository is started for the kit. */
export const ADAPTERS: Readonly<Record<string, () => Promise<StartedAdapter>>> = {
  memory: startMemoryAdapter,
  redis: startRedisAdapter,
};
