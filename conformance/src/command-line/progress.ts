import type { ConformanceCase } from '../case.ts';
import type { CaseResult } from '../report/report.ts';

/** Where progress is told: `process.stderr`, or something that is like it. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\u001b[K';

/**
 * Tells how far a run is: on a terminal in one line that is written over and goes at the end; anywhere else not at all. What
 * fails gets a line that stays, on both. Its `onStart` and `onResult` are those of `runConformance()`.
 */
export class Progress implements Disposable {
  readonly #name: string;
  readonly #total: number;
  readonly #stream: ProgressStream;
  readonly #started = performance.now();
  #done = 0;
  #failed = 0;

  /**
   * @param name - the adapter's
   * @param total - how many cases there are
   */
  constructor(name: string, total: number, stream: ProgressStream = process.stderr) {
    this.#name = name;
    this.#total = total;
    this.#stream = stream;
  }

  readonly onStart = ({ clause, title }: ConformanceCase): void => {
    if (!this.#stream.isTTY) return;
    const seconds = Math.round((performance.now() - this.#started) / 1_000);
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    const line = `${this.#name}: ${this.#done} of ${this.#total}${failed}, ${seconds} s: ${clause} ${title}`;
    // A line that wraps could not be written over.
    this.#stream.write(CLEAR_LINE + line.slice(0, (this.#stream.columns ?? 80) - 1));
  };

  readonly onResult = ({ status, clause, title }: CaseResult): void => {
    this.#done++;
    if (status !== 'failed' && status !== 'kit error') return;
    this.#failed++;
    const word = status === 'failed' ? 'FAILED' : 'KIT ERROR';
    this.#clear();
    this.#stream.write(`${this.#name}: ${word} ${clause} ${title}\n`);
  };

  [Symbol.dispose](): void {
    this.#clear();
  }

  #clear(): void {
    if (this.#stream.isTTY) this.#stream.write(CLEAR_LINE);
  }
}
