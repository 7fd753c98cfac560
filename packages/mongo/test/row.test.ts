import { expect, test } from 'vitest';
import { prefixOf, rowOf } from '../src/row.ts';

const PARTS = ['a', 'b', 'A', '/', '%', '%2f;', ';', 'e0', '\ud800', '\udc00', '\ufffd', '$', '.', '\0', 'é'];

test('ID-3 no row of one session is in the range of another', () => {
  const long = 'x'.repeat(600);
  const ids = [
    ...PARTS,
    ...PARTS.flatMap((one) => PARTS.map((other) => one + other)),
    ...[long, `${long}y`, long.toUpperCase(), prefixOf(long), prefixOf(long).slice(0, -1), 'é'.repeat(300)],
  ];
  const prefixes = ids.map((id) => Buffer.from(prefixOf(id)));
  for (const [at, prefix] of prefixes.entries()) {
    expect(prefix.length).toBeLessThanOrEqual(513);
    for (const [other, another] of prefixes.entries()) {
      if (other !== at) expect(another.subarray(0, prefix.length).equals(prefix), ids[other]!).toBe(false);
    }
  }
});

test('ID-3 no document of another session is read, whatever the server takes to be in its range', () => {
  const document = { _id: `${prefixOf('Someone')}e000000000000001`, rev: 0, head: '{}', texts: ['secret'] };
  expect(rowOf(document, prefixOf('Someone')).texts).toEqual(['secret']);
  expect(() => rowOf(document, prefixOf('someone'))).toThrow(/has a collation to which different ids/);
});
