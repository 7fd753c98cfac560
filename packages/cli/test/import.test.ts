import { once } from 'node:events';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSession } from '../src/open-session.ts';
import { runProgram, startProgram } from './run-program.ts';
import { freshId, messages, sessionOf, stored, storesForTests } from './stores.ts';

const url = storesForTests('redis');

const jsonl = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');

describe('import', () => {
  test.each([
    ['what is no JSON', 'secret', 'Line 3 is not JSON.'],
    ['a line that was cut off', '{"a":"secret', 'Line 3 is not JSON.'],
    ['a damaged line of an export', '=["secret"]]', 'Line 3 is not JSON.'],
    ['a line of a newer version', '~secret', 'Line 3 cannot be stored (UNREADABLE_ITEM).'],
    [
      'what nests too deeply',
      '['.repeat(1_001) + ']'.repeat(1_001),
      'Line 3 cannot be stored (INVALID_ITEM).',
    ],
    ['what is too large', `"${'s'.repeat(32 * 1024 * 1024)}"`, 'Line 3 is too large (ITEM_TOO_LARGE).'],
    ['what is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The text is not UTF-8, near line 1.'],
  ])('ADD-5 SEC-1 writes nothing for %s, and says where it is but not what', async (_, line, message) => {
    const id = freshId();
    const stdin = Buffer.concat([Buffer.from('{"a":1}\n\n'), Buffer.from(line), Buffer.from('\n{"b":2}\n')]);
    const { code, err } = await runProgram(['import', url('redis'), id], { stdin });
    expect({ code, err }).toEqual({ code: 1, err: `sessions: INVALID_LINE: ${message}\n` });
    expect(await stored(url('redis'), id)).toEqual([]);
  });

  test('refuses a session that holds items, unless told to append', async () => {
    const id = await sessionOf(url('redis'), ...messages(2));
    const refused = await runProgram(['import', url('redis'), id], { stdin: '"new"' });
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(`NOT_EMPTY: "${id}" holds items already: 2.`),
    });
    expect(await stored(url('redis'), id)).toEqual(messages(2));
    const appended = await runProgram(['import', url('redis'), id, '--append'], { stdin: '"new"' });
    expect(appended).toMatchObject({ code: 0, out: `Items added: 1. "${id}" holds 3.\n` });
    expect(await stored(url('redis'), id)).toEqual([...messages(2), 'new']);
  });

  test('TXN-2 doubles nothing when it is run again, with other spaces too', async () => {
    const id = freshId();
    const run = (stdin: string) => runProgram(['import', url('redis'), id, '--append'], { stdin });
    expect(await run('{"a":1}\n{"a":1}\n')).toMatchObject({ code: 0 });
    const again = await run('\n{ "a": 1 }\n{"a": 1}');
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Items added: 0 of 2;.* holds 2\.\n$/),
    });
    expect(await stored(url('redis'), id)).toEqual([{ a: 1 }, { a: 1 }]);
  });

  test('does not claim to have added what was imported before and popped since', async () => {
    const id = freshId();
    await runProgram(['import', url('redis'), id], { stdin: '"once"' });
    await using session = await openSession(url('redis'), id, 10_000);
    await session.popItem();
    const again = await runProgram(['import', url('redis'), id], { stdin: '"once"' });
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('NOT_ADDED') });
    await session.clearSession();
    expect(await runProgram(['import', url('redis'), id], { stdin: '"once"' })).toMatchObject({ code: 0 });
    expect(await stored(url('redis'), id)).toEqual(['once']);
  });

  test('FLT-3 goes on where it was killed between two batches', { timeout: 180_000 }, async () => {
    const id = freshId();
    const client = new Redis(url('redis'));
    onTestFinished(() => client.disconnect());
    // Three bytes a character, 66 MiB in all: more than a batch, and on a busy machine more than the usual time.
    const items = ['a', 'b', 'c'].map((name) => name + '€'.repeat(7.4 * 1024 * 1024));
    const args = ['import', url('redis'), id, '--append', '--timeout', '100'];
    const child = startProgram(args);
    const ended = once(child, 'close');
    child.stdin.on('error', () => undefined).end(jsonl(items));
    const held = () => client.llen(`sessions:{${id}}:items`);
    await expect.poll(held, { interval: 1, timeout: 100_000 }).toBeGreaterThan(1);
    child.kill('SIGKILL');
    await ended;
    expect(await runProgram(args, { stdin: jsonl(items) })).toMatchObject({ code: 0, err: '' });
    const all = await stored(url('redis'), id);
    // Not toEqual, which would print them.
    expect(all.length === 3 && all.every((item, at) => item === items[at])).toBe(true);
  });
});
