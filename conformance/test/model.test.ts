import { expect, test } from 'vitest';
import { HistoryModel, Refusal } from '../src/histories/model.ts';
import { sameData } from '../src/histories/same-data.ts';

function modelOf(...items: unknown[]): HistoryModel {
  const model = new HistoryModel();
  model.addItems(items);
  return model;
}

function append(...items: unknown[]) {
  return { type: 'append_items' as const, items };
}

function replace(expectedSuffix: unknown[], replacement: unknown[]) {
  return { type: 'replace_suffix' as const, expectedSuffix, replacement };
}

function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'none';
}

test('reads the newest, oldest first', () => {
  const model = modelOf(1, 2, 3);
  expect(
    [undefined, 1, 2, 3, 4, Number.MAX_VALUE, Number.POSITIVE_INFINITY].map((n) => model.getItems(n)),
  ).toEqual([[1, 2, 3], [3], [2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]]);
  for (const none of [0, -0, -1, Number.NEGATIVE_INFINITY]) expect(model.getItems(none)).toEqual([]);
  for (const bad of [Number.NaN, 0.5, -1.5]) expect(refusal(() => model.getItems(bad))).toBe('INVALID_LIMIT');
  expect(new HistoryModel().getItems(3)).toEqual([]);
});

test('pops the newest, and nothing from nothing', () => {
  const model = modelOf(1, 2);
  expect([model.popItem(), model.popItem(), model.popItem()]).toEqual([2, 1, undefined]);
});

test('keeps its items apart from what it was given and what it gave', () => {
  const given = { list: [1] };
  const model = modelOf(given);
  given.list.push(2);
  model.applyHistoryTransaction('a', append(given));
  given.list.push(3);
  for (const item of model.getItems()) (item as typeof given).list.push(4);
  expect(model.getItems()).toEqual([{ list: [1] }, { list: [1, 2] }]);
});

test('applies an operation once, until it is cleared', () => {
  const model = modelOf();
  model.applyHistoryTransaction('a', append({ x: 1, y: 2 }));
  model.popItem();
  model.applyHistoryTransaction('a', append({ y: 2, x: 1, z: undefined }));
  model.replaceHistoryWithCompaction([]);
  model.applyHistoryTransaction('a', append({ x: 1, y: 2 }));
  expect(model.getItems()).toEqual([]);
  model.clearSession();
  model.applyHistoryTransaction('a', append({ x: 1, y: 2 }));
  expect(model.getItems()).toEqual([{ x: 1, y: 2 }]);
});

test('refuses another transaction under a known id, and a suffix that is not there, changing nothing', () => {
  const model = modelOf(1, 2);
  model.applyHistoryTransaction('a', append());
  for (const other of [append(3), replace([], []), replace([2], [])]) {
    expect(refusal(() => model.applyHistoryTransaction('a', other))).toBe('OPERATION_CONFLICT');
  }
  for (const suffix of [[1], [2, 1], [0, 1, 2], [-0]]) {
    expect(refusal(() => model.applyHistoryTransaction('b', replace(suffix, [9])))).toBe('SUFFIX_MISMATCH');
  }
  expect(model.getItems()).toEqual([1, 2]);
  model.applyHistoryTransaction('b', replace([2], [3, 4]));
  model.applyHistoryTransaction('c', replace([], [5]));
  model.applyHistoryTransaction('d', replace([1, 3, 4, 5], []));
  expect(model.getItems()).toEqual([]);
});

test('replaces the first call with an id and removes the others', () => {
  const call = (callId: string, name: string) => ({ type: 'function_call', callId, name });
  const result = { type: 'function_call_result', callId: '1' };
  const model = modelOf(call('2', 'a'), call('1', 'a'), result, call('1', 'b'), 'x', call('1', 'c'));
  const mutation = (callId: string) => {
    return { type: 'replace_function_call' as const, callId, replacement: call(callId, 'new') as never };
  };
  model.applyHistoryMutations([mutation('1'), mutation('unknown')]);
  expect(model.getItems()).toEqual([call('2', 'a'), call('1', 'new'), result, 'x']);
});

test('becomes what it is replaced with', () => {
  const model = modelOf(1, 2);
  model.replaceHistoryWithCompaction([3]);
  model.addItems([4]);
  expect(model.getItems()).toEqual([3, 4]);
});

const DIFFERENT: readonly [string, unknown, unknown][] = [
  ['signs of zero', 0, -0],
  ['types', 1, '1'],
  ['null and undefined', [null], [undefined]],
  ['a hole and undefined', [undefined], new Array(1)],
  ['lengths', [1], [1, 2]],
  ['orders of items', [1, 2], [2, 1]],
  ['an array and an object', [], {}],
  ['keys', { a: 1 }, { b: 1 }],
  ['a number of keys', { a: 1 }, { a: 1, b: 1 }],
  ['bytes', new Uint8Array([1]), new Uint8Array([2])],
  ['bytes and an array', new Uint8Array([1]), [1]],
  ['bytes and a Buffer', new Uint8Array([1]), Buffer.from([1])],
  ['dates', new Date(1), new Date(2)],
  ['maps', new Map([[1, { a: 1 }]]), new Map([[1, { a: 2 }]])],
  ['a map and a set', new Map(), new Set()],
  ['sets', new Set([1]), new Set([1, 2])],
  ['big integers and numbers', 1n, 1],
  ['own __proto__', Object.fromEntries([['__proto__', 1]]), {}],
];

test.each(DIFFERENT)('data differs by %s', (_, a, b) => {
  for (const keys of ['in order', 'in any order'] as const) {
    expect(sameData(a, b, keys)).toBe(false);
    expect(sameData(b, a, keys)).toBe(false);
    expect(sameData({ deep: [a] }, { deep: [b] }, keys)).toBe(false);
    expect(sameData(a, structuredClone(a), keys)).toBe(true);
  }
});

test('the order of keys matters where it is asked for, and a property that is undefined nowhere', () => {
  const [one, other] = [
    { x: 1, y: { p: Number.NaN, q: 2 } },
    { y: { q: 2, p: Number.NaN }, x: 1 },
  ];
  expect(sameData(one, other, 'in any order')).toBe(true);
  expect(sameData(one, other, 'in order')).toBe(false);
  expect(sameData({ x: 1, y: undefined }, { x: 1 }, 'in order')).toBe(true);
});
