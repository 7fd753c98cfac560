/**
 * A store of any log whose entries can be put under a condition. Apart from the rest of the implementor's side, for most
 * stores need none of it.
 *
 * @see docs/event-log.md
 */

export { type EventLog, FINAL, type LogErasure, type LogRange, type LogRow } from './log/event-log.ts';
export { LogHistory, type LogOptions } from './log/log-history.ts';
