import { conformanceTests } from '@sessions/conformance/vitest';
import { startMemoryAdapter } from './adapter.ts';

conformanceTests('memory', startMemoryAdapter);
