import { isSessionError } from '@sessions/core';
import { MemorySession } from '@sessions/memory';

export async function use(): Promise<void> {
  const session = new MemorySession({ sessionId: 'user-42' });
  await session.addItems([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi', seen: new Date(5) },
  ]);
  const popped = await session.popItem();
  const [first, ...others] = await session.getItems();
  if (popped?.role !== 'assistant' || first?.content !== 'Hello' || others.length > 0) {
    throw new Error('Other items came out');
  }
  await session.close();
  const refused = await session.getItems().catch((error: unknown) => error);
  if (!isSessionError(refused, 'CLOSED')) throw new Error('A closed session gave items');
}
