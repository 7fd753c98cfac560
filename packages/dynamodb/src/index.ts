export { DynamoDBSession, type DynamoDBSessionOptions } from './dynamodb-session.ts';
export { createSessionsTable, type SessionsTable } from './sessions-table.ts';
