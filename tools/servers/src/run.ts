import { execFile } from 'node:child_process';

/** A program and its arguments. */
export type Command = readonly string[];

/** Runs a command to its end; gives its output, or rejects with the last thing it said. */
export function run([file, ...args]: Command, timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file!, args, { timeout, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trim());
      const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-3).join(' ').trim();
      const why = error.killed ? `no end after ${timeout} ms` : said || error.message;
      reject(new Error(`\`${file} ${args[0] ?? ''}\` failed: ${why}`));
    });
  });
}
