import type { ProcessOpening } from './process-opening.ts';

/** Clocks that are wrong, each as an expression over `real`, the right time, and `start`, when the process began. */
export const ODD_CLOCKS = [
  // Stands.
  '1',
  // Runs backwards, from far ahead.
  'start + 1e12 - 10 * (real - start)',
  // Jumps back and forth.
  'real + (real % 2 ? 1e9 : -1e9)',
] as const;

/** The same, for a process whose clock is another one from its first moment on. */
export function withClock(opening: ProcessOpening, clock: string): ProcessOpening {
  const source = `
    const RealDate = Date;
    const start = RealDate.now();
    const now = (real = RealDate.now()) => ${clock};
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        super(...(given.length === 0 ? [now()] : given));
      }
      static now() {
        return now();
      }
    };`;
  const { execArgv = process.execArgv } = opening;
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  return { ...opening, execArgv: [...execArgv, '--import', url] };
}
