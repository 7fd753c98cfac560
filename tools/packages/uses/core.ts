import { isSessionError, resolveSessionLimit, type Session } from '@sessions/core';
import {
  type EventLog,
  type LogErasure,
  LogHistory,
  type LogRange,
  type LogRow,
  StoredSession,
} from '@sessions/core/store';

class TableLog implements EventLog {
  readonly maxRowBytes = 100_000;
  readonly #rows = new Map<string, LogRow>();

  async *scan({ first, last, newestFirst }: LogRange): AsyncIterable<LogRow> {
    const keys = [...this.#rows.keys()].filter((key) => key >= first && key <= last).sort();
    for (const key of newestFirst ? keys.reverse() : keys) yield this.#rows.get(key)!;
  }

  async put(row: LogRow): Promise<boolean> {
    const there = this.#rows.get(row.key);
    if (row.rev === 0 ? there : there?.rev !== row.rev - 1) return false;
    this.#rows.set(row.key, row);
    return true;
  }

  async erase(erasures: readonly LogErasure[]): Promise<void> {
    for (const { key, leave } of erasures) {
      if (leave) this.#rows.set(key, leave);
      else this.#rows.delete(key);
    }
  }
}

export async function use(): Promise<void> {
  const log = new TableLog();
  const session: Session<{ n: number }> = new StoredSession<{ n: number }>({
    adapter: 'table',
    sessionId: 'a',
    open: (options) => new LogHistory(log, options),
  });
  await session.addItems([{ n: 1 }, { n: 2 }, { n: 3 }]);
  const popped = await session.popItem();
  const rest = await session.getItems(resolveSessionLimit(1));
  if (popped?.n !== 3 || rest.length !== 1 || rest[0]?.n !== 2) throw new Error('Other items came out');
  const refused = await session
    .addItems([{ n: (() => 1) as unknown as number }])
    .catch((error: unknown) => error);
  if (!isSessionError(refused, 'INVALID_ITEM')) throw new Error('A function was stored');
}
