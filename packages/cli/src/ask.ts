import { createInterface } from 'node:readline';

/** Asks on the terminal, and takes nothing for a yes but that word: not an empty line, nor the end of the input. */
export async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  process.stderr.write(`${question} Type yes to go on: `);
  // Not as a terminal: that would take Ctrl-C for itself.
  const lines = createInterface({ input: process.stdin, terminal: false, signal });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(''));
  });
  lines.close();
  signal.throwIfAborted();
  return answer.trim().toLowerCase() === 'yes';
}
