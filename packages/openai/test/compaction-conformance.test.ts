import { conformanceTests } from '@sessions/conformance/vitest';
import { startMemoryAdapter } from '../../memory/test/adapter.ts';
import { compacting } from './compaction-adapter.ts';

conformanceTests('compaction over memory', compacting(startMemoryAdapter));
