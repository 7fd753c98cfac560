import { randomUUID } from 'node:crypto';
import { isSessionError } from '@sessions/core';
import type { AnySession, Capabilities, ConformanceAdapter, Connection } from './adapter.ts';
import { inTime } from './in-time.ts';
import { messageOf, wrongParts } from './start-adapter.ts';

/** How long an adapter may take for each thing that every case needs, in milliseconds. */
const EXAMINE_MS = 10_000;

const METHODS = ['getSessionId', 'getItems', 'addItems', 'popItem', 'clearSession'] as const;

/** The method of each capability that has one. */
const CAPABLE = {
  transactions: 'applyHistoryTransaction',
  rewrites: 'applyHistoryMutations',
  replacement: 'replaceHistoryWithCompaction',
} as const satisfies Partial<Record<keyof Capabilities, keyof AnySession>>;

/** What keeps every case from being tried. */
class Problem extends Error {}

/**
 * Looks whether an adapter can be tried at all: whether its description is whole, and whether it opens a client, builds a
 * session with the methods that it says it has, reads it, and ends both in time. What a clause is about is left to the cases.
 *
 * @returns what is wrong, a line each; nothing if it can be tried
 */
export async function examineAdapter(adapter: ConformanceAdapter, timeoutMs = EXAMINE_MS): Promise<string[]> {
  const wrong = wrongParts(adapter);
  if (wrong.length > 0) return wrong;
  try {
    const connection = await ask('open()', timeoutMs, () => adapter.open());
    try {
      await tryConnection(adapter, connection, timeoutMs);
    } catch (error) {
      // Nobody waits for what may hang as well.
      void (async () => connection.close())().catch(() => undefined);
      throw error;
    }
    await ask('close() of a client', timeoutMs, async () => connection.close());
    return [];
  } catch (error) {
    if (error instanceof Problem) return [error.message];
    throw error;
  }
}

async function tryConnection(
  { capabilities }: ConformanceAdapter,
  connection: Connection,
  timeoutMs: number,
): Promise<void> {
  const { session: build, close } = Object(connection) as Partial<Connection>;
  if (typeof build !== 'function' || typeof close !== 'function')
    throw new Problem(
      "The adapter's open() gives no client: an object with the functions `session` and `close`.",
    );
  const session = await ask('session() of a client', timeoutMs, async () => ({
    // Wrapped, for a promise would be waited for.
    built: connection.session({ sessionId: `kit-${randomUUID()}`, timeoutMs: timeoutMs / 2 }),
  }));
  mustBeSession(session.built, capabilities);
  await mustBeRead(session.built, timeoutMs);
  await ask('close() of a session', timeoutMs, async () => session.built.close?.());
}

function mustBeSession(session: AnySession, capabilities: Capabilities): void {
  if (typeof session !== 'object' || session === null)
    throw new Problem(
      `The adapter's session() gives ${session === null ? 'null' : `a value of type ${typeof session}`}, not a session.`,
    );
  if (typeof (session as { then?: unknown }).then === 'function')
    throw new Problem(
      "The adapter's session() gives a promise, not a session; what has to be waited for belongs in open().",
    );
  const has = (name: keyof AnySession) => typeof session[name] === 'function';
  const missing = METHODS.filter((name) => !has(name));
  if (missing.length > 0)
    throw new Problem(
      `The adapter's session() gives something that is no session: it has no ${missing.map((name) => `${name}()`).join(', no ')}.`,
    );
  for (const [name, method] of Object.entries(CAPABLE)) {
    if (capabilities[name as keyof typeof CAPABLE] === true && !has(method))
      throw new Problem(
        `The adapter says that it has \`capabilities.${name}\`, but its sessions have no ${method}().`,
      );
  }
}

/** Any answer will do, and most errors too, except that there is no store. */
async function mustBeRead(session: AnySession, timeoutMs: number): Promise<void> {
  try {
    await ask('getItems() of a new session', timeoutMs, async () => session.getItems(1));
  } catch (error) {
    if (
      !(error instanceof Problem) ||
      error.cause === undefined ||
      isSessionError(error.cause, 'UNAVAILABLE')
    )
      throw error;
  }
}

/** Does a thing of the adapter's. @throws Problem */
async function ask<T>(what: string, ms: number, make: () => Promise<T>): Promise<T> {
  // The function is async for what is thrown without a promise.
  const making = (async () => make())().catch((cause: unknown) => {
    throw new Problem(`The adapter's ${what} failed: ${messageOf(cause)}`, { cause });
  });
  const late = () => new Problem(`The adapter's ${what} did not come to an end within ${ms / 1_000} s.`);
  return inTime(making, ms, late);
}
