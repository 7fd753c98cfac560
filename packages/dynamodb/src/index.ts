export { createSessionsTable } from './create-sessions-table.ts';
export { DynamoDBSession, type DynamoDBSessionOptions } from './dynamodb-session.ts';
export type { SessionsTable } from './sessions-table.ts';
