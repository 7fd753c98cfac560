/** A guard of the log, and what its source is without it. */
export interface Mutant {
  /** What is missing. */
  readonly name: string;
  /** A file of `packages/core/src/log`. */
  readonly file: string;
  /** What stands there, once. */
  readonly piece: string;
  readonly by: string;
}

/** Every guard that the log's promises rest on, deleted one at a time. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the own change id is not looked for',
    file: 'log-history.ts',
    piece: 'if (event?.id === change.id) return this.#finish',
    by: 'if (event?.id === change.id && (false as boolean)) return this.#finish',
  },
  {
    name: 'the attempt is remembered only when its reply came',
    file: 'log-history.ts',
    piece: '    work.attempt = attempt;\n    try {',
    by: '    try {',
  },
  {
    name: 'a failure after a lost reply says that nothing was written',
    file: 'log-history.ts',
    piece: 'throw work?.attempt ? uncertain(error) : notMade(error);',
    by: 'throw error;',
  },
  {
    name: 'no tombstones',
    file: 'log-erasure.ts',
    piece: 'await rows.erase(leftovers.map((leave) => ({ key: leave.key, leave })));',
    by: 'await rows.erase(leftovers.map(({ key }) => ({ key })));',
  },
  {
    name: 'tombstones stay no longer than a tail is remembered',
    file: 'log-erasure.ts',
    piece: 'const soon = Date.now() + TOMBSTONE_KEPT_MS;',
    by: 'const soon = Date.now();',
  },
  {
    name: 'a remembered tail has no age limit',
    file: 'log-history.ts',
    piece: 'this.#seen && isRecent(this.#seen)',
    by: 'this.#seen',
  },
  {
    name: 'the age of a remembered tail is told by one clock, which may stand still',
    file: 'log-history.ts',
    piece: ' && Math.abs(Date.now() - date) < TAIL_KEPT_MS',
    by: '',
  },
  {
    name: "an operation's tombstone forgets it",
    file: 'log-erasure.ts',
    piece: 'const isKnown = event.operation !== undefined && event.life.seq === life.seq;',
    by: 'const isKnown = false as boolean;',
  },
  {
    name: "an operation's tombstone goes before its life",
    file: 'log-erasure.ts',
    piece: 'const emptied = { ...event,',
    by: 'const emptied = { ...event, removeAt: Date.now() + TOMBSTONE_KEPT_MS,',
  },
  {
    name: "an operation's tombstone takes back that the rows last longer",
    file: 'log-erasure.ts',
    piece: 'if (isKnown) await empty(rows, event);',
    by: 'if (isKnown) leftovers.push(tombstoneOf(event, event.keptUntil));',
  },
  {
    name: 'a read moves the end past the time until which rows are kept, behind the back of writers',
    file: 'log-history.ts',
    piece: 'if (isKeptFor(tail, endsAt) && tail.endsAt! < endsAt) {',
    by: 'if (tail.endsAt !== undefined && tail.endsAt < endsAt) {',
  },
  {
    name: 'what was done for a call whose time is up is taken for the next one',
    file: 'log-history.ts',
    piece: 'this.#work = { id, ahead: new PartsAhead(id) };',
    by: 'this.#work = Object.assign(last ?? {}, { id, attempt: undefined, ahead: new PartsAhead(id) });',
  },
  {
    name: 'the store removes a clear before what it cleared is erased',
    file: 'log-attempt.ts',
    piece: 'begins && tail ? later(removeAt, tail.removeAt) : removeAt,',
    by: 'removeAt,',
  },
  {
    name: 'a clear stays for ever, once all is erased',
    file: 'log-erasure.ts',
    piece: 'litter.lives && begin === event.seq ? goesAt(event, event) : event.removeAt',
    by: 'event.removeAt',
  },
  {
    name: 'no aim before the event',
    file: 'log-history.ts',
    piece: 'if (search && !(await search.aim(event, known))) return undefined;',
    by: '',
  },
  {
    name: 'the aim is written after the event',
    file: 'log-history.ts',
    piece: 'if (search && !(await search.aim(event, known))) return undefined;',
    by: 'if (search && (await this.#put(attempt, work, rows))) return (await search.aim(event, known), this.#finish(attempt, moment, work, rows));',
  },
  {
    name: 'the aim is moved whoever else moved it',
    file: 'log-operations.ts',
    piece: 'if (!row || aimOf(row).first !== seq) return false;',
    by: 'if (!row) return false;',
  },
  {
    name: 'the aim is moved back by who looked before',
    file: 'log-operations.ts',
    piece: "return first > tail.seq + 1 && !this.#reader.isTornAgain(tail) ? 'ahead' : row;",
    by: 'return row;',
  },
  {
    name: 'an aim ahead of a history whose newest events were removed is waited for',
    file: 'log-operations.ts',
    piece: ' && !this.#reader.isTornAgain(tail)',
    by: '',
  },
  {
    name: 'the first aim of an operation is taken for the newest',
    file: 'log-operations.ts',
    piece: 'newestFirst: true, expected: 1',
    by: 'expected: 1',
  },
  {
    name: 'of the events that an operation is aimed at only the first is looked at',
    file: 'log-operations.ts',
    piece: 'this.#among(first, Math.min(last, tail.seq), events)',
    by: 'this.#among(first, Math.min(first, tail.seq), events)',
  },
  {
    name: 'an aim that somebody else wrote is gone on with, whatever stands at it by now',
    file: 'log-operations.ts',
    piece: 'if (!row || aimOf(row).first !== seq) return false;',
    by: 'if (!row || !isAimedAt(row, seq)) return false;',
  },
  {
    name: 'an event that came since is taken for looked at',
    file: 'log-operations.ts',
    piece: 'this.#passed = last;',
    by: 'this.#passed = last + 1;',
  },
  {
    name: 'an aim goes before the event that it leads to',
    file: 'log-operations.ts',
    piece: 'return lasts(row, removeAt) || this.#write({ ...row, rev: row.rev + 1, removeAt });',
    by: 'return true;',
  },
  {
    name: 'an operation is known in every life',
    file: 'log-operations.ts',
    piece: '#prefixOf({ seq, name }: Life): string {',
    by: "#prefixOf({ seq, name }: Life): string { seq = 0; name = '';",
  },
  {
    name: 'no look again where rows are too short',
    file: 'log-reader.ts',
    piece: 'if (records.length < keep - start) return this.#tornAt(view.tail!);',
    by: '',
  },
  {
    name: 'a newest event that was erased is taken for the newest',
    file: 'log-reader.ts',
    piece: 'if (isErased(event)) {',
    by: 'if (false as boolean) {',
  },
  {
    name: 'a newest event that was cut is taken for the newest',
    file: 'log-event.ts',
    piece: 'return event.cut === true || isFinal(event);',
    by: 'return isFinal(event);',
  },
  {
    name: 'an erased event that stays the newest is looked at for ever',
    file: 'log-reader.ts',
    piece: 'if (!this.isTornAgain(event)) return undefined;',
    by: 'return undefined;',
  },
  {
    name: 'an erased event is not the end of its session',
    file: 'log-reader.ts',
    piece: 'tail = { ...event, endsAt: 0 };',
    by: '',
  },
  {
    name: 'no erasure at all',
    file: 'log-history.ts',
    piece:
      'let tail = dropped.length > 0 ? await eraseDropped(rows, event, dropped) : await sweep(rows, event);',
    by: 'let tail: LogEvent = { ...event, litter: undefined };',
  },
  {
    name: 'no sweep before a write',
    file: 'log-history.ts',
    piece: 'const swept = await sweep(isLeft ? rows.within(ERASED_FIRST_MS) : rows, tail, view.events);',
    by: 'const swept = tail;',
  },
  {
    name: 'a remembered event that names litter is followed without a sweep',
    file: 'log-history.ts',
    piece: '!tail.litter && !mayEnd',
    by: '!mayEnd',
  },
  {
    name: 'what a look passed is taken for erased',
    file: 'log-erasure.ts',
    piece:
      '(found) => found.seq < litter.first || found.seq > litter.last || isEmptied(found) || isLeft(found),',
    by: '() => true,',
  },
  {
    name: 'what a look did not reach is taken for erased',
    file: 'log-erasure.ts',
    piece: ' || !isSeen(litter.first, events)) return false;',
    by: ') return false;',
  },
  {
    name: 'a new life is taken for clean once the events before it are',
    file: 'log-erasure.ts',
    piece: 'litter.lives || !isSeen',
    by: '!isSeen',
  },
  {
    name: 'a longer stretch than is left is taken for cut',
    file: 'log-erasure.ts',
    piece: 'seq === under.seq && size <= under.keep;',
    by: 'seq === under.seq;',
  },
  {
    name: 'an event that the look did not reach is not looked for',
    file: 'log-reader.ts',
    piece: 'isSeen(seq, events) ? events.find((event) => event.seq === seq) : this.#rows.event(seq);',
    by: 'events.find((event) => event.seq === seq);',
  },
  {
    name: 'an event does not name its litter',
    file: 'log-attempt.ts',
    piece: 'litter: tail || clear ? litter : undefined,',
    by: 'litter: tail && !isKept ? litter : undefined,',
  },
  {
    name: 'a cut is written whoever else cut',
    file: 'log-erasure.ts',
    piece: 'const shorter = { ...event, size: keep, cut: true, rev: event.rev + 1 };',
    by: 'const shorter = { ...event, size: keep, cut: true, rev: ((await rows.row(eventKey(event.seq)))?.rev ?? 0) + 1 };',
  },
  {
    name: 'a cut that came to nothing is not tried again',
    file: 'log-erasure.ts',
    piece: '} else if (await rows.put(rowOf({ ...shorter, records: event.records.slice(0, keep) }))) return;',
    by: '} else { await rows.put(rowOf({ ...shorter, records: event.records.slice(0, keep) })); return; }',
  },
  {
    name: 'a cut takes the event before its parts',
    file: 'log-erasure.ts',
    piece: '      const row = await rows.row(partKey(parts, last));\n',
    by: '      if (await rows.put(rowOf({ ...shorter, parts }))) event = { ...event, rev: event.rev + 1 };\n      const row = await rows.row(partKey(parts, last));\n',
  },
  {
    name: 'a part is cut without a look at who else cut it',
    file: 'log-erasure.ts',
    piece: 'if (row && !(await rows.put(cutPart(row, left)))) continue;',
    by: 'if (row) await rows.erase([{ key: row.key, leave: cutPart(row, left) }]);',
  },
  {
    name: 'a part keeps the records that are cut',
    file: 'log-erasure.ts',
    piece: 'if (row && !(await rows.put(cutPart(row, left)))) continue;',
    by: '',
  },
  {
    name: 'an event is buried before its parts are gone',
    file: 'log-erasure.ts',
    piece: '  await rows.erase(dead.flatMap(partErasures));\n',
    by: '  for (const event of dead) { const leave = tombstoneOf(event, event.removeAt); await rows.erase([{ key: leave.key, leave }]); }\n  await rows.erase(dead.flatMap(partErasures));\n',
  },
  {
    name: 'parts of every life have the same keys',
    file: 'log-attempt.ts',
    piece: '{ life: life.seq, name: ahead.nameFor(life.seq), counts }',
    by: '{ life: 0, name: id, counts }',
  },
  {
    name: 'parts that were written for another life are taken for those of this one',
    file: 'log-ahead.ts',
    piece: 'parts.life === life && !isGoing',
    by: '!isGoing',
  },
  {
    name: 'parts of an operation that another applied are left behind',
    file: 'log-history.ts',
    piece: 'await tryToErase(() => this.#eraseLeft(rows));',
    by: '',
  },
  {
    name: 'parts are erased although their event may yet come',
    file: 'log-history.ts',
    piece: 'if (attempt && !work.made) {',
    by: 'if (attempt && (false as boolean)) {',
  },
  {
    name: 'parts that were written last shorter than their event',
    file: 'log-ahead.ts',
    piece: 'if (found && found.removeAt === removeAt) return found;',
    by: 'if (found) return found;',
  },
  {
    name: 'what is over goes on',
    file: 'log-expiry.ts',
    piece: 'return endsAt !== undefined && endsAt <= Date.now();',
    by: 'return endsAt === 0;',
  },
  {
    name: 'rows are not kept longer',
    file: 'log-history.ts',
    piece: 'return keptUntil !== undefined && keptUntil !== live.keptUntil && !beginsEmpty(live);',
    by: 'return false as boolean;',
  },
  {
    name: 'rows are kept longer whoever changed them meanwhile',
    file: 'log-expiry.ts',
    piece: 'if (!(await rows.put({ ...withEnd(row, endsAt), rev: row.rev + 1, removeAt }))) return false;',
    by: 'await rows.erase([{ key: row.key, leave: { ...withEnd(row, endsAt), rev: row.rev + 1, removeAt } }]);',
  },
  {
    name: 'a first end is written to the newest event as it was read before',
    file: 'log-expiry.ts',
    piece: 'const event = await rows.event(tail.seq);',
    by: 'const now = await rows.event(tail.seq); const event = now && { ...tail, rev: now.rev, removeAt: now.removeAt };',
  },
  {
    name: 'a session that has an end keeps its rows for ever',
    file: 'log-history.ts',
    piece: 'if (isEndNew && ttlMs !== undefined) tail = await endRows(rows, tail, ttlMs);',
    by: '',
  },
  {
    name: 'a remembered event is followed that the store may remove',
    file: 'log-history.ts',
    piece: ' && !mayEnd && staysAWhile(tail))',
    by: ' && !mayEnd)',
  },
  {
    name: 'what was erased in a life keeps its operations beyond it',
    file: 'log-erasure.ts',
    piece: ' || (litter.lives && found.operation)',
    by: '',
  },
  {
    name: 'a new life looks for operations only where something was left to erase',
    file: 'log-attempt.ts',
    piece: 'begins ? Math.min(...known) : erased;',
    by: 'erased;',
  },
  {
    name: 'a read gives a session its first end behind the back of its writers',
    file: 'log-history.ts',
    piece: 'if (isKeptFor(tail, endsAt) && tail.endsAt! < endsAt) {',
    by: 'if (tail.endsAt === undefined || (isKeptFor(tail, endsAt) && tail.endsAt < endsAt)) {',
  },
  {
    name: 'a read makes an end earlier behind the back of its writers',
    file: 'log-history.ts',
    piece: 'if (isKeptFor(tail, endsAt) && tail.endsAt! < endsAt) {',
    by: 'if (isKeptFor(tail, endsAt)) {',
  },
  {
    name: 'parts that were written for ever get no end',
    file: 'log-ahead.ts',
    piece: 'if (!copy.areNew && keptUntil !== undefined) {',
    by: 'if (!copy.areNew && keptUntil !== undefined && endsAt === undefined) {',
  },
  {
    name: 'what is left of a life that the store removed is taken for that of a later one',
    file: 'log-erasure.ts',
    piece: '...later.filter(({ key }) => lifeOf(key) > newest)',
    by: '',
  },
  {
    name: 'an aim that was written for ever gets no end',
    file: 'log-operations.ts',
    piece: 'if (known && known.removeAt === undefined && removeAt !== undefined)',
    by: 'if (known && (false as boolean))',
  },
  {
    name: 'an append leaves litter for later that is only to be cut',
    file: 'log-erasure.ts',
    piece: 'return litter !== undefined && (under.seq === 0 || litter.last < under.seq);',
    by: 'return litter !== undefined;',
  },
  {
    name: 'an append that leaves litter for later does not name it',
    file: 'log-attempt.ts',
    piece: '(litterOf(dropped) ?? live.litter)',
    by: 'litterOf(dropped)',
  },
  {
    name: 'a version is not compared',
    file: 'log-history.ts',
    piece:
      "if (ifVersion !== undefined && ifVersion !== versionOf(view)) throw new SessionError('CONFLICT');",
    by: '',
  },
  {
    name: 'rows are kept for a later end after its event only',
    file: 'log-attempt.ts',
    piece: 'live?.endsAt !== undefined && !isKeptFor(live, endsAt)',
    by: 'live?.keptUntil !== undefined && !isKeptFor(live, endsAt)',
  },
  {
    name: 'whether a session is over is asked anew for the version of what was read',
    file: 'log-history.ts',
    piece: 'return live ? tail.id',
    by: 'return live && !isOver(live) ? tail.id',
  },
];
