import type { HistoryChange, LogRow } from '@sessions/core/store';
import { FINAL } from '../../../packages/core/src/log/event-log.ts';
import { eventOf, type LogEvent } from '../../../packages/core/src/log/log-event.ts';

/** What a session is, from one event to the next. */
interface State {
  readonly items: readonly string[];
  readonly operations: ReadonlyMap<string, string>;
  readonly endsAt: number | undefined;
  /** Which life it is. Nothing is known of one that nobody has begun. */
  readonly life: string | undefined;
  /** The key of its event. */
  readonly key: string;
}

/** A call, as far as it has to be known to say whether it was right. */
export interface FollowedCall {
  readonly change?: HistoryChange | undefined;
  /** What a change that drops some was told that these are. */
  readonly expected?: readonly string[] | undefined;
  /** How many states there were when it began. */
  readonly since: number;
  /** When it began, by its caller's clock. */
  readonly begunAt: number;
  /** Set when its event was inserted. */
  made?: { readonly popped: string | undefined; readonly isFresh: boolean };
}

/** What is wrong. */
export class Wrong extends Error {}

/**
 * A session as its calls have to see it, followed from insert to insert: each event has to be the change of one call, made
 * once, on what the event before it left.
 */
export class Followed {
  readonly #states: State[] = [
    { items: [], operations: new Map(), endsAt: undefined, life: undefined, key: '' },
  ];
  readonly #calls = new Map<string, FollowedCall>();

  begin(call: Omit<FollowedCall, 'since'>): FollowedCall {
    const begun = { ...call, since: this.#states.length - 1 };
    if (call.change) this.#calls.set(call.change.id, begun);
    return begun;
  }

  get #now(): State {
    return this.#states.at(-1)!;
  }

  /**
   * An event was inserted.
   *
   * @param newest - the key of the newest event before
   * @param now - by the clock of who did it
   */
  insert(row: LogRow, newest: string | undefined, now: number): void {
    const event = eventOf(row);
    if (newest !== undefined && row.key < newest) wrong(`${event.id} stands below the newest, ${newest}`);
    const state = this.#now;
    const life = String([event.life.seq, event.life.name]);
    const begins = life !== state.life;
    const call = this.#calls.get(event.id);
    if (begins && !call?.change?.clear) this.#mayBegin(call, now);
    const next = call ? this.#changed(call, event, begins) : begins ? NOTHING : state;
    this.#states.push({ ...next, endsAt: event.endsAt, life, key: row.key });
  }

  /** A row was written anew. */
  rewrite(row: LogRow): void {
    const { endsAt, cut } = eventOf(row);
    const isNewest = row.key === this.#now.key && !cut && row.rev < FINAL;
    if (isNewest && endsAt !== this.#now.endsAt) this.#states.push({ ...this.#now, endsAt });
  }

  #mayBegin(call: FollowedCall | undefined, now: number): void {
    const { items, operations, life } = this.#now;
    // Clocks differ: by that of who did it, the session may have been over before another one moved the end.
    const seen = this.#states.slice(call?.since ?? -1).filter((state) => state.life === life);
    const isEmpty = items.length === 0 && operations.size === 0;
    if (!isEmpty && !seen.some((state) => isOver(state, now))) wrong('a life began that nobody had ended');
  }

  #changed(call: FollowedCall, { under }: LogEvent, begins: boolean): Pick<State, 'items' | 'operations'> {
    const { drop, add, clear, operation, id } = call.change!;
    if (call.made) wrong(`${id} was made twice`);
    const state = this.#now;
    const wasOver = isOver(state, call.begunAt);
    if (wasOver && !begins && under.seq !== 0) wrong(`${id} went on in a session that was over`);
    // Of a session that is over, the store may have removed all but the clear before it, whose life then goes on.
    const isFresh = begins || wasOver;
    const items = [...state.items];
    const dropped = items.splice(drop === 'all' ? 0 : Math.max(0, items.length - drop));
    if (call.expected && !isFresh && String(call.expected) !== String(dropped))
      wrong(`${id} dropped ${dropped} for ${call.expected}`);
    const isPop = drop === 1 && call.change!.ifVersion === undefined;
    call.made = { popped: isPop ? dropped[0] : undefined, isFresh };
    const operations = new Map(isFresh ? [] : state.operations);
    if (operation && operations.has(operation.id)) wrong(`${operation.id} was applied again`);
    if (operation) operations.set(operation.id, operation.digest);
    return clear ? NOTHING : { items: [...(isFresh ? [] : items), ...add], operations };
  }

  /** What a call may have seen of the history by now. */
  seenBy(call: FollowedCall, now: number): (readonly string[])[] {
    return this.#states
      .slice(call.since)
      .flatMap((state) => [
        ...(isOver(state, call.begunAt) ? [] : [state.items]),
        ...(isOver(state, now) ? [[]] : []),
      ]);
  }

  /** Whether a call that changed nothing was right to say that it is done. */
  needsNothing(call: FollowedCall, now: number): boolean {
    const { drop, add, clear, operation } = call.change!;
    const states = this.#states.slice(call.since);
    if (operation)
      return states.some(
        (state) => state.operations.get(operation.id) === operation.digest && !isOver(state, call.begunAt),
      );
    if (drop === 1) return this.seenBy(call, now).some((items) => items.length === 0);
    if (clear) {
      return states.some(
        (state) => (state.items.length === 0 && state.operations.size === 0) || isOver(state, now),
      );
    }
    return drop === 'all' && add.length === 0;
  }

  /** Whether an operation was known with another digest. */
  isOther({ change, since }: FollowedCall): boolean {
    const { id, digest } = change!.operation!;
    return this.#states.slice(since).some(({ operations }) => (operations.get(id) ?? digest) !== digest);
  }
}

const NOTHING = { items: [], operations: new Map<string, string>() };

function isOver({ endsAt }: State, now: number): boolean {
  return endsAt !== undefined && endsAt <= now;
}

export function wrong(what: string): never {
  throw new Wrong(what);
}
