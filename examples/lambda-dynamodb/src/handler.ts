import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isSessionError } from '@sessions/core';
import type {
  APIGatewayProxyEventV2WithJWTAuthorizer,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import { answerOnce, OtherQuestionError, type Question, STORE_TIMEOUT_MS } from './answer-once.ts';

/** What is left for a write under way, which is waited for, and for the reply. */
const RESERVED_MS = STORE_TIMEOUT_MS + 1_000;

// Out here, since it outlives an invocation, with its connections.
const client = new DynamoDBClient({});

/** Behind an HTTP API with a JWT authorizer: `{ "text": "…" }`, with a header `Idempotency-Key`. */
export async function handler(
  event: APIGatewayProxyEventV2WithJWTAuthorizer,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<APIGatewayProxyStructuredResultV2> {
  const question = questionOf(event);
  if (!question) return reply(400, { error: 'Send { "text": "…" } with a header Idempotency-Key.' });
  const signal = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - RESERVED_MS));
  try {
    return reply(200, { text: await answerOnce(client, question, signal) });
  } catch (error) {
    if (error instanceof OtherQuestionError || isSessionError(error, 'OPERATION_CONFLICT')) {
      return reply(409, { error: 'This Idempotency-Key was used before.' });
    }
    // Whatever became of it, OUTCOME_UNKNOWN too: the same request does no harm.
    if (signal.aborted || isSessionError(error)) {
      console.error(isSessionError(error) ? `${error.code}: ${error.message}` : 'Out of time');
      return reply(503, { error: 'Send the same request again.' });
    }
    throw error;
  }
}

function questionOf({
  headers,
  body,
  requestContext,
}: APIGatewayProxyEventV2WithJWTAuthorizer): Question | undefined {
  const { sub } = requestContext.authorizer.jwt.claims;
  const requestId = headers['idempotency-key']?.trim() ?? '';
  const text = textOf(body);
  if (typeof sub !== 'string' || sub === '' || text === '') return undefined;
  return /^.{8,100}$/.test(requestId) ? { user: sub, requestId, text } : undefined;
}

function textOf(body = ''): string {
  try {
    const { text } = Object(JSON.parse(body)) as { text?: unknown };
    return typeof text === 'string' && text.length <= 4_000 ? text.trim() : '';
  } catch {
    return '';
  }
}

function reply(statusCode: number, body: object): APIGatewayProxyStructuredResultV2 {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
