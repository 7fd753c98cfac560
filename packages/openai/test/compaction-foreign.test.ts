import { type AgentInputItem, MemorySession as OfficialSession } from '@openai/agents';
import { beforeEach, describe, expect, it } from 'vitest';
import { OpenAIResponsesCompactionSession, type UnderlyingSession } from '../src/index.ts';
import { ForeignSession } from './foreign-session.ts';
import { message, messages, textOf, thrown, useStandIn } from './stand-in.ts';

const bench = useStandIn();
const FORCED = { force: true };

function over<TItem>(underlyingSession: UnderlyingSession<TItem>) {
  return new OpenAIResponsesCompactionSession<TItem>({ underlyingSession, client: bench.client });
}

const answers = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: `a${at}` }],
  }));
const words = (items: unknown[]) => items.map(textOf);

/** What happens while the API is asked. */
function meanwhile(run: () => unknown): void {
  bench.api.faults.order('responses.compact', { kind: 'meanwhile', run });
}

describe('over a session with the four methods only', () => {
  let inner: ForeignSession;
  beforeEach(() => {
    inner = new ForeignSession([...messages(2), ...answers(10)]);
  });

  it('CMP-1 compacts when it is due', async () => {
    expect(await over(inner).runCompaction()).not.toBeNull();
    expect(words(inner.items)).toEqual(['m0', 'm1', 'compaction']);
  });

  it('CMP-2 reads past a window of the session, which it cannot know of', async () => {
    inner = new ForeignSession([...messages(2), ...answers(10)], 3);
    await over(inner).runCompaction(FORCED);
    expect(words(inner.items)).toEqual(['m0', 'm1', 'compaction']);
  });

  it('CMP-3 keeps what is appended meanwhile, and drops the compaction after a pop or a clear', async () => {
    const session = over(inner);
    meanwhile(() => inner.addItems([message('late')]));
    await session.runCompaction(FORCED);
    expect(words(inner.items)).toEqual(['m0', 'm1', 'compaction', 'late']);
    meanwhile(() => inner.popItem());
    await session.runCompaction(FORCED);
    expect(words(inner.items)).toEqual(['m0', 'm1', 'compaction']);
    meanwhile(() => inner.clearSession());
    await session.runCompaction(FORCED);
    expect(inner.items).toEqual([]);
  });

  it('lets its own calls wait while the history is written again, in their order', async () => {
    const session = over(inner);
    const waiting: Promise<unknown>[] = [];
    const given = message('late');
    inner.before = (method) => {
      if (method !== 'clearSession' || waiting.length > 0) return;
      waiting.push(session.getItems(), session.addItems([given]), session.popItem(), session.getItems());
      Object.assign(given, { content: 'changed' });
    };
    await session.runCompaction(FORCED);
    const [before, , popped, after] = await Promise.all(waiting);
    expect(words(before as unknown[])).toEqual(['m0', 'm1', 'compaction']);
    expect(textOf(popped)).toBe('late');
    expect(words(after as unknown[])).toEqual(['m0', 'm1', 'compaction']);
  });

  it.each(['clearSession', 'addItems'] as const)(
    'CMP-4 keeps the old history when %s fails',
    async (failing) => {
      const old = words(inner.items);
      const reason = new Error('disk full');
      let times = 0;
      inner.before = (method) => {
        if (method === failing && times++ === 0) throw reason;
      };
      expect(await thrown(over(inner).runCompaction(FORCED))).toBe(reason);
      expect(words(inner.items)).toEqual(old);
    },
  );

  it('CMP-4 keeps the old history when it was written in part', async () => {
    const old = words(inner.items);
    const reason = new Error('disk full');
    let times = 0;
    inner.before = (method) => {
      if (method !== 'addItems' || times++ > 0) return;
      inner.items = [message('m0')];
      throw reason;
    };
    expect(await thrown(over(inner).runCompaction(FORCED))).toBe(reason);
    expect(words(inner.items)).toEqual(old);
  });

  it('CMP-4 takes a lost reply for what it is', async () => {
    const right = inner.addItems.bind(inner);
    inner.addItems = async (items) => {
      await right(items);
      throw new Error('connection lost');
    };
    expect(await over(inner).runCompaction(FORCED)).not.toBeNull();
    expect(words(inner.items)).toEqual(['m0', 'm1', 'compaction']);
  });

  it('CMP-4 says so when neither history could be written', async () => {
    inner.before = (method) => {
      if (method === 'addItems') throw new Error('disk full');
    };
    expect(await thrown(over(inner).runCompaction(FORCED))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      adapter: 'openai',
      cause: expect.any(AggregateError),
    });
  });

  it('CMP-4 given up while the history is written again, it finishes that first', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    inner.before = (method) => {
      if (method === 'clearSession') abort.abort(reason);
    };
    expect(await thrown(over(inner).runCompaction(FORCED, { signal: abort.signal }))).toBe(reason);
    expect(words(inner.items)).toEqual(['m0', 'm1', 'compaction']);
  });

  it('has the four methods only, and tells its id by the one of them', async () => {
    const session = over(inner);
    for (const name of [
      'applyHistoryTransaction',
      'applyHistoryMutations',
      'replaceHistoryWithCompaction',
      'snapshotHistory',
      'prepareHistoryItemForModelInput',
      'prepareHistoryItemsForPersistenceComparison',
      'preserveReasoningItemIdsForPersistence',
      'acceptsRunContext',
      'close',
      Symbol.asyncDispose,
    ]) {
      expect(name in session).toBe(false);
    }
    expect(await session.getSessionId()).toBe('foreign');
    expect(() => session.sessionId).toThrow(expect.objectContaining({ code: 'SESSION_NOT_STARTED' }));
  });
});

describe('over a session with transactions', () => {
  it('CMP-3 replaces in one step what is still there, before what was appended meanwhile', async () => {
    const inner = new OfficialSession();
    await inner.addItems([...messages(2), ...answers(10)] as AgentInputItem[]);
    const session = over<AgentInputItem>(inner);
    expect(session.applyHistoryTransaction).toBeTypeOf('function');
    expect('replaceHistoryWithCompaction' in session).toBe(false);
    let clears = 0;
    const clear = inner.clearSession.bind(inner);
    inner.clearSession = async () => {
      clears++;
      await clear();
    };
    meanwhile(() => inner.addItems([message('late')] as AgentInputItem[]));
    await session.runCompaction();
    expect(words(await inner.getItems())).toEqual(['m0', 'm1', 'compaction', 'late']);
    meanwhile(() => inner.popItem());
    await session.runCompaction(FORCED);
    expect(words(await inner.getItems())).toEqual(['m0', 'm1', 'compaction']);
    expect(clears).toBe(0);
  });

  it('CMP-4 keeps the old history when the transaction fails, and tells a lost reply from that', async () => {
    const inner = new OfficialSession();
    await inner.addItems([...messages(2), ...answers(10)] as AgentInputItem[]);
    const old = words(await inner.getItems());
    const right = inner.applyHistoryTransaction.bind(inner);
    const reason = new Error('disk full');
    inner.applyHistoryTransaction = async () => {
      throw reason;
    };
    const session = over<AgentInputItem>(inner);
    expect(await thrown(session.runCompaction())).toBe(reason);
    expect(words(await inner.getItems())).toEqual(old);
    inner.applyHistoryTransaction = async (args) => {
      await right(args);
      throw new Error('connection lost');
    };
    expect(await session.runCompaction()).not.toBeNull();
    expect(words(await inner.getItems())).toEqual(['m0', 'm1', 'compaction']);
  });

  it('tries again when somebody is in between', async () => {
    const inner = new OfficialSession();
    await inner.addItems([...messages(2), ...answers(10)] as AgentInputItem[]);
    const right = inner.applyHistoryTransaction.bind(inner);
    let times = 0;
    inner.applyHistoryTransaction = async (args) => {
      if (times++ === 0) await inner.addItems([message('late')] as AgentInputItem[]);
      await right(args);
    };
    await over<AgentInputItem>(inner).runCompaction();
    expect(words(await inner.getItems())).toEqual(['m0', 'm1', 'compaction', 'late']);
  });
});

describe('over a session that asks for the run context', () => {
  it('hands it on, and only to such a one', async () => {
    const given: unknown[] = [];
    class Aware extends ForeignSession {
      readonly acceptsRunContext = true;
      override getItems(limit?: number, context?: unknown): Promise<unknown[]> {
        given.push(context);
        return super.getItems(limit);
      }
      override addItems(items: unknown[], context?: unknown): Promise<void> {
        given.push(context);
        return super.addItems(items);
      }
    }
    const context = { usage: {} };
    const aware = over<unknown>(new Aware());
    expect(aware.acceptsRunContext).toBe(true);
    const { ownership } = await aware.getItemsWithCompactionOwnership(context);
    await aware.addItemsWithCompactionOwnership([message('m')], ownership, context);
    expect(given).toEqual([context, context]);

    given.length = 0;
    class Plain extends ForeignSession {
      override getItems(limit?: number, ...rest: unknown[]): Promise<unknown[]> {
        given.push(...rest);
        return super.getItems(limit);
      }
    }
    await over<unknown>(new Plain()).getItemsWithCompactionOwnership(context);
    expect(given).toEqual([undefined]);
  });
});
