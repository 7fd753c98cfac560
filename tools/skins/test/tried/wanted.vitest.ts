import { conformanceTests } from '@sessions/conformance/vitest';
import { selection, source } from './wanted.ts';

conformanceTests('wanted', source, selection);
