import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSession } from '../src/open-session.ts';
import { USAGE } from '../src/usage.ts';
import { runProgram } from './run-program.ts';
import { AWKWARD, freshId, messages, type Store, sessionOf, stored, storesForTests } from './stores.ts';

const STORES = ['redis', 'mongodb', 'dynamodb'] as const;
const url = storesForTests(...STORES);

const PAIRS = STORES.flatMap((from) => STORES.map((to): [Store, Store] => [from, to])).filter(
  ([from, to]) => from !== to,
);

describe('copy', () => {
  test.each(PAIRS)('VAL-1 VAL-2 from %s to %s keeps whatever a session can hold', async (from, to) => {
    const id = await sessionOf(url(from), ...AWKWARD);
    const copyId = freshId();
    const { code, out, err } = await runProgram(['copy', url(from), id, url(to), copyId]);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `Items copied: ${AWKWARD.length}, and each compared. The source is as it was.\n`,
      err: '',
    });
    // Not toEqual, to which -0 is 0 and the order of keys nothing.
    expect(isDeepStrictEqual(await stored(url(to), copyId), AWKWARD)).toBe(true);
    expect(isDeepStrictEqual(await stored(url(from), id), AWKWARD)).toBe(true);
  });

  test('keeps the id if no other is given, and copies 10,000 items', async () => {
    const id = await sessionOf(url('redis'), ...messages(10_000));
    expect(await runProgram(['copy', url('redis'), id, url('mongodb')])).toMatchObject({ code: 0 });
    expect(await stored(url('mongodb'), id)).toEqual(messages(10_000));
    expect(await runProgram(['count', url('mongodb'), id])).toMatchObject({ code: 0, out: '10000\n' });
  });

  test('refuses a target that holds items, itself too', async () => {
    const id = await sessionOf(url('redis'), ...messages(2));
    const { code, err } = await runProgram(['copy', url('redis'), id, url('redis')]);
    expect(code).toBe(1);
    expect(err).toBe(
      `sessions: NOT_EMPTY: The target "${id}" holds items already. Clear it, or choose another id.\n`,
    );
    expect(await stored(url('redis'), id)).toEqual(messages(2));
  });

  test('notices a source that is changed meanwhile', async () => {
    const id = await sessionOf(url('redis'), ...messages(2));
    const target = await redisAfter(async () => {
      await using other = await openSession(url('redis'), id, 10_000);
      await other.addItems([{ role: 'user', content: 'late' }]);
    });
    const { code, err } = await runProgram(['copy', url('redis'), id, `${target}?prefix=copies`]);
    expect(code).toBe(1);
    expect(err).toContain(`NOT_THE_SAME: The source "${id}" was changed meanwhile, from item 3 on`);
  });

  test('notices a target that is not what was copied', async () => {
    const id = await sessionOf(url('redis'), ...messages(1));
    const copyId = freshId();
    expect(await runProgram(['copy', url('redis'), id, url('redis'), copyId])).toMatchObject({ code: 0 });
    await using target = await openSession(url('redis'), copyId, 10_000);
    await target.popItem();
    // The same operation again, which the target remembers.
    const { code, err } = await runProgram(['copy', url('redis'), id, url('redis'), copyId]);
    expect(code).toBe(1);
    expect(err).toContain(`NOT_THE_SAME: From item 1 on the target "${copyId}" is not the same`);
  });

  /** A way to the Redis server on which something happens before the first command gets there. */
  async function redisAfter(happens: () => Promise<void>): Promise<string> {
    const { hostname, port } = new URL(url('redis'));
    let happened: Promise<void> | undefined;
    const proxy = createServer((client) => {
      const server = createConnection(Number(port), hostname);
      client.on('data', async (bytes) => {
        happened ??= happens();
        await happened;
        server.write(bytes);
      });
      server.pipe(client).on('error', () => undefined);
      client.on('close', () => server.destroy());
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void proxy.close());
    return `redis://127.0.0.1:${(proxy.address() as { port: number }).port}`;
  }
});

describe('export and import', () => {
  test.each(STORES)('VAL-1 VAL-2 %s gives back what was exported', async (store) => {
    const id = await sessionOf(url(store), ...AWKWARD);
    const exported = await runProgram(['export', url(store), id]);
    expect(exported).toMatchObject({ code: 0, err: '' });
    const back = freshId();
    const imported = await runProgram(['import', url(store), back], { stdin: exported.out });
    expect(imported).toEqual({ code: 0, out: `Items added: 14. "${back}" holds 14.\n`, err: '' });
    expect(isDeepStrictEqual(await stored(url(store), back), AWKWARD)).toBe(true);
  });

  test('VAL-4 a line is plain JSON where JSON can say it, for programs that split lines at other characters too', async () => {
    const id = await sessionOf(url('redis'), AWKWARD[0], AWKWARD[1], { n: -0 });
    const { out } = await runProgram(['export', url('redis'), id]);
    const [first, second, third] = out.split('\n');
    expect([JSON.parse(first!), JSON.parse(second!)]).toEqual([AWKWARD[0], AWKWARD[1]]);
    expect(third).toMatch(/^=\[/);
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/u);
  });

  test('10,000 items go through a pipe', async () => {
    const id = await sessionOf(url('redis'), ...messages(10_000));
    const { out } = await runProgram(['export', url('redis'), id]);
    const back = freshId();
    expect(await runProgram(['import', url('redis'), back], { stdin: out })).toMatchObject({ code: 0 });
    expect(await stored(url('redis'), back)).toEqual(messages(10_000));
  });

  test('JSON Lines of others are taken, from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sessions-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'other.jsonl');
    writeFileSync(file, '\ufeff{ "role": "user", "content": "\\u00e9 \u2028" }\r\n\r\n  [1, 2]  \n"last"');
    const id = freshId();
    expect(await runProgram(['import', url('redis'), id, file])).toMatchObject({ code: 0 });
    expect(await stored(url('redis'), id)).toEqual([{ role: 'user', content: 'é \u2028' }, [1, 2], 'last']);
  });
});

describe('README.md', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

  test('shows the help as it is', () => {
    expect(readme).toContain(`\`\`\`text\n${USAGE}\n\`\`\``);
  });

  test('shows commands that work', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sessions-cli-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const mongodb = url('mongodb').replace('/?', '/my-app?');
    const commands = /```sh\n(npx sessions [^`]+)```/
      .exec(readme)![1]!
      .replaceAll('redis://localhost:6379', url('redis'))
      .replaceAll('mongodb://localhost:27017/my-app', `'${mongodb}'`)
      .replaceAll('dynamodb://my-table?region=eu-central-1', url('dynamodb'))
      .replaceAll('npx sessions', '"$@"');
    await using session = await openSession(url('redis'), 'user-42', 10_000);
    await session.addItems(messages(3));
    const by = ['sh', '-ec', commands, 'sh'];
    expect(await runProgram([], { by, cwd: folder })).toMatchObject({ code: 0, err: '' });
    expect(await stored(url('redis'), 'user-42')).toEqual([]);
    expect(await stored(url('redis'), 'user-43')).toEqual(messages(3));
    expect(await stored(mongodb, 'user-42')).toEqual(messages(3));
    expect(await stored(url('dynamodb'), 'user-44')).toEqual(messages(3));
  });
});
