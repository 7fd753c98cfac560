import { conformanceTests } from '@sessions/conformance/vitest';
import { startRedisAdapter } from './adapter.ts';

conformanceTests('redis', startRedisAdapter);
