import { describe, expect, it } from 'vitest';
import { message, messages, useStandIn } from './stand-in.ts';

const bench = useStandIn();

describe('what a call costs, in requests', () => {
  it('a turn on an existing conversation: one list a page that is needed, one create a 20 items', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(30) });
    await session.getSessionId();
    await session.getItems();
    await session.addItems(messages(3));
    expect(bench.asked()).toEqual(['items.list', 'items.list', 'items.create']);
  });

  it('getItems(1): one page, whatever the length', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(200) });
    await session.getItems(1);
    expect(bench.asked()).toEqual(['items.list']);
  });

  it('popItem: two', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(200) });
    await session.popItem();
    expect(bench.asked()).toEqual(['items.list', 'items.delete']);
  });

  it('clearSession: one, and one to begin again', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(1) });
    await session.clearSession();
    await session.addItems([message('a')]);
    expect(bench.asked()).toEqual(['conversations.delete', 'conversations.create', 'items.create']);
  });

  it('a read of what fills its page exactly: no page more', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(40) });
    await session.getItems(40);
    await session.getItems();
    expect(bench.asked()).toHaveLength(4);
  });
});
