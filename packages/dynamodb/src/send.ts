import type {
  $Command,
  DynamoDBClient,
  DynamoDBClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { SessionError, type SessionErrorCode } from '@sessions/core';
import type { StoreCall } from '@sessions/core/store';
import { bare, dynamodbError, isAnswer, isUnsent } from './dynamodb-error.ts';

/**
 * Sends a command, with the client's own retries, and says of a failure what is known of all its tries: the answer to the
 * last one tells nothing of an earlier one whose answer was lost.
 *
 * @param unanswered - what it comes to if there was no answer to a try that was sent
 * @throws SessionError
 */
export async function send<TInput extends ServiceInputTypes, TOutput extends ServiceOutputTypes>(
  client: DynamoDBClient,
  command: $Command<TInput, TOutput, DynamoDBClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
  unanswered: SessionErrorCode,
  { signal }: StoreCall,
): Promise<TOutput> {
  if (signal.aborted) throw new SessionError('UNAVAILABLE');
  let isOpen = false;
  let answer: unknown;
  command.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (isAnswer(error)) answer = error;
        else isOpen ||= !isUnsent(error);
        throw error;
      }
    },
    // After the retries and the signing: runs for each try, right before it is sent.
    { name: 'sessionsTry', step: 'finalizeRequest', priority: 'low' },
  );
  try {
    return await client.send(command, { abortSignal: signal });
  } catch (error) {
    if (isOpen) throw new SessionError(unanswered, { cause: bare(error) });
    // Why it was still being tried when the time was up says more than that it was.
    throw dynamodbError(signal.aborted ? (answer ?? error) : error);
  }
}
