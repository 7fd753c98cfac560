import { conformanceTests } from '@sessions/conformance/jest';
import { startMemoryAdapter } from '../../../packages/memory/test/adapter.ts';

await conformanceTests('memory', startMemoryAdapter);
