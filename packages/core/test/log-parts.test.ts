import { expect, test } from 'vitest';
import {
  begunIn,
  cutPart,
  cutParts,
  joinParts,
  partRow,
  partsWith,
  splitIntoParts,
} from '../src/log/log-parts.ts';
import { utf8Bytes } from '../src/store/limits.ts';

const RECORDS = ['a', 'b'.repeat(150), '', 'é'.repeat(80), '𝒳'.repeat(500), 'c', 'd'.repeat(90), 'e'];
const LIMIT = 200;
const name = { life: 0, name: 'change' };

const parts = splitIntoParts(RECORDS, LIMIT);
const rows = parts.map((part, index) => partRow(name, index, part, undefined));
const counts = parts.map(begunIn);

test('parts keep to the limit, and no character is cut', () => {
  for (const { head, texts } of rows) {
    expect(texts.reduce((sum, text) => sum + utf8Bytes(text), utf8Bytes(head))).toBeLessThanOrEqual(LIMIT);
    for (const text of texts) expect(text.isWellFormed()).toBe(true);
  }
});

test('any run of records comes back from the parts that hold it', () => {
  for (let start = 0; start < RECORDS.length; start++) {
    for (let end = start + 1; end <= RECORDS.length; end++) {
      const { first, last, skip } = partsWith({ ...name, counts }, start, end);
      const found = joinParts(rows.slice(first, last + 1)).slice(skip, skip + end - start);
      expect(found).toEqual(RECORDS.slice(start, end));
    }
  }
});

test('what is cut keeps its first records, and nothing of the others', () => {
  for (let keep = 1; keep < RECORDS.length; keep++) {
    const { parts: left, last, left: begun, gone } = cutParts({ ...name, counts }, keep);
    const kept = [...rows.slice(0, last), cutPart(rows[last]!, begun)];
    expect(left.counts.reduce((sum, count) => sum + count)).toBe(keep);
    expect(kept.length + gone.length).toBe(rows.length);
    expect(joinParts(kept)).toEqual(RECORDS.slice(0, keep));
  }
});

test('what fits into a part of its own is in one piece', () => {
  const whole = RECORDS.filter((record) => utf8Bytes(record) <= LIMIT - 32);
  for (const record of whole) expect(rows.some(({ texts }) => texts.includes(record))).toBe(true);
});
