import { conformanceTests } from '@sessions/conformance/vitest';
import { startLogAdapter } from './adapter.ts';

conformanceTests('a log in memory', startLogAdapter);
