import { expect, test } from 'vitest';
import { prefixOf } from '../src/row.ts';

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
