import { once } from 'node:events';
import { Redis } from 'ioredis';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runProgram, startProgram } from './run-program.ts';
import { freshId, messages, sessionOf, stored, storesForTests } from './stores.ts';
import { TERMINAL, WITHOUT_TERMINAL } from './terminal.ts';

const url = storesForTests('redis');

describe('clear in a pipe', () => {
  test('refuses without --yes, whatever is piped in', async () => {
    const id = await sessionOf(url('redis'), ...messages(2));
    const { code, err } = await runProgram(['clear', url('redis'), id], { stdin: 'yes\n' });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('There is nobody to ask') });
    expect(await stored(url('redis'), id)).toEqual(messages(2));
  });

  test('CLR-1 clears with --yes', async () => {
    const id = await sessionOf(url('redis'), ...messages(2));
    expect(await runProgram(['clear', url('redis'), id, '--yes'])).toEqual({
      code: 0,
      out: `"${id}" is cleared.\n`,
      err: '',
    });
    expect(await stored(url('redis'), id)).toEqual([]);
  });
});

describe('clear on a terminal', () => {
  beforeEach((context) => context.skip(WITHOUT_TERMINAL !== undefined, WITHOUT_TERMINAL));

  test('says what would be cleared, without the password, and clears on a yes', async () => {
    const id = await sessionOf(url('redis'), ...messages(2));
    const { host } = new URL(url('redis'));
    const given = `redis://default:hush@${host}/0`;
    const client = new Redis(url('redis'));
    onTestFinished(() => client.disconnect());
    await client.config('SET', 'requirepass', 'hush');
    try {
      const { code, out } = await runProgram(['clear', given, id], { by: TERMINAL, stdin: 'yes\n' });
      expect(code, out).toBe(0);
      expect(out).toContain(`Clear "${id}" at redis://${host}/0, 2 items? Type yes to go on: `);
      expect(out).not.toContain('hush');
    } finally {
      await client.config('SET', 'requirepass', '');
    }
    expect(await stored(url('redis'), id)).toEqual([]);
  });

  test.each([
    ['an empty line', '\nyes\n'],
    ['a y', 'y\n'],
    ['yes and more', 'yes please\n'],
    ['the end of the input', '\u0004'],
  ])('clears nothing on %s', async (_, stdin) => {
    const id = await sessionOf(url('redis'), ...messages(1));
    const { code, out } = await runProgram(['clear', url('redis'), id], { by: TERMINAL, stdin });
    expect(out).toContain('NOT_CONFIRMED');
    expect(code).toBe(1);
    expect(await stored(url('redis'), id)).toEqual(messages(1));
  });

  test('clears nothing on Ctrl-C', async () => {
    const id = await sessionOf(url('redis'), ...messages(1));
    const child = startProgram(['clear', url('redis'), id], { by: TERMINAL });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      // Before, it would be the shell's.
      if (out.endsWith('go on: ')) child.stdin.write('\u0003');
    });
    const [code] = await once(child, 'close');
    expect(code, out).toBe(130);
    expect(out).toContain('sessions: INTERRUPTED');
    expect(await stored(url('redis'), id)).toEqual(messages(1));
  });

  test('POP-4 asks for a session that cannot be read, too', async () => {
    const id = freshId();
    const client = new Redis(url('redis'));
    onTestFinished(() => client.disconnect());
    await client.rpush(`sessions:{${id}}:items`, '~sealed');
    const { code, out } = await runProgram(['clear', url('redis'), id], { by: TERMINAL, stdin: 'yes\n' });
    expect(out).toContain('with items that this version cannot read?');
    expect(code).toBe(0);
    expect(await client.exists(`sessions:{${id}}:items`)).toBe(0);
  });
});
