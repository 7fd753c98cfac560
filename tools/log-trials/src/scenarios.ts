import type { Call } from '@sessions/conformance';
import type { Random } from '../../../conformance/src/races/random.ts';
import type { Passing, Scenario } from './scenario.ts';

const add = (...items: string[]): Call => ({ kind: 'add', items });
const pop: Call = { kind: 'pop' };
const clear: Call = { kind: 'clear' };
const read: Call = { kind: 'read' };
const newest = (limit: number): Call => ({ kind: 'read', limit });
const append = (operationId: string, ...items: string[]): Call => ({ kind: 'append', operationId, items });
const replace = (operationId: string, expected: string[], replacement: string[]): Call => {
  return { kind: 'replace', operationId, expected, replacement };
};

const HOUR = 60 * 60 * 1_000;
const pass = (hours: number, more: Omit<Passing, 'kind' | 'ms'> = {}): Passing => {
  return { kind: 'pass', ms: hours * HOUR, ...more };
};

const SECOND = 1 / 3_600;

/** A record of so many characters, of which no piece is like another. */
const long = (name: string, length: number): string => {
  let text = '';
  for (let at = 0; text.length < length; at++) text += `${name}${at}.`;
  return text.slice(0, length);
};

/** Small enough that a long record has several parts. */
const ROW_BYTES = 400;

/** In all orders of their steps, or as many as there is time for. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'first writers',
    clients: { A: [add('a1', 'a2')], B: [add('b1')], C: [add('c1')] },
  },
  {
    name: 'an append, a pop, a clear and a transaction',
    before: [['A', add('0')]],
    clients: { A: [add('a1')], B: [pop], C: [clear], D: [append('x', 'x1')] },
  },
  {
    name: 'first writers, and a fault',
    clients: { A: [add('a1', 'a2')], B: [add('b1')] },
    faults: { fail: 1, lose: 1, delay: 1, crash: 1, giveUp: 1 },
  },
  {
    name: 'an append whose reply is lost, against one by another',
    before: [['A', add('a0')]],
    clients: { A: [add('a1'), add('a2')], B: [add('b1')] },
    faults: { lose: 1, delay: 1, giveUp: 1 },
  },
  {
    name: 'an append whose reply is lost, with more writes after it than a look reaches',
    before: [['A', add('a0')]],
    clients: { A: Array.from({ length: 9 }, (_, at) => add(`a${at + 1}`)), B: [add('b1')] },
    faults: { lose: 1 },
  },
  {
    name: 'a call whose time is up, and the next ones of the same session',
    before: [['A', add('a0')]],
    clients: { A: [add('a1'), add('a2'), pop], B: [add('b1')] },
    faults: { leave: 1, lose: 1 },
  },
  {
    name: 'calls whose time is up, and a clear',
    before: [['A', add('0', '1')]],
    clients: { A: [pop, clear, add('2')] },
    faults: { leave: 2, lose: 1, fail: 1 },
  },
  {
    name: 'a call whose time is up while it writes parts, and the next one',
    maxRowBytes: ROW_BYTES,
    before: [['A', add('0')]],
    clients: { A: [add(long('a', 500)), add(long('b', 500)), read], B: [pop] },
    faults: { leave: 1, lose: 1, fail: 1 },
  },
  {
    name: 'a call whose time is up, and whose answer comes days later',
    before: [['A', add('0')]],
    clients: { A: [add('1'), add('2')], B: [add('3'), pop, pass(30, { removes: true })] },
    faults: { leave: 1 },
  },
  {
    name: 'a clear that nobody erases, and two days',
    before: [['A', add('0', '1')]],
    clients: { A: [pop], B: [clear] },
    faults: { crash: 2 },
    after: [pass(50, { removes: true })],
  },
  {
    name: 'a session that is cleared, and two days',
    before: [['A', add('0')]],
    clients: { A: [clear], B: [read] },
    after: [pass(50, { removes: true })],
    leavesNothing: true,
  },
  {
    name: 'a replacement that nobody erases, and days',
    before: [['A', add('0', '1')]],
    ttlMs: 100 * HOUR,
    ttlMsOf: { A: undefined },
    clients: { A: [replace('x', ['1'], ['2'])], B: [clear, add('3')] },
    faults: { crash: 2 },
    after: [pass(50, { removes: true })],
  },
  {
    name: 'a session that ends and begins anew, is not erased, and ends again',
    ttlMs: 100 * HOUR,
    ttlMsOf: { B: 4 * HOUR },
    before: [['A', add('0')], ['B', append('x', '1')], pass(5, { isEnd: true })],
    clients: { B: [append('x', '2')], A: [read] },
    faults: { crash: 2, fail: 1 },
    after: [pass(30, { isEnd: true, removes: true })],
  },
  {
    name: 'writes that the driver sends twice',
    before: [['A', add('a0')]],
    clients: { A: [add('a1'), pop], B: [pop] },
    faults: { resend: 1, fail: 1, giveUp: 1 },
  },
  {
    name: 'a put whose reply is lost, then cleared by another, then tried again',
    before: [['A', add('a0')]],
    clients: { A: [add('a1')], B: [clear, add('b1')] },
    faults: { lose: 1, delay: 1 },
  },
  {
    name: 'a remembered tail against a clear and its erasure',
    before: [
      ['B', add('b0', 'b1')],
      ['A', read],
    ],
    clients: { A: [add('a1')], B: [clear, add('b2')] },
    faults: { crash: 1 },
  },
  {
    name: 'pop against pop',
    before: [['A', add('0', '1', '2')]],
    clients: { A: [pop], B: [pop], C: [pop] },
  },
  {
    name: 'pop against pop, with faults',
    before: [['A', add('0', '1', '2')]],
    clients: { A: [pop], B: [pop, newest(2)] },
    faults: { lose: 1, crash: 1, delay: 1, giveUp: 1 },
  },
  {
    name: 'pop against clear',
    before: [
      ['A', add('0', '1')],
      ['B', add('2')],
    ],
    clients: { A: [pop, pop], B: [clear, add('3')] },
    faults: { crash: 1 },
  },
  {
    name: 'two erasers of one event',
    before: [['A', add('0', '1', '2', '3')]],
    clients: { A: [pop, pop], B: [pop], C: [read] },
  },
  {
    name: 'a read that spans pops and a clear',
    before: [
      ['A', add('0')],
      ['A', add('1')],
      ['A', add('2', '3')],
    ],
    clients: { A: [pop, pop, pop], B: [read], C: [clear] },
  },
  {
    name: 'a read through an index, that spans pops',
    throughIndex: true,
    before: [
      ['A', add('0')],
      ['A', add('1', '2')],
    ],
    clients: { A: [pop, pop], B: [read] },
  },
  {
    name: 'a read through an index, that spans a replacement',
    throughIndex: true,
    before: [['A', add('0', '1')]],
    clients: { A: [replace('x', ['1'], ['2'])], B: [read] },
  },
  {
    name: 'a read through an index, that spans a clear',
    throughIndex: true,
    pageRows: 2,
    before: [
      ['A', add('0')],
      ['A', add('1', '2')],
    ],
    clients: { A: [clear, add('3'), pop], B: [read, pop] },
  },
  {
    name: 'a read that spans a clear and what is added then',
    before: [
      ['A', add('0')],
      ['A', add('1')],
    ],
    clients: { A: [clear, add('2'), pop, add('3')], B: [read, read] },
    faults: { crash: 1 },
  },
  {
    name: 'a transaction against its own retry from another process',
    before: [['C', add('0')]],
    clients: { A: [append('x', 'x1')], B: [append('x', 'x1')], C: [add('c1')] },
  },
  {
    name: 'a transaction against its own retry, with more writes before that than an aim names events',
    before: [['C', add('0')]],
    clients: {
      A: [...Array.from({ length: 17 }, (_, at) => add(`a${at}`)), append('x', 'x1')],
      B: [append('x', 'x1')],
    },
  },
  {
    name: 'a transaction against its own retry, with faults',
    before: [['C', add('0')]],
    clients: { A: [append('x', 'x1')], B: [append('x', 'x1'), read] },
    faults: { lose: 1, delay: 1, crash: 1, giveUp: 1 },
  },
  {
    name: 'a transaction, its retry, and other writers',
    before: [['C', add('0')]],
    clients: { A: [append('x', 'x1')], B: [append('x', 'x1')], C: [add('c1'), add('c2')] },
  },
  {
    name: 'a transaction that is popped, cleared and tried again',
    before: [['C', add('0')]],
    clients: { A: [append('x', 'x1')], B: [pop, append('x', 'x1')], C: [clear] },
  },
  {
    name: 'a transaction tried again after its items were popped',
    before: [
      ['A', append('x', 'x1')],
      ['A', pop],
    ],
    clients: { A: [pop, add('a1')], B: [append('x', 'x1')] },
    faults: { crash: 1 },
  },
  {
    name: 'replacements of one suffix',
    before: [
      ['A', add('0', '1')],
      ['A', add('2')],
    ],
    clients: {
      A: [replace('x', ['1', '2'], ['3'])],
      B: [replace('x', ['1', '2'], ['3'])],
      C: [pop],
    },
  },
  {
    name: 'a writer that is gone after any step, then another process',
    before: [
      ['A', add('0', '1')],
      ['A', add('2')],
    ],
    clients: { A: [pop, pop, clear], B: [read, add('b1'), pop] },
    faults: { crash: 1 },
  },
  {
    name: 'a clear that is gone after any step, then a transaction',
    before: [
      ['A', add('0')],
      ['A', append('x', 'x1')],
    ],
    clients: { A: [clear], B: [append('x', 'x1'), clear] },
    faults: { crash: 1, lose: 1 },
  },
  {
    name: 'a clear of one transaction that is gone after any step, then another process',
    before: [['A', append('x', 'x1')]],
    clients: { A: [clear], B: [add('b1')] },
    faults: { crash: 1 },
  },
  {
    name: 'a clear that is gone, an append that is gone before it erased, then a pop',
    before: [['A', add('0')]],
    clients: { A: [clear], B: [add('b1')], C: [pop] },
    faults: { crash: 2, fail: 1 },
  },
  {
    name: 'a replacement that is gone before it cut, then an append that cannot',
    before: [['A', add('0', '1')]],
    clients: { A: [replace('x', ['1'], ['2'])], B: [add('b1')] },
    faults: { crash: 1, fail: 1 },
  },
  {
    name: 'pops that leave nothing, then appends',
    before: [['A', add('0')]],
    clients: { A: [pop, add('1')], B: [pop, add('2'), pop] },
  },
  {
    name: 'records in parts, added at once',
    maxRowBytes: ROW_BYTES,
    clients: { A: [add(long('a', 500))], B: [add(long('b', 500))], C: [read] },
  },
  {
    name: 'records in parts, added against a clear',
    maxRowBytes: ROW_BYTES,
    clients: { A: [add(long('a', 500))], B: [clear, add('b1')] },
    faults: { crash: 1 },
  },
  {
    name: 'records in parts, added against the second clear',
    maxRowBytes: ROW_BYTES,
    before: [
      ['A', add('0')],
      ['B', clear],
      ['B', add('1')],
    ],
    clients: { A: [add(long('a', 500))], B: [clear] },
    faults: { crash: 1, delay: 1 },
  },
  {
    name: 'records in parts, popped and read',
    maxRowBytes: ROW_BYTES,
    before: [['A', add('0', long('a', 500), long('b', 300), '1')]],
    clients: { A: [pop, pop], B: [read] },
    faults: { crash: 1 },
  },
  {
    name: 'records in parts, popped at once',
    maxRowBytes: ROW_BYTES,
    before: [['A', add('0', long('a', 500), long('b', 500))]],
    clients: { A: [pop], B: [pop, pop] },
  },
  {
    name: 'records in parts, popped and cleared, with a lost reply',
    maxRowBytes: ROW_BYTES,
    before: [['A', add('0', long('a', 500))]],
    clients: { A: [pop], B: [clear] },
    faults: { lose: 1, crash: 1 },
  },
  {
    name: 'a transaction in parts, tried by two',
    maxRowBytes: ROW_BYTES,
    before: [['A', add('0')]],
    clients: { A: [append('x', long('a', 500))], B: [append('x', long('a', 500))] },
  },
  {
    name: 'records in parts, whose event comes when they were given up',
    maxRowBytes: ROW_BYTES,
    before: [['A', add('0')]],
    clients: { A: [add(long('a', 500)), add('1')], B: [read] },
    faults: { delay: 1, giveUp: 1 },
  },
  {
    name: 'a tail seen long ago',
    before: [
      ['B', add('0')],
      ['A', read],
      ['B', add('1')],
      ['B', clear],
      ['B', add('2')],
      pass(25, { removes: true }),
    ],
    clients: { A: [add('3')], C: [read] },
  },
  {
    name: 'a tail seen just now',
    before: [
      ['B', add('0')],
      ['A', read],
      ['B', add('1')],
      ['B', clear],
      ['B', add('2')],
      pass(5 / 3_600, { removes: true }),
    ],
    clients: { A: [add('3')], C: [read] },
  },
  {
    name: 'a tail seen before the machine slept',
    before: [
      ['B', add('0')],
      ['A', read],
      ['B', add('1')],
      ['B', clear],
      ['B', add('2')],
      pass(25, { removes: true, asleep: true }),
    ],
    clients: { A: [add('3')], C: [read] },
  },
  {
    name: 'a transaction tried again a day after its items were popped',
    before: [['A', append('x', '0')], ['A', pop], ['A', add('1')], pass(25, { removes: true })],
    clients: { A: [append('x', '0')], B: [append('x', '0'), read] },
  },
  {
    name: 'a session that was cleared long ago',
    before: [['B', add('0')], ['B', append('x', '1')], ['B', clear], pass(25)],
    clients: { A: [append('x', '2'), read], B: [read, add('3')] },
    faults: { remove: 4 },
  },
  {
    name: 'a session that was cleared long ago, seen before it was removed',
    before: [['B', add('0')], ['B', clear], pass(25), ['B', read]],
    clients: { A: [add('1')], B: [add('2')] },
    faults: { remove: 2 },
  },
  {
    name: 'the end of a session, while others write',
    ttlMs: HOUR,
    before: [
      ['A', add('0')],
      ['B', read],
    ],
    clients: { A: [add('1'), add('2')], B: [pop, add('3')], clock: [pass(2, { isEnd: true })] },
  },
  {
    name: 'a session that ends while it is read for a change to what was read',
    ttlMs: HOUR,
    before: [
      ['A', add('0')],
      ['A', add('1')],
    ],
    clients: { A: [replace('x', ['0', '1'], ['2'])], B: [read], clock: [pass(2, { isEnd: true })] },
  },
  {
    name: 'a session that is over, and that the store removes row by row',
    ttlMs: HOUR,
    before: [
      ['A', add('0', '1')],
      ['A', append('x', '2')],
      ['A', pop],
      ['A', pop],
      pass(2, { isEnd: true }),
      pass(24),
    ],
    clients: { A: [read, append('x', '3'), read] },
    faults: { remove: 5 },
  },
  {
    name: 'a session that is over, and that the store removes row by row, while others write',
    ttlMs: HOUR,
    before: [['A', add('0', '1')], ['A', add('2')], ['A', pop], pass(2, { isEnd: true }), pass(24)],
    clients: { A: [add('3')], B: [read, pop] },
    faults: { remove: 3 },
  },
  {
    name: 'a cleared session that is over, and that the store removes row by row',
    ttlMs: HOUR,
    before: [
      ['A', add('0')],
      ['A', clear],
      ['A', append('x', '1')],
      ['A', append('y', '2')],
      pass(2, { isEnd: true }),
      pass(22),
    ],
    clients: { A: [append('y', '3'), read] },
    faults: { remove: 5 },
  },
  {
    name: 'rows that have to last longer, while others write',
    ttlMs: 4 * HOUR,
    before: [['A', add('0', '1')], ['B', read], pass(3), ['C', read]],
    clients: { A: [add('2')], B: [pop], C: [read] },
    after: [pass(3.9, { removes: true })],
  },
  {
    name: 'rows that have to last longer, while they are read',
    ttlMs: 4 * HOUR,
    refreshTtlOnRead: true,
    before: [['A', add('0', '1', '2')], ['B', add('3')], pass(3.9)],
    clients: { A: [read], B: [pop, pop] },
    after: [pass(3.9, { removes: true })],
  },
  {
    name: 'rows that have to last longer, while the newest is read and cut',
    ttlMs: 4 * HOUR,
    refreshTtlOnRead: true,
    before: [['A', add('0', '1', '2')], pass(3.9)],
    clients: { A: [read], B: [pop] },
    after: [pass(3.9, { removes: true })],
  },
  {
    name: 'rows that have to last longer, and parts written before',
    ttlMs: 4 * HOUR,
    maxRowBytes: ROW_BYTES,
    before: [['A', add('0')], pass(1.5), ['A', add('1')], pass(3.5)],
    clients: { A: [add(long('a', 500))], B: [add('2')] },
    after: [pass(3.9, { removes: true })],
  },
  {
    name: 'rows that are made to last longer, while parts are written that need not',
    ttlMs: 4 * HOUR,
    maxRowBytes: ROW_BYTES,
    before: [['A', add('0')], pass(1.95)],
    clients: { A: [add(long('a', 500))], B: [pass(0.1), add('2')] },
    after: [pass(3.97, { removes: true })],
  },
  {
    name: 'rows that are made to last longer, while one is cut that need not',
    ttlMs: 4 * HOUR,
    before: [['A', add('0', '1')], pass(1.95)],
    clients: { A: [pop], B: [pass(0.1), add('2')] },
    after: [pass(3.97, { removes: true })],
  },
  {
    name: 'rows that have to last longer, and a transaction aimed before',
    ttlMs: 4 * HOUR,
    before: [['A', add('0')], pass(1.5), ['A', add('1')], pass(3.5)],
    clients: { A: [append('x', 'x1')], B: [add('2'), append('x', 'x1')] },
    faults: { crash: 1 },
    after: [pass(3.9, { removes: true })],
  },
  {
    name: 'a transaction aimed by one who is gone, and tried again long after',
    ttlMs: 4 * HOUR,
    before: [
      ['A', add('0')],
      ['A', clear],
    ],
    clients: {
      A: [append('x', 'x1')],
      B: [pass(3), append('x', 'x1'), add('1'), pass(3.5, { removes: true }), append('x', 'x1')],
    },
    faults: { crash: 1 },
  },
  {
    name: 'a session that was for ever gets an end',
    ttlMs: 4 * HOUR,
    ttlMsOf: { A: undefined },
    before: [
      ['A', add('0', '1')],
      ['A', add('2')],
    ],
    clients: { A: [pop], B: [add('3')] },
    faults: { crash: 1 },
    after: [pass(3.9, { removes: true })],
  },
  {
    name: 'a session that was for ever and got an end, after that',
    ttlMs: 4 * HOUR,
    ttlMsOf: { A: undefined },
    before: [
      ['A', add('0', '1')],
      ['A', add('2')],
    ],
    clients: { A: [read], B: [add('3')] },
    after: [pass(100, { isEnd: true, removes: true })],
    leavesNothing: true,
  },
  {
    name: 'a session that a read gives its first end, while another client remembers it without',
    ttlMs: 2_000,
    ttlMsOf: { A: undefined },
    refreshTtlOnRead: true,
    before: [['A', add('0')], ['B', read], pass(3 * SECOND, { isEnd: true })],
    clients: { A: [add('1')], C: [read] },
  },
  {
    name: 'a session that a read gives an end, while another client gives it none',
    ttlMs: 2_000,
    ttlMsOf: { A: undefined },
    refreshTtlOnRead: true,
    before: [['A', add('0')]],
    clients: { A: [add('1'), add('2')], B: [read], C: [pop] },
  },
  {
    name: 'a session whose end a read makes earlier, while another client remembers a later one',
    ttlMs: 2_000,
    ttlMsOf: { A: 4_000 },
    refreshTtlOnRead: true,
    before: [['A', add('0')], ['B', read], pass(3 * SECOND, { isEnd: true })],
    clients: { A: [add('1')], C: [read] },
  },
  {
    name: 'a session that ends, after a read gave it a later end for a while',
    ttlMs: HOUR,
    ttlMsOf: { B: 40 * HOUR },
    refreshTtlOnRead: true,
    before: [
      ['A', add('0')],
      ['B', read],
      ['A', add('1')],
      pass(1.1, { isEnd: true }),
      pass(1.4, { removes: true }),
    ],
    clients: { C: [read], D: [add('2')] },
  },
  {
    name: 'an operation whose items are popped while the rows are made to last longer',
    ttlMs: 70 * HOUR,
    ttlMsOf: { A: undefined, C: 40 * HOUR },
    refreshTtlOnRead: true,
    before: [
      ['C', add('0')],
      ['C', append('x', '1')],
    ],
    clients: { A: [pop], B: [read, pass(65, { removes: true }), append('x', '1')] },
  },
  {
    name: 'a first end, while what was added with it is popped',
    ttlMs: 4 * HOUR,
    ttlMsOf: { A: undefined },
    before: [['A', add('0')]],
    clients: { A: [pop, pop], B: [add('1', '2')] },
  },
  {
    name: 'a session that only reads give an end, after that',
    ttlMs: 4 * HOUR,
    ttlMsOf: { A: undefined },
    refreshTtlOnRead: true,
    before: [
      ['A', add('0', '1')],
      ['A', pop],
    ],
    clients: { B: [read], C: [read] },
    after: [pass(100, { isEnd: true, removes: true })],
    leavesNothing: true,
  },
  {
    name: 'an operation that is aimed for ever, before others give the session an end',
    ttlMs: 4 * HOUR,
    ttlMsOf: { B: undefined },
    before: [
      ['A', add('0')],
      ['A', clear],
    ],
    clients: { A: [add('1')], B: [append('x', 'x1')] },
    after: [pass(100, { isEnd: true, removes: true })],
    leavesNothing: true,
  },
  {
    name: 'parts that are written for ever, before others give the session an end',
    ttlMs: 4 * HOUR,
    ttlMsOf: { B: undefined },
    maxRowBytes: ROW_BYTES,
    before: [
      ['A', add('0')],
      ['A', clear],
    ],
    clients: { A: [add('1')], B: [add(long('b', 500))] },
    after: [pass(100, { isEnd: true, removes: true })],
    leavesNothing: true,
  },
  {
    name: 'parts for ever of one who is gone, in a session that ends and begins anew',
    ttlMs: 4 * HOUR,
    ttlMsOf: { B: undefined },
    maxRowBytes: ROW_BYTES,
    before: [
      ['A', add('0')],
      ['A', clear],
      ['A', add('1')],
      ['A', clear],
    ],
    clients: { A: [add('2')], B: [add(long('b', 500))] },
    faults: { crash: 1 },
  },
  {
    name: 'a clear that is not erased as yet, and reads that give an end',
    ttlMs: 4 * HOUR,
    ttlMsOf: { A: undefined },
    refreshTtlOnRead: true,
    before: [['A', add('0', '1')]],
    clients: { A: [clear, add('2')], B: [read] },
    faults: { crash: 1, fail: 1 },
    after: [pass(3, { removes: true })],
  },
];

/** Larger ones, as they come. */
export function randomScenario(random: Random): Scenario {
  let items = 0;
  const item = () => (random.chance(0.2) ? long(`i${++items}-`, 300 + random.below(400)) : `i${++items}`);
  const batch = () => Array.from({ length: 1 + random.below(3) }, item);
  const operations = new Map<string, Call>();
  const transaction = (): Call => {
    const id = random.pick(['x', 'y', 'z']);
    const call = operations.get(id) ?? append(id, ...batch());
    operations.set(id, call);
    return call;
  };
  const call = (): Call => {
    const dice = random.next();
    if (dice < 0.3) return add(...batch());
    if (dice < 0.55) return pop;
    if (dice < 0.65) return clear;
    if (dice < 0.75) return transaction();
    return random.chance(0.5) ? read : newest(1 + random.below(3));
  };
  const names = ['A', 'B', 'C', 'D'].slice(0, 2 + random.below(3));
  const calls = (most: number) => Array.from({ length: 1 + random.below(most) }, call);
  const atMost = (most: number) => random.below(most + 1);
  // Days pass, of which no session with an end sees more than four.
  const wait = (): Passing[] => (random.chance(0.3) ? [pass(random.below(30), { removes: true })] : []);
  const past = calls(8).flatMap((made) => [[random.pick(names), made] as const, ...wait()]);
  const hours = past.reduce((sum, entry) => sum + ('kind' in entry ? entry.ms / HOUR : 0), 0);
  const ttlMs = hours < 95 && random.chance(0.5) ? 100 * HOUR : undefined;
  return {
    name: 'random',
    before: past,
    ttlMs,
    ttlMsOf: random.chance(0.3) ? { [random.pick(names)]: undefined } : {},
    refreshTtlOnRead: random.chance(0.5),
    clients: Object.fromEntries(names.map((name) => [name, calls(5)])),
    faults: {
      fail: atMost(3),
      lose: atMost(3),
      resend: atMost(2),
      delay: atMost(2),
      crash: atMost(1),
      giveUp: atMost(1),
      leave: atMost(1),
    },
    pageRows: random.pick([1, 1, 2, 1_000]),
    throughIndex: random.chance(0.3),
    maxRowBytes: random.pick([ROW_BYTES, 100_000]),
  };
}
