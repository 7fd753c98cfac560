// Run as a process of its own, with a pipe from the process it serves as its stdin. That pipe closes however
// the other process ends, SIGKILL included, which no handler inside that process could see.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { Order, Plan, Report } from './guarded.ts';
import { type Command, run } from './run.ts';

const folder = process.argv[2]!;
mkdirSync(folder, { mode: 0o700 });
const log = openSync(join(folder, 'server.log'), 'a');
const plan = JSON.parse(process.argv[3]!) as Plan;
const running = new Map<ChildProcess, Promise<void>>();
let prepared = false;

const report = (what: Report) => process.stdout.write(`${JSON.stringify(what)}\n`);

// The reader of the reports may be gone.
process.stdout.on('error', () => {});

const lines = createInterface(process.stdin);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => lines.close());

try {
  // One order after the other: an end of input waits for the order under way, then everything is undone.
  for await (const line of lines) {
    const order = line as Order;
    const error = await carryOut(order).then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    report(error === undefined ? { order } : { order, error });
  }
} finally {
  signalAll('SIGKILL');
  if (plan.cleanup && prepared) await run(plan.cleanup, 60_000).catch((error) => console.error(error));
  await Promise.all(running.values());
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);

async function carryOut(order: Order): Promise<void> {
  if (order === 'start') return start();
  if (running.size === 0) throw new Error(`${order}: the server does not run`);
  const command = plan[order];
  if (command) await run(command, 60_000);
  else signalAll(({ freeze: 'SIGSTOP', thaw: 'SIGCONT', kill: 'SIGKILL' } as const)[order]);
  if (order === 'kill') await Promise.all(running.values());
  if (order === 'freeze' && !command) while ([...running.keys()].some(runs)) await setTimeout(1);
}

/** A signal is sent before it is felt. Where the system does not say of a process that it is stopped, it is taken to be. */
function runs({ pid }: ChildProcess): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^ [TtZX]/.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return false;
  }
}

async function start(): Promise<void> {
  if (running.size > 0) throw new Error('start: the server still runs');
  if (!prepared) {
    prepared = true;
    if (plan.prepare) await run(plan.prepare, 60_000);
  }
  await Promise.all(plan.commands.map(launch));
}

function launch([file, ...args]: Command): Promise<void> {
  return new Promise((resolve, reject) => {
    // A group of its own: what is found on a PATH may be a script that starts the server as its child.
    const child = spawn(file!, args, { cwd: folder, detached: true, stdio: ['ignore', log, log] });
    child.once('error', reject);
    child.once('spawn', () => {
      const exited = new Promise<void>((gone) => {
        child.once('exit', (code, signal) => {
          running.delete(child);
          report({ ended: `${file} ended (${signal ?? `exit code ${code}`})` });
          gone();
        });
      });
      running.set(child, exited);
      resolve();
    });
  });
}

function signalAll(signal: NodeJS.Signals): void {
  for (const child of running.keys()) {
    try {
      process.kill(-child.pid!, signal);
    } catch {}
  }
}
