import { describe, expect, test } from 'vitest';
import { checkLinearizability } from '../src/races/linearizability.ts';
import type { Call, Operation, Outcome } from '../src/races/operation.ts';
import { formatUnexplained } from '../src/races/timeline.ts';

type Told = [call: Call, outcome: Outcome];

const DONE = { kind: 'done' } as const;
const UNKNOWN = { kind: 'unknown' } as const;

/** A list of items, written as one text. */
function listOf(text: string): string[] {
  return text.split(' ').filter(Boolean);
}

const add = (items: string, outcome: Outcome = DONE): Told => [
  { kind: 'add', items: listOf(items) },
  outcome,
];
const pop = (item?: string): Told => [{ kind: 'pop' }, { kind: 'popped', item }];
const lostPop: Told = [{ kind: 'pop' }, UNKNOWN];
const clear = (outcome: Outcome = DONE): Told => [{ kind: 'clear' }, outcome];
const read = (items: string, limit?: number): Told => [
  { kind: 'read', limit },
  { kind: 'read', items: listOf(items) },
];
const append = (operationId: string, items: string, outcome: Outcome = DONE): Told => [
  { kind: 'append', operationId, items: listOf(items) },
  outcome,
];
const replace = (operationId: string, expected: string, replacement: string, outcome: Outcome): Told => [
  { kind: 'replace', operationId, expected: listOf(expected), replacement: listOf(replacement) },
  outcome,
];
const MISMATCH = { kind: 'mismatch' } as const;
const DOWN = { kind: 'none', code: 'UNAVAILABLE' } as const;

/** An operation from one moment to another. */
function at(start: number, end: number, [call, outcome]: Told, client = `c${start}`): Operation {
  return { client, call, outcome, start, end };
}

/** One call after the other. */
function inTurn(...calls: Told[]): Operation[] {
  return calls.map((call, index) => at(index * 10, index * 10 + 5, call));
}

const GOOD: Record<string, Operation[]> = {
  'nothing at all': [],
  'calls in turn': inTurn(
    ...[read(''), pop(), add('a b'), read('a b'), read('b', 1), add('c'), pop('c'), read('a b')],
    ...[clear(), read(''), pop(), add('d'), read('d', 9)],
  ),
  'an empty limit': inTurn(add('a'), read('', 0), read('', -1)),
  'a read that overlaps an add and sees it': [at(0, 10, add('a')), at(2, 8, read('a'))],
  'a read that overlaps an add and does not see it': [at(0, 10, add('a')), at(2, 8, read(''))],
  'a read that begins first': [at(0, 6, read('a')), at(3, 9, add('a'))],
  'a read that ends last': [at(0, 6, add('a')), at(3, 9, read(''))],
  'calls that touch at one moment': [at(0, 5, add('a')), at(5, 9, read(''))],
  'two adds at once, in either order': [
    ...[at(0, 10, add('a')), at(1, 11, add('b'))],
    at(20, 21, read('b a')),
  ],
  'two reads during one add, the second of which sees it': [
    ...[at(0, 20, add('a')), at(1, 2, read('')), at(3, 4, read('a'))],
  ],
  'two pops at once, in either order': [...[at(0, 1, add('a b')), at(2, 10, pop('a')), at(3, 11, pop('b'))]],
  'a pop during an add that takes what was there': [
    ...[at(0, 1, add('a')), at(2, 10, add('b c')), at(3, 4, pop('a')), at(20, 21, read('b c'))],
  ],
  'an add during a clear, before it or after': [
    ...[at(0, 10, clear()), at(1, 11, add('a b')), at(20, 21, read('a b'))],
    ...[at(30, 40, add('c')), at(31, 41, clear()), at(50, 51, read(''))],
  ],
  'a long call over many short ones': [
    ...[at(0, 100, add('x')), at(1, 2, add('a')), at(3, 4, read('a')), at(5, 6, add('b'))],
    ...[at(7, 8, read('a x b')), at(9, 10, pop('b')), at(11, 12, pop('x')), at(13, 14, read('a'))],
  ],
  'an unknown add that happened': inTurn(add('a'), add('b', UNKNOWN), read('a b')),
  'an unknown add that did not happen': inTurn(add('a'), add('b', UNKNOWN), read('a')),
  'an unknown add that happened late': inTurn(
    add('a'),
    add('b', UNKNOWN),
    read('a'),
    add('c'),
    read('a c b'),
  ),
  'an unknown add that happened and was popped': inTurn(add('b', UNKNOWN), read(''), pop('b'), read('')),
  'an unknown add that happened after a clear': inTurn(add('b', UNKNOWN), clear(), read(''), read('b')),
  'unknown pops, of which one happened': inTurn(add('a b c'), lostPop, lostPop, read('a b c'), read('a b')),
  'an unknown clear that happened late': inTurn(add('a'), clear(UNKNOWN), read('a'), add('b'), read('')),
  'an unknown clear that did not happen': inTurn(add('a'), clear(UNKNOWN), read('a'), add('b'), read('a b')),
  'unknown calls of all kinds': inTurn(
    ...[add('a'), add('b', UNKNOWN), lostPop, add('c', UNKNOWN), clear(UNKNOWN), append('1', 'd', UNKNOWN)],
    ...[read('a'), read('a c'), read('a d'), read(''), add('e'), read('e')],
  ),
  'a read that failed': inTurn(add('a'), [{ kind: 'read' }, UNKNOWN], [{ kind: 'read' }, DOWN], read('a')),
  'an add that failed for good': inTurn(add('a'), add('b', DOWN), read('a')),
  'a transaction made again': inTurn(
    append('1', 'a'),
    append('1', 'a'),
    add('b'),
    append('1', 'a'),
    read('a b'),
  ),
  'a transaction made again after a clear': inTurn(append('1', 'a'), clear(), append('1', 'a'), read('a')),
  'a transaction of unknown outcome made again': inTurn(
    append('1', 'a', UNKNOWN),
    append('1', 'a'),
    read('a'),
  ),
  'the same transaction from two clients at once': [
    ...[at(0, 10, append('1', 'a')), at(1, 11, append('1', 'a')), at(20, 21, read('a'))],
  ],
  'a suffix replaced': inTurn(add('a b c'), replace('1', 'b c', 'd', DONE), read('a d')),
  'a replacement made again': inTurn(
    add('a'),
    replace('1', 'a', 'b', DONE),
    replace('1', 'a', 'b', DONE),
    read('b'),
  ),
  'a suffix that does not match': inTurn(add('a b'), replace('1', 'a', 'c', MISMATCH), read('a b')),
  'two replacements of one suffix at once': [
    at(0, 1, add('a')),
    ...[at(2, 10, replace('1', 'a', 'b', DONE)), at(3, 11, replace('2', 'a', 'c', MISMATCH))],
    at(20, 21, read('b')),
  ],
  'a suffix that an unseen add hid': inTurn(
    ...[add('a'), add('b', UNKNOWN), replace('1', 'a', 'c', MISMATCH), clear(), read('')],
  ),
  'an unknown replacement, late': inTurn(
    ...[add('a'), replace('1', 'a', 'b', UNKNOWN), read('a'), read('b'), read('b')],
  ),
};

describe('accepts', () => {
  test.each(Object.entries(GOOD))('%s', (_, history) => {
    expect(checkLinearizability(history)).toEqual({ ok: true });
  });
});

/** Each with the calls that are the smallest window: the last of them is the one that nothing explains. */
const BAD: Record<string, { history: Operation[]; window: number[] }> = {
  'a lost add': { history: inTurn(add('a'), add('b'), add('c'), read('a c')), window: [3] },
  'an add lost to one at the same time': {
    history: [at(0, 1, add('a')), at(2, 10, add('b')), at(3, 11, add('c')), at(12, 13, read('a b'))],
    window: [3],
  },
  'a doubled add': { history: inTurn(add('a'), add('b'), read('a b b')), window: [2] },
  'an item popped twice': { history: inTurn(add('a b'), pop('b'), pop('b')), window: [2] },
  'an item popped twice at once': {
    history: [at(0, 1, add('a b')), at(2, 10, pop('b')), at(3, 11, pop('b')), at(20, 21, read('a'))],
    window: [1, 2],
  },
  'a popped item that is still there': { history: inTurn(add('a b'), pop('b'), read('a b')), window: [2] },
  'a stale read': { history: inTurn(add('a'), read('a'), add('b'), read('a')), window: [3] },
  'a read that is older than another one': {
    history: [at(0, 20, add('a')), at(1, 2, read('a')), at(3, 4, read(''))],
    window: [0, 2],
  },
  'a stale empty pop': { history: inTurn(add('a'), pop()), window: [1] },
  'a split batch': {
    history: [at(0, 10, add('a b')), at(1, 2, read('a')), at(20, 21, read('a b'))],
    window: [0, 1],
  },
  'another item inside a batch': {
    history: [at(0, 10, add('a b')), at(1, 11, add('c')), at(20, 21, read('a c b'))],
    window: [2],
  },
  'a revived item after a clear': { history: inTurn(add('a'), clear(), add('b'), read('a b')), window: [3] },
  'a read with a limit that returns the oldest': {
    history: inTurn(add('a b c'), read('a b', 2)),
    window: [1],
  },
  'a read with a limit that returns too few': { history: inTurn(add('a b c'), read('c', 2)), window: [1] },
  'a read that ignores its limit': { history: inTurn(add('a b c'), read('a b c', 2)), window: [1] },
  'a pop out of order': { history: inTurn(add('a'), add('b'), pop('a')), window: [2] },
  'items out of order': { history: inTurn(add('a'), add('b'), read('b a')), window: [2] },
  'two reads that see two orders': {
    history: [
      ...[at(0, 30, add('a')), at(1, 31, add('b'))],
      ...[at(40, 41, read('a b')), at(42, 43, read('b a'))],
    ],
    window: [3],
  },
  'a transaction applied twice': {
    history: inTurn(append('1', 'a'), add('b'), append('1', 'a'), read('a b a')),
    window: [3],
  },
  'a transaction not applied after a clear': {
    history: inTurn(append('1', 'a'), clear(), append('1', 'a'), read('')),
    window: [3],
  },
  'a replacement without its suffix': {
    history: inTurn(add('a b'), replace('1', 'a', 'c', DONE)),
    window: [1],
  },
  'a refused suffix that was there': {
    history: inTurn(add('a b'), replace('1', 'b', 'c', MISMATCH)),
    window: [1],
  },
  'a refused replacement that was applied': {
    history: inTurn(add('a b'), replace('1', 'a', 'c', MISMATCH), read('a c')),
    window: [2],
  },
  'two replacements of one suffix': {
    history: inTurn(add('a'), replace('1', 'a', 'b', DONE), replace('2', 'a', 'c', DONE)),
    window: [2],
  },
  'an unknown add that takes effect twice': {
    history: inTurn(add('a', UNKNOWN), read('a'), pop('a'), read('a')),
    window: [3],
  },
  'an unknown pop that takes effect twice': {
    history: inTurn(add('a b c'), lostPop, read('a b'), read('a')),
    window: [3],
  },
  'an unknown clear that takes effect twice': {
    history: inTurn(add('a'), clear(UNKNOWN), read(''), add('b'), read('b'), read('')),
    window: [5],
  },
  'an unknown add that takes effect in part': {
    history: inTurn(add('a b', UNKNOWN), read('a')),
    window: [0, 1],
  },
  'an unknown add that took effect before it was made': {
    history: inTurn(read('a'), add('a', UNKNOWN)),
    window: [0],
  },
  'an add that failed for good and happened': { history: inTurn(add('a', DOWN), read('a')), window: [1] },
  'an add that is to fail for good and is seen before it does': {
    history: [at(0, 20, add('a', DOWN)), at(5, 6, read('a'))],
    window: [1],
  },
  'an item that nobody added': { history: inTurn(add('a'), read('a x')), window: [1] },
  'something wrong in the middle of what is right': {
    history: inTurn(add('a'), read('a'), add('b'), pop('a'), read('a'), add('c'), read('a c'), clear()),
    window: [3],
  },
};

describe('rejects, and shows where,', () => {
  test.each(Object.entries(BAD))('%s', (_, { history, window }) => {
    const verdict = checkLinearizability(history);
    expect(verdict).toMatchObject({ ok: false });
    expect(verdict.ok || verdict.window).toEqual(window.map((index) => history[index]));
    expect(verdict.ok || verdict.window).toContain(verdict.ok || verdict.culprit);
  });
});

test('shows the window with what was before it, and what came of the items that do not fit', () => {
  const history = [
    ...[at(0, 1, add('a'), 'ann'), at(2, 3, add('b'), 'bob'), at(4, 5, read('a b'), 'ann')],
    ...[at(6, 20, add('c', UNKNOWN), 'bob'), at(7, 30, pop('b'), 'cyd'), at(8, 31, read('a b'), 'ann')],
    at(32, 40, read('b'), 'dan'),
  ];
  const verdict = checkLinearizability(history);
  expect(verdict.ok || formatUnexplained(verdict, history).split('\n')).toEqual([
    'Earlier, with the items that do not fit',
    '  ann  add(a) -> done  (at 0-1)',
    '  bob  add(b) -> done  (at 2-3)',
    '  cyd  pop() -> b  (at 7-30)',
    '  ann  read() -> [a b]  (at 8-31)',
    'The list before (at 32) was',
    '  [a]',
    'Then (until 40)',
    '  dan  read() -> [b]  ||  <- no order explains this',
  ]);
});

test('shows how the calls of a window overlap', () => {
  const history = [
    ...[at(0, 1, add('a b')), at(2, 5, pop('b'), 'ann'), at(3, 9, lostPop, 'bob'), at(4, 8, pop('b'), 'cyd')],
  ];
  const verdict = checkLinearizability(history);
  expect(verdict.ok || formatUnexplained(verdict, history).split('\n').slice(-6)).toEqual([
    'The list before (at 4) was',
    '  [a b]',
    'Then (until 8)',
    '  ann  pop() -> b        |--|',
    '  bob  pop() -> unknown   |---->',
    '  cyd  pop() -> b          |-|   <- no order explains this',
  ]);
});

test('of a long window shows what changed something, and not more than can be read', () => {
  const during = Array.from({ length: 40 }, (_, index) => {
    return at(10 + index * 2, 11 + index * 2, index % 2 ? add(`m${index}`) : [{ kind: 'read' }, UNKNOWN]);
  });
  const history = [at(0, 1, add('a')), at(5, 200, read('b'), 'ann'), ...during];
  const verdict = checkLinearizability(history);
  const lines = verdict.ok ? [] : formatUnexplained(verdict, history).split('\n');
  expect(lines.filter((line) => /add\(m\d+\)/.test(line)).length).toBe(11);
  expect(lines.filter((line) => /<- no order/.test(line))).toEqual([
    expect.stringMatching(/^ {2}ann {2}read/),
  ]);
  expect(lines.at(-1)).toMatch(/^ {2}and \d+ others meanwhile$/);
});

test('a search that would take too long is an error, not a verdict', () => {
  const history = Array.from({ length: 8 }, (_, index) => at(index, 100 + index, add(`m${index}`)));
  expect(() => checkLinearizability([...history, at(200, 201, read('x'))], { situations: 500 })).toThrow(
    'No verdict within 500 situations',
  );
});
