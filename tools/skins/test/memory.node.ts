import { conformanceTests } from '@sessions/conformance/node-test';
import { startMemoryAdapter } from '../../../packages/memory/test/adapter.ts';

conformanceTests('memory', startMemoryAdapter);
