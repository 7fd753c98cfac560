import { conformanceTests } from '@sessions/conformance/vitest';
import { it } from 'vitest';
import { startRedisAdapter } from '../../redis/test/adapter.ts';
import { compacting } from './compaction-adapter.ts';

const redis = await compacting(startRedisAdapter)().catch((error: unknown) => error as Error);

if (redis instanceof Error) it.skip(`compaction over redis, which does not start: ${redis.message}`);
else conformanceTests('compaction over redis', redis);
