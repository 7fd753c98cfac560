import type { Capabilities, ConformanceAdapter, StartedAdapter } from '@sessions/conformance';
import { LogHistory, type LogRow, StoredSession } from '@sessions/core/store';
import { MemoryLog } from '../../../packages/core/test/support/memory-log.ts';

const capabilities: Capabilities = { transactions: true, rewrites: true, replacement: true, expiry: true };

/** So few that most of what the kit writes is in parts. */
const MAX_ROW_BYTES = 1_000;

/** Sessions over logs in memory; a "connection" is one more instance of the class. */
export async function startLogAdapter(): Promise<StartedAdapter> {
  const logs = new Map<string, Map<string, LogRow>>();
  const rowsOf = (sessionId: string, namespace = 'default') => {
    const name = JSON.stringify([namespace, sessionId]);
    const rows = logs.get(name) ?? new Map<string, LogRow>();
    logs.set(name, rows);
    return rows;
  };
  const newestOf = (sessionId: string) => {
    const rows = [...rowsOf(sessionId).values()].filter(({ key }) => key.startsWith('e'));
    const row = rows.sort((one, other) => (one.key < other.key ? 1 : -1))[0];
    return row && { ...row, event: JSON.parse(row.head) as Record<string, unknown> };
  };
  const adapter: ConformanceAdapter = {
    name: 'log',
    store: `Node.js ${process.version}`,
    capabilities,
    async open() {
      return {
        session: ({ namespace, sessionId, ...options }) =>
          new StoredSession<unknown>({
            adapter: 'log',
            sessionId,
            options,
            open: (resolved) => {
              const rows = rowsOf(sessionId, namespace);
              return new LogHistory(new MemoryLog(rows, { maxRowBytes: MAX_ROW_BYTES }), resolved);
            },
          }),
        close: async () => undefined,
      };
    },
    wire: { unsupported: 'There is no wire between a log in memory and its sessions.' },
    processes: { unsupported: 'A log in memory lives in one process.' },
    backdoor: {
      async plant(sessionId, kind) {
        const { key, event, texts, ...row } = newestOf(sessionId)!;
        const seq = Number(key.slice(1));
        const { parts, operation: _, ...rest } = event;
        const size = (parts as number[] | undefined)?.slice(2).reduce((sum, count) => sum + count, 0);
        const keep = size ?? texts.length;
        const head = { ...rest, id: crypto.randomUUID(), under: keep > 0 ? [seq, keep] : event.under };
        const planted = kind === 'held' ? '~9{"from":"a newer version"}' : '{"role":"us';
        const next = `e${String(seq + 1).padStart(15, '0')}`;
        rowsOf(sessionId).set(next, {
          ...row,
          key: next,
          rev: 0,
          head: JSON.stringify(head),
          texts: [planted],
        });
      },
      async contents() {
        return [...logs]
          .filter(([, rows]) => rows.size > 0)
          .flatMap(([name, rows]) => [
            name,
            ...[...rows.values()].flatMap(({ key, head, texts }) => [key, head, ...texts]),
          ]);
      },
      records: { unsupported: 'The records of a log are in parts.' },
      async lifetimes(sessionId) {
        const endsAt = newestOf(sessionId)?.event.endsAt as number | undefined;
        return newestOf(sessionId) ? [(endsAt ?? Number.POSITIVE_INFINITY) - Date.now()] : [];
      },
      restart: { unsupported: 'A log in memory ends with its process.' },
      async removeDue(ms) {
        for (const rows of logs.values()) {
          for (const { key, removeAt } of rows.values())
            if (removeAt !== undefined && removeAt <= Date.now() + ms) rows.delete(key);
        }
      },
      forget: { unsupported: 'A log in memory keeps nothing for its clients.' },
    },
  };
  return { adapter, stop: async () => undefined };
}
