import type { EventLog, LogErasure, LogRange, LogRow } from '../../src/log/event-log.ts';
import type { StoreCall } from '../../src/store/history-store.ts';

/** What a step does to the rows. */
export interface Step<T = unknown> {
  readonly kind: 'scan' | 'put' | 'erase';
  readonly key: string;
  /** Of the call that it is a step of. */
  readonly signal: AbortSignal;
  /** Reads or writes, in one instant. */
  act(): T;
}

/** Lets a step happen, or not, or late, or lose its reply: as a test decides. */
export type TakeStep = <T>(step: Step<T>) => Promise<T>;

export interface MemoryLogOptions {
  readonly takeStep?: TakeStep | undefined;
  readonly maxRowBytes?: number | undefined;
  /** How many rows a scan reads in one instant; as many as are expected, if left out. */
  readonly pageRows?: number | undefined;
  /** Whether a scan finds the keys of a page first and reads the rows then, one by one, as through an index. */
  readonly throughIndex?: boolean | undefined;
}

/** The rows of one session, in memory. Whatever a store does in one instant is one step. */
export class MemoryLog implements EventLog {
  readonly maxRowBytes: number;
  readonly #rows: Map<string, LogRow>;
  readonly #takeStep: TakeStep;
  readonly #pageRows: number;
  readonly #throughIndex: boolean;

  constructor(rows: Map<string, LogRow>, options: MemoryLogOptions = {}) {
    const { takeStep = async ({ act }) => act(), maxRowBytes = 100_000 } = options;
    this.#rows = rows;
    this.#takeStep = takeStep;
    this.maxRowBytes = maxRowBytes;
    this.#pageRows = options.pageRows ?? Number.POSITIVE_INFINITY;
    this.#throughIndex = options.throughIndex ?? false;
  }

  async *scan(
    { first, last, newestFirst, expected }: LogRange,
    { signal }: StoreCall,
  ): AsyncIterable<LogRow> {
    const pageRows = Math.min(expected, this.#pageRows);
    let read: string | undefined;
    for (;;) {
      const act = () => {
        const isWanted = (key: string) => {
          if (key < first || key > last) return false;
          return read === undefined || (newestFirst ? key < read : key > read);
        };
        const keys = [...this.#rows.keys()].filter(isWanted).sort();
        if (newestFirst) keys.reverse();
        return keys.slice(0, pageRows).map((key) => ({ key, row: this.#rows.get(key) }));
      };
      const page = await this.#takeStep({ kind: 'scan', key: read ?? first, signal, act });
      for (const { key, row } of page) {
        const now = this.#throughIndex ? await this.#read(key, signal) : row;
        if (now) yield now;
      }
      if (page.length < pageRows) return;
      read = page.at(-1)!.key;
    }
  }

  #read(key: string, signal: AbortSignal): Promise<LogRow | undefined> {
    return this.#takeStep({ kind: 'scan', key, signal, act: () => this.#rows.get(key) });
  }

  put(row: LogRow, { signal }: StoreCall): Promise<boolean> {
    const act = () => {
      const there = this.#rows.get(row.key);
      if (row.rev === 0 ? there !== undefined : there?.rev !== row.rev - 1) return false;
      this.#rows.set(row.key, row);
      return true;
    };
    return this.#takeStep({ kind: 'put', key: row.key, signal, act });
  }

  async erase(erasures: readonly LogErasure[], { signal }: StoreCall): Promise<void> {
    for (const { key, leave } of erasures) {
      const act = () => {
        if (leave) this.#rows.set(key, leave);
        else this.#rows.delete(key);
      };
      await this.#takeStep({ kind: 'erase', key, signal, act });
    }
  }
}
