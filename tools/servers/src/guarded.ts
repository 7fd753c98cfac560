import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from './run.ts';
import { until } from './until.ts';

/** What the guard runs. Without commands for freeze, thaw and kill it sends the processes signals. */
export interface Plan {
  /** Run once to its end, before the first start. */
  readonly prepare?: Command;
  /** Each stays in the foreground for as long as the server lives, with the data folder as its own folder. */
  readonly commands: readonly Command[];
  readonly freeze?: Command;
  readonly thaw?: Command;
  readonly kill?: Command;
  /** Run last, whatever happened before. */
  readonly cleanup?: Command;
}

export type Order = 'start' | 'freeze' | 'thaw' | 'kill';

/** What the guard says back: an order was carried out (or failed), or a process ended. */
export type Report = { readonly order: Order; readonly error?: string } | { readonly ended: string };

/** A server with a guard process, which ends it when this process ends, however that comes about. */
export interface Guarded {
  order(order: Order): Promise<void>;
  /** Starts the server and gives what `probe` gives once it succeeds. */
  start<T>(probe: () => Promise<T>): Promise<T>;
  /** Ends the server and deletes its data folder. */
  stop(): Promise<void>;
}

/** Starts the guard for a plan, with a data folder of its own in `parent`; no server runs before `start`. */
export function guarded(store: string, plan: Plan, parent: string = tmpdir()): Guarded {
  // The guard makes the folder, so that there is no moment when it exists without somebody to delete it.
  const folder = join(parent, `sessions-${store}-${randomUUID()}`);
  const script = join(import.meta.dirname, 'guard.ts');
  const child = spawn(process.execPath, [script, folder, JSON.stringify(plan)], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    // What the parent runs with (loaders, an inspector's port) isn't meant for the guard.
    env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' },
  });
  const { stdin, stdout } = child as unknown as { stdin: Socket; stdout: Socket };

  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  let ended: string | undefined;
  const exited = new Promise<void>((resolve) => {
    const gone = (how: string) => {
      ended = how;
      for (const { reject } of waiting.splice(0)) reject(new Error(how));
      resolve();
    };
    child.once('error', (error) => gone(`the guard could not be started: ${error.message}`));
    child.once('exit', (code, signal) => gone(`the guard ended (${signal ?? code})`));
  });
  createInterface(stdout).on('line', (line) => {
    const report = JSON.parse(line) as Report;
    if ('ended' in report) ended = report.ended;
    else if (report.error === undefined) waiting.shift()?.resolve();
    else waiting.shift()?.reject(new Error(report.error));
  });
  stdin.on('error', () => {});

  // The guard must not keep this process alive, except while something is awaited from it.
  child.unref();
  stdin.unref();
  stdout.unref();
  let held = 0;
  async function hold<T>(promise: Promise<T>): Promise<T> {
    if (held++ === 0) child.ref();
    return promise.finally(() => {
      if (--held === 0) child.unref();
    });
  }

  const order = (name: Order) => {
    const answer = new Promise<void>((resolve, reject) => {
      if (child.exitCode !== null || child.signalCode !== null) reject(new Error('the server was stopped'));
      else waiting.push({ resolve, reject });
    });
    stdin.write(`${name}\n`);
    return hold(answer);
  };

  let stopped: Promise<void> | undefined;
  return {
    order,
    async start(probe) {
      ended = undefined;
      try {
        await order('start');
        return await until(probe, 30_000, () => {
          if (ended !== undefined) throw new Error(ended);
        });
      } catch (error) {
        throw new Error(`${(error as Error).message}${tail(join(folder, 'server.log'))}`);
      }
    },
    stop() {
      stdin.end();
      stopped ??= hold(exited).then(() => {
        if (child.exitCode !== 0) throw new Error(`${ended}; the server or ${folder} may be left`);
      });
      return stopped;
    },
  };
}

function tail(logFile: string): string {
  try {
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-10);
    return lines.join('') === '' ? '' : `; its log ends:\n    ${lines.join('\n    ')}`;
  } catch {
    return '';
  }
}
