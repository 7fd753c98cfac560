import type { EventLog, LogErasure, LogRange, LogRow } from '../../src/log/event-log.ts';

/** What a log needs to be read and written: one atomic step each, which may fail. */
export type Step = <T>(name: string, act: () => T) => Promise<T>;

/** The rows of one session, in memory, behind steps that a test decides on. */
export class MemoryLog implements EventLog {
  readonly maxRowBytes: number;
  readonly rows: Map<string, LogRow>;
  readonly #step: Step;

  constructor(rows: Map<string, LogRow>, step: Step = async (_, act) => act(), maxRowBytes = 100_000) {
    this.rows = rows;
    this.#step = step;
    this.maxRowBytes = maxRowBytes;
  }

  async *scan({ first, last, newestFirst, expected }: LogRange): AsyncIterable<LogRow> {
    let [from, to] = [first, last];
    for (;;) {
      const page = await this.#step('scan', () => {
        const keys = [...this.rows.keys()].filter((key) => key >= from && key <= to).sort();
        if (newestFirst) keys.reverse();
        return keys.slice(0, expected).map((key) => this.rows.get(key)!);
      });
      yield* page;
      if (page.length < expected) return;
      const { key } = page.at(-1)!;
      if (newestFirst) to = before(key);
      else from = `${key}!`;
    }
  }

  put(row: LogRow): Promise<boolean> {
    return this.#step('put', () => {
      const there = this.rows.get(row.key);
      if (row.rev === 0 ? there !== undefined : there?.rev !== row.rev - 1) return false;
      this.rows.set(row.key, row);
      return true;
    });
  }

  async erase(erasures: readonly LogErasure[]): Promise<void> {
    for (const { key, leave } of erasures) {
      await this.#step('erase', () => {
        if (leave) this.rows.set(key, leave);
        else this.rows.delete(key);
      });
    }
  }
}

/** The greatest key before another one, as far as keys of a log go. */
function before(key: string): string {
  return `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}~`;
}
