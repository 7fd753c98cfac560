import { conformanceTests } from '@sessions/conformance/vitest';
import { startMongoAdapter } from './adapter.ts';

conformanceTests('mongo', startMongoAdapter);
