import { conformanceTests } from '@sessions/conformance/node-test';
import { selection, source } from './wanted.ts';

conformanceTests('wanted', source, selection);
