import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type AgentInputItem, run } from '@openai/agents';
import { isSessionError } from '@sessions/core';
import { DynamoDBSession } from '@sessions/dynamodb';
import { agent } from './agent.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** For each call to the store. */
export const STORE_TIMEOUT_MS = 2_000;

export interface Question {
  readonly user: string;
  /** The same whenever this question is sent again. */
  readonly requestId: string;
  readonly text: string;
}

/** The id belongs to another question. */
export class OtherQuestionError extends Error {}

/**
 * Answers a question once, however often it is sent, and gives the same answer each time.
 *
 * A run that is repeated gives another answer, so that the runner cannot be left to store it. First the turn is kept under
 * the request's id, where the first one counts; then it is added to the conversation, under that id too (TXN-2). Wherever a
 * try ends, the next one goes on. A model, or a tool, may be called twice, if two tries run at the same time.
 *
 * @throws OtherQuestionError, SessionError (`OPERATION_CONFLICT`: answered so long ago that the answer is not kept any
 *   more), and what the run throws
 */
export async function answerOnce(
  client: DynamoDBClient,
  { user, requestId, text }: Question,
  signal: AbortSignal,
): Promise<string> {
  const shared = { client, tableName: process.env.SESSIONS_TABLE ?? 'sessions', timeoutMs: STORE_TIMEOUT_MS };
  const session = new DynamoDBSession<AgentInputItem>({ ...shared, prefix: 'chat', sessionId: user });
  const kept = new DynamoDBSession<AgentInputItem>({
    ...shared,
    prefix: 'chat-requests',
    // With the user in it, or one could be given the answer of another.
    sessionId: JSON.stringify([user, requestId]),
    ttlSeconds: DAY_SECONDS,
  });

  const question: AgentInputItem = { role: 'user', content: text };
  let turn = await kept.getItems(undefined, { signal });
  if (turn.length === 0) {
    const history = await session.getItems(undefined, { signal });
    const { output } = await run(agent, [...history, question], { signal });
    turn = await keepFirst(kept, [question, ...output], signal);
  }
  if (!isSame(turn[0]!, question)) throw new OtherQuestionError();
  const transaction = { type: 'append_items' as const, items: turn };
  await session.applyHistoryTransaction({ operationId: requestId, transaction }, { signal });
  return textOf(turn.at(-1)!);
}

/** Keeps a turn, unless another try was first. */
async function keepFirst(
  kept: DynamoDBSession<AgentInputItem>,
  turn: AgentInputItem[],
  signal: AbortSignal,
): Promise<AgentInputItem[]> {
  try {
    const transaction = { type: 'append_items' as const, items: turn };
    await kept.applyHistoryTransaction({ operationId: 'turn', transaction }, { signal });
    return turn;
  } catch (error) {
    if (!isSessionError(error, 'OPERATION_CONFLICT')) throw error;
    return kept.getItems(undefined, { signal });
  }
}

function isSame(one: AgentInputItem, other: AgentInputItem): boolean {
  return 'content' in one && 'content' in other && one.content === other.content;
}

function textOf(item: AgentInputItem): string {
  if (!('content' in item) || !Array.isArray(item.content)) return '';
  return item.content.map((part) => ('text' in part ? part.text : '')).join('');
}
