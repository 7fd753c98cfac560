import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSessionsTable } from '@sessions/dynamodb';
import { type RunningDynamoDB, startDynamoDB } from '@sessions/servers';
import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda';

/** A table on this machine, and the environment in which the handler's client finds it. To be called before the handler is imported. */
export async function startTable(): Promise<RunningDynamoDB> {
  const server = await startDynamoDB();
  const tableName = `sessions-${crypto.randomUUID()}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: server.url,
    AWS_REGION: server.region,
    AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
    SESSIONS_TABLE: tableName,
  });
  const client = new DynamoDBClient({});
  await createSessionsTable(client, { tableName });
  return {
    ...server,
    async stop() {
      await client.send(new DeleteTableCommand({ TableName: tableName }));
      client.destroy();
      await server.stop();
    },
  };
}

/** What the HTTP API makes of a request, as far as the handler looks at it. */
export function eventOf(
  user: unknown,
  requestId: string | undefined,
  body: string,
): APIGatewayProxyEventV2WithJWTAuthorizer {
  const headers = { ...(requestId !== undefined && { 'idempotency-key': requestId }) };
  const requestContext = { authorizer: { jwt: { claims: { sub: user } } } };
  return { headers, body, requestContext } as unknown as APIGatewayProxyEventV2WithJWTAuthorizer;
}
