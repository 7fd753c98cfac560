import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { write } from './write.ts';

/** What a shell ends with when there is no such program. */
const NO_PROGRAM = 127;

/** Shows items with the user's pager, `$PAGER` or `less -R`, until that is left; or writes them, where there is none. */
export async function page<T>(items: readonly T[], print: (item: T, at: number) => string): Promise<void> {
  // Without a LESS of the user's own, as git does it: not to page what fits the screen, and to leave there what was read.
  const env = { LESS: 'FX', ...process.env };
  const pager = spawn(process.env.PAGER || 'less -R', {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env,
  });
  const ended = once(pager, 'close');
  // The terminal sends it to both, and it is the pager's to say what it means.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    await write(items, print, pager.stdin);
    const [code] = await ended;
    if (code === NO_PROGRAM) await write(items, print, process.stdout);
  } finally {
    process.off('SIGINT', ignore);
  }
}
