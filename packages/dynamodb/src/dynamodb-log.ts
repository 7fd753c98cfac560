import { setTimeout } from 'node:timers/promises';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { isSessionError, SessionError } from '@sessions/core';
import type { EventLog, LogErasure, LogRange, LogRow, StoreCall } from '@sessions/core/store';
import { send } from './send.ts';
import type { ResolvedTable } from './sessions-table.ts';

type Item = Record<string, AttributeValue>;

/**
 * The most bytes of a row's content. DynamoDB takes 409,600 with names and keys, which may be 3,200 of them; an engine for
 * tests takes 405,000.
 */
const MAX_ROW_BYTES = 400_000;

/** The most rows that DynamoDB takes in one batch. */
const BATCH = 25;

/** How often rows of one batch are sent that DynamoDB did not process. */
const BATCH_TRIES = 8;

const FIRST_PAUSE_MS = 25;

/** How many rows a page has at most. */
const LONGEST_PAGE = 1_000;

/** The log of one session: the rows of one partition of a table. */
export class DynamoDBLog implements EventLog {
  readonly maxRowBytes = MAX_ROW_BYTES;
  readonly #client: DynamoDBClient;
  readonly #table: ResolvedTable;
  readonly #partition: string;
  readonly #ownsClient: boolean;

  constructor(client: DynamoDBClient, table: ResolvedTable, partition: string, ownsClient: boolean) {
    this.#client = client;
    this.#table = table;
    this.#partition = partition;
    this.#ownsClient = ownsClient;
  }

  async *scan(range: LogRange, call: StoreCall): AsyncIterable<LogRow> {
    const { first, last, newestFirst = false, expected, heads = false } = range;
    const names = this.#namesOf(heads);
    const common = {
      TableName: this.#table.tableName,
      ConsistentRead: true,
      ProjectionExpression: Object.keys(names).join(),
    };
    if (first === last) {
      const get = new GetItemCommand({ ...common, Key: this.#keyOf(first), ExpressionAttributeNames: names });
      const { Item } = await send(this.#client, get, 'UNAVAILABLE', call);
      if (Item) yield this.#rowOf(Item);
      return;
    }
    // One more than the range is likely to hold, so that its last page says that it is the last.
    let limit = newestFirst ? expected : expected + 1;
    let from: Item | undefined;
    do {
      const query = new QueryCommand({
        ...common,
        KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :first AND :last',
        ExpressionAttributeNames: { ...names, '#pk': this.#table.partitionKey },
        ExpressionAttributeValues: {
          ':pk': { S: this.#partition },
          ':first': { S: first },
          ':last': { S: last },
        },
        ScanIndexForward: !newestFirst,
        Limit: limit,
        ExclusiveStartKey: from,
      });
      const page = await send(this.#client, query, 'UNAVAILABLE', call);
      for (const item of page.Items ?? []) yield this.#rowOf(item);
      from = page.LastEvaluatedKey;
      // Less was in a row than was thought, or much of it is dead.
      limit = Math.min(limit * 4, LONGEST_PAGE);
    } while (from);
  }

  async put(row: LogRow, call: StoreCall): Promise<boolean> {
    const isNew = row.rev === 0;
    const command = new PutItemCommand({
      TableName: this.#table.tableName,
      Item: this.#itemOf(row),
      ConditionExpression: isNew ? 'attribute_not_exists(#pk)' : '#rev = :before',
      ExpressionAttributeNames: isNew ? { '#pk': this.#table.partitionKey } : { '#rev': 'rev' },
      ...(!isNew && { ExpressionAttributeValues: { ':before': { N: String(row.rev - 1) } } }),
    });
    try {
      await send(this.#client, command, 'OUTCOME_UNKNOWN', call);
      return true;
    } catch (error) {
      if (isSessionError(error, 'CONFLICT')) return false;
      throw error;
    }
  }

  async erase(erasures: readonly LogErasure[], call: StoreCall): Promise<void> {
    const { tableName } = this.#table;
    for (let start = 0; start < erasures.length; start += BATCH) {
      let left = erasures.slice(start, start + BATCH).map((erasure) => this.#requestOf(erasure));
      for (let tries = 0; left.length > 0; tries++) {
        if (tries === BATCH_TRIES) throw new SessionError('UNAVAILABLE');
        if (tries > 0) await setTimeout(FIRST_PAUSE_MS * 2 ** tries, undefined, call).catch(() => undefined);
        const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: left } });
        const { UnprocessedItems } = await send(this.#client, command, 'UNAVAILABLE', call);
        left = Object.values(UnprocessedItems ?? {}).flat();
      }
    }
  }

  async close(): Promise<void> {
    if (this.#ownsClient) this.#client.destroy();
  }

  /** Of the attributes that a row is read from. DynamoDB reserves many words. */
  #namesOf(heads: boolean): Record<string, string> {
    const { sortKey, ttlAttribute } = this.#table;
    const names = { '#sk': sortKey, '#ttl': ttlAttribute, '#rev': 'rev', '#head': 'head' };
    return heads ? names : { ...names, '#texts': 'texts' };
  }

  #keyOf(key: string): Item {
    return { [this.#table.partitionKey]: { S: this.#partition }, [this.#table.sortKey]: { S: key } };
  }

  #itemOf({ key, rev, head, texts, removeAt }: LogRow): Item {
    return {
      ...this.#keyOf(key),
      rev: { N: String(rev) },
      head: { S: head },
      texts: { L: texts.map((S) => ({ S })) },
      // A second that has begun counts: the store may remove the row later, never before.
      ...(removeAt !== undefined && {
        [this.#table.ttlAttribute]: { N: String(Math.ceil(removeAt / 1_000)) },
      }),
    };
  }

  #rowOf(item: Item): LogRow {
    const { sortKey, ttlAttribute } = this.#table;
    const end = item[ttlAttribute]?.N;
    return {
      key: item[sortKey]?.S ?? '',
      rev: Number(item.rev?.N),
      head: item.head?.S ?? '',
      texts: item.texts?.L?.map((text) => text.S ?? '') ?? [],
      removeAt: end === undefined ? undefined : Number(end) * 1_000,
    };
  }

  #requestOf({ key, leave }: LogErasure): WriteRequest {
    return leave
      ? { PutRequest: { Item: this.#itemOf(leave) } }
      : { DeleteRequest: { Key: this.#keyOf(key) } };
  }
}
