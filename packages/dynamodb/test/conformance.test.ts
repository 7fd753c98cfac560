import { conformanceTests } from '@sessions/conformance/vitest';
import { startDynamoDBAdapter } from './adapter.ts';

conformanceTests('dynamodb', startDynamoDBAdapter);
