import { CLAUSES } from '@sessions/conformance';
import { PROTOCOL_VERSION, SESSION_ERROR_CODES, SessionError } from '@sessions/core';
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_ITEMS,
  MAX_DEPTH,
  MAX_ITEM_BYTES,
  resolveStoreOptions,
} from '@sessions/core/store';
import { expect, test } from 'vitest';
import { errorTable, statedClauses, unknownCitations } from '../src/protocol.ts';
import { citingSources, documents } from '../src/repository.ts';

// The formatter pads the cells of tables.
const protocol = documents()
  .find(({ path }) => path === 'docs/protocol.md')!
  .text.replace(/ {2,}/g, ' ');
const stated = statedClauses(protocol);

test('the protocol states each clause once, in the order of the kit', () => {
  expect(stated).toEqual(CLAUSES);
});

test('each clause that a source or a document cites is stated', () => {
  const sources = citingSources();
  expect(sources.length).toBeGreaterThan(0);
  expect([...sources, ...documents()].flatMap((file) => unknownCitations(file, stated))).toEqual([]);
});

test('the table of errors has each code, and whether it is retryable', () => {
  const table = SESSION_ERROR_CODES.map((code) => ({ code, retryable: new SessionError(code).retryable }));
  expect(errorTable(protocol)).toEqual(table);
});

test('its numbers are those of the code', () => {
  const inWords = (value: number) => value.toLocaleString('en-US');
  const [, numbers = ''] = /^(\| Number \| Value \|\n(?:\|.*\n)+)/m.exec(protocol) ?? [];
  expect(numbers).toContain(
    `| Largest item | ${MAX_ITEM_BYTES / 2 ** 20} MiB: ${inWords(MAX_ITEM_BYTES)} bytes`,
  );
  expect(numbers).toContain(
    `| Largest batch | ${MAX_BATCH_BYTES / 2 ** 20} MiB: ${inWords(MAX_BATCH_BYTES)} bytes, and ${inWords(MAX_BATCH_ITEMS)} items |`,
  );
  expect(numbers).toContain(`| Deepest item | ${inWords(MAX_DEPTH)} levels |`);
  expect(numbers).toContain(`| \`timeoutMs\` | ${inWords(resolveStoreOptions({}).timeoutMs)} by default`);
});

test('its version is that of core, and of each adapter that lives here', () => {
  expect(/\*\*Versions\.\*\* This is version (\d+\.\d+)\./.exec(protocol)?.[1]).toBe(PROTOCOL_VERSION);
  const said = citingSources().flatMap(({ path, text }) => {
    const [, adapter] = /^packages\/(?!core\/)([^/]+)\/src\//.exec(path) ?? [];
    const versions = text.matchAll(/\b(?:protocolVersion: |checkProtocolVersion\()'([^']*)'/g);
    return adapter ? Array.from(versions, ([, version]) => `${adapter} ${version}`) : [];
  });
  const adapters = ['dynamodb', 'memory', 'mongo', 'openai', 'redis'];
  expect([...new Set(said)].sort()).toEqual(adapters.map((adapter) => `${adapter} ${PROTOCOL_VERSION}`));
});

test('the two numbers that an option may be at the most are taken, and nothing above', () => {
  const [, timeoutMs, ttlSeconds] = /`timeoutMs` .* to ([\d,]+) \|\n.*`ttlSeconds` .* to ([\d,]+) \|/.exec(
    protocol,
  )!;
  const options = {
    timeoutMs: Number(timeoutMs!.replaceAll(',', '')),
    ttlSeconds: Number(ttlSeconds!.replaceAll(',', '')),
  };
  expect(() => resolveStoreOptions(options)).not.toThrow();
  expect(() => resolveStoreOptions({ timeoutMs: options.timeoutMs + 1 })).toThrow(String(options.timeoutMs));
  expect(() => resolveStoreOptions({ ttlSeconds: options.ttlSeconds + 1 })).toThrow(
    String(options.ttlSeconds),
  );
});

test('a clause counts as stated behind its own anchor only, and a row of errors within their section', () => {
  expect(
    statedClauses('- <a id="add-1"></a>**ADD-1** x\n- <a id="add-2"></a>**ADD-3** x\n**ADD-4** x'),
  ).toEqual(['ADD-1']);
  expect(
    errorTable('| `A` | a | b | no |\n## Errors\n| `B` | a | b | yes, if |\n| `C` | a | b | |\n'),
  ).toEqual([{ code: 'B', retryable: true }]);
});

test('a citation of a clause that is not stated is found, with its line', () => {
  const text = '/** As ADD-1 says … GET-10. */\n// UTF-8, (ADD-99), GUID-4';
  expect(unknownCitations({ path: 'a.ts', text }, ['ADD-1', 'GET-1'])).toEqual([
    'a.ts:1: GET-10',
    'a.ts:2: ADD-99',
  ]);
});
