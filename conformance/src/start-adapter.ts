import { inspect, types } from 'node:util';
import type { ProtocolVersion } from '@sessions/core';
import { checkProtocolVersion } from '@sessions/core/store';
import type { ConformanceAdapter, StartedAdapter } from './adapter.ts';
import { CLAUSES } from './clauses.ts';
import { inTime } from './in-time.ts';

/** What the skins and the command line take: an adapter, one with its end, or a function that gives either. */
export type AdapterSource =
  | ConformanceAdapter
  | StartedAdapter
  | (() => ConformanceAdapter | StartedAdapter | Promise<ConformanceAdapter | StartedAdapter>);

/** What was given is no adapter, or does not start; the message is one line that says what to do. */
export class WrongAdapter extends Error {}

/** The longest that an adapter may take to start, in milliseconds: servers are downloaded meanwhile. */
export const START_TIMEOUT_MS = 480_000;

/**
 * Starts an adapter, and looks whether it has all that the kit will use.
 *
 * @param timeoutMs - how long to wait for it. One that starts after that is stopped.
 * @throws WrongAdapter
 */
export async function startAdapter(
  source: AdapterSource,
  timeoutMs = START_TIMEOUT_MS,
): Promise<StartedAdapter> {
  const given = await start(source, timeoutMs);
  const isStarted = typeof given === 'object' && given !== null && 'adapter' in given;
  const wrong = isStarted ? [...wrongParts(given.adapter), ...wrongStop(given)] : wrongParts(given);
  if (wrong.length === 0) {
    return isStarted
      ? (given as StartedAdapter)
      : { adapter: given as ConformanceAdapter, stop: async () => undefined };
  }
  await stopQuietly(given);
  throw new WrongAdapter(`${wrong.join('; ')}. The type ConformanceAdapter says what an adapter has.`);
}

async function start(source: unknown, timeoutMs: number): Promise<unknown> {
  let isLate = false;
  const starting = (async () => await (typeof source === 'function' ? source() : source))();
  const started = starting.then(
    (given) => (isLate ? stopQuietly(given) : given),
    (cause: unknown) => {
      throw new WrongAdapter(`The adapter did not start: ${messageOf(cause)}`, { cause });
    },
  );
  return inTime(started, timeoutMs, () => {
    isLate = true;
    return new WrongAdapter(`The adapter did not start within ${timeoutMs / 1000} s. Does its store answer?`);
  });
}

/** Where the kit's own code is. */
const KIT = new URL('.', import.meta.url).href;

/** What somebody threw, in one line, with the place in their code if it is known. */
export function messageOf(thrown: unknown): string {
  const [line] = textOf(thrown).trim().split('\n', 1);
  const stack = types.isNativeError(thrown) ? String(thrown.stack) : '';
  const places = stack.match(/file:\/\/\S+:\d+:\d+/g) ?? [];
  const place = places.find((place) => !place.startsWith(KIT) && !place.includes('/node_modules/'));
  return place ? `${line} (${place.slice('file://'.length)})` : `${line}`;
}

function textOf(thrown: unknown): string {
  if (types.isNativeError(thrown)) return thrown.message || thrown.name;
  return typeof thrown === 'string' ? thrown : inspect(thrown);
}

async function stopQuietly(given: unknown): Promise<void> {
  try {
    await (given as Partial<StartedAdapter> | undefined)?.stop?.();
  } catch {
    // Nobody can do anything about it, and what was wrong first is what is told.
  }
}

function wrongStop(given: unknown): string[] {
  return typeof part(given, 'stop') === 'function'
    ? []
    : [`Beside its \`adapter\` there is no function \`stop\``];
}

/** What an adapter lacks of all that the kit will use; nothing if it is whole. */
export function wrongParts(given: unknown): string[] {
  if (typeof given !== 'object' || given === null) {
    return [`An adapter is an object, or what a function gives, not ${kindOf(given)}`];
  }
  const adapter = given as Record<string, unknown>;
  const wrong: string[] = [];
  const want = (isRight: boolean, what: string) => void (isRight || wrong.push(`it has no ${what}`));
  want(isText(adapter.name), 'text `name`');
  want(isText(adapter.store), 'text `store`');
  for (const name of ['transactions', 'rewrites', 'replacement', 'expiry']) {
    const capability = part(adapter.capabilities, name);
    want(
      capability === true || isUnsupported(capability),
      `\`capabilities.${name}\` (true, or { unsupported: reason })`,
    );
  }
  want(typeof adapter.open === 'function', 'function `open`');
  const address = part(adapter.wire, 'address');
  want(
    isUnsupported(adapter.wire) ||
      (typeof part(adapter.wire, 'own') === 'function' &&
        isText(part(address, 'host')) &&
        typeof part(address, 'port') === 'number'),
    '`wire` ({ address: { host, port }, own }, or { unsupported: reason })',
  );
  want(
    isUnsupported(adapter.processes) || isText(part(adapter.processes, 'module')),
    '`processes` ({ module, options }, or { unsupported: reason })',
  );
  if (!isUnsupported(adapter.backdoor)) {
    for (const name of ['plant', 'contents', 'records']) {
      const given = part(adapter.backdoor, name);
      want(
        typeof given === 'function' || isUnsupported(given),
        `\`backdoor.${name}\` (a function, or { unsupported: reason })`,
      );
    }
  }
  const { gaps = [], compaction, conversations } = adapter;
  want(
    compaction === undefined || isUnsupported(compaction) || typeof part(compaction, 'wrap') === 'function',
    '`compaction` with a function `wrap` (or { unsupported: reason }, or nothing at all)',
  );
  want(
    conversations === undefined ||
      isUnsupported(conversations) ||
      typeof part(conversations, 'open') === 'function',
    '`conversations` with a function `open` (or { unsupported: reason }, or nothing at all)',
  );
  want(
    Array.isArray(gaps) && gaps.every((gap) => isClause(part(gap, 'clause')) && isText(part(gap, 'reason'))),
    '`gaps` of clauses that there are ([{ clause, reason }])',
  );
  if (wrong.length > 0) return [`The adapter is not whole: ${wrong.join(', ')}`];
  return wrongProtocol(adapter.protocolVersion as ProtocolVersion | undefined);
}

function wrongProtocol(builtFor: ProtocolVersion | undefined): string[] {
  try {
    if (builtFor !== undefined) checkProtocolVersion(builtFor);
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function part(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? (owner as Record<string, unknown>)[name] : undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isClause(value: unknown): boolean {
  return CLAUSES.some((clause) => clause === value);
}

function isUnsupported(value: unknown): boolean {
  return isText(part(value, 'unsupported'));
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return `a ${typeof value}`;
}
