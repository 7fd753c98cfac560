import type { LogRow } from './event-log.ts';
import { type Life, ordered } from './log-event.ts';

/**
 * Says at which event an operation was aimed, so that it is found without reading the history. Written before the event:
 * an event that bears an operation stands only where the operation's row says, or said until it was known that another
 * event stands there.
 */
interface Head {
  readonly aim: number;
}

export function operationKey({ seq, name }: Life, operationId: string): string {
  return `o${ordered(seq)}.${name}.${operationId}`;
}

export function operationRow(
  key: string,
  aim: number,
  before: LogRow | undefined,
  removeAt: number | undefined,
): LogRow {
  const head: Head = { aim };
  return { key, rev: before ? before.rev + 1 : 0, head: JSON.stringify(head), texts: [], removeAt };
}

export function aimOf({ head }: LogRow): number {
  return (JSON.parse(head) as Head).aim;
}
