import { createHash } from 'node:crypto';
import type { SessionRequest } from '@sessions/conformance';

/** Enough for a call that has to give way to many others, on engines that take a hundred times as long as a mongod. */
export const PATIENCE = { timeoutMs: 30_000 };

/** How long the part of the kit's ids is that all sessions of one case have in common. */
const CASE_PART = 40;

/**
 * The collection of a session: one for each case, since the engines of these tests find rows by reading whole collections. A
 * case that wants its sessions in one collection, or in different ones, says so.
 */
export function collectionNameOf({ sessionId, namespace }: SessionRequest): string {
  // What is no id is refused wherever it is.
  const text =
    namespace === undefined ? `case ${String(sessionId).slice(0, CASE_PART)}` : `space ${namespace}`;
  return `sessions-${createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 24)}`;
}

/** The same server and credentials, by another address and with other options. */
export function urlWith(url: string, address: { host: string; port: number }, options = {}): string {
  const other = new URL(url);
  other.hostname = address.host;
  other.port = String(address.port);
  for (const [name, value] of Object.entries(options)) other.searchParams.set(name, String(value));
  return other.href;
}
