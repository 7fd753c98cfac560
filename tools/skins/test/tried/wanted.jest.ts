import { conformanceTests } from '@sessions/conformance/jest';
import { selection, source } from './wanted.ts';

await conformanceTests('wanted', source, selection);
