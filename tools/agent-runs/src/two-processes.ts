import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runOn, runUntilAsked } from './approval.ts';
import { type AgentRun, type OpenSession, outcome } from './scenario.ts';

/** How another process builds the session: `new (await import(module))[name](options)`. */
export interface SessionElsewhere {
  /** The URL of a module. */
  readonly module: string;
  /** What the module calls the class. */
  readonly name: string;
  /** JSON: a connection cannot cross processes, what it is made from can. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The conversation of `approvalScenario`, the person's answer being given in another process: only the
 * serialized run and what the store holds get there. Its outcome is that of the scenario in one process.
 */
export async function approveInAnotherProcess(
  open: OpenSession,
  { module, name, options }: SessionElsewhere,
): Promise<AgentRun> {
  const asked = await runUntilAsked(open());
  const script = join(import.meta.dirname, 'approving-process.ts');
  const running = promisify(execFile)(
    process.execPath,
    ['--conditions=@sessions/source', script, module, name],
    // Not as an argument, which everybody on the machine can read: a URL may hold a password.
    { env: { ...process.env, SESSION_OPTIONS: JSON.stringify(options) } },
  );
  running.child.stdin!.end(asked.state);
  const { stdout } = await running;
  const allowed = JSON.parse(stdout) as { pid: number; shown: AgentRun['shown'] };
  assert.notEqual(allowed.pid, process.pid);
  const after = await runOn(open());
  const { stored } = await outcome(open);
  return { stored, shown: [...asked.shown, ...allowed.shown, ...after] };
}
