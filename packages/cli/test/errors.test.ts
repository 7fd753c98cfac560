import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { takeOptions } from '../src/url-options.ts';
import { where } from '../src/where.ts';
import { runProgram, startProgram } from './run-program.ts';
import { freshId, messages, sessionOf, stored, storesForTests } from './stores.ts';

const url = storesForTests('redis');

describe('wrong usage ends with 2 and one line', () => {
  test.concurrent.each([
    [[], 'USAGE: The first word is one of show, export, import, count, clear, copy.'],
    [['list', 'redis://h'], 'USAGE: The first word is one of'],
    [['toString', 'redis://h', 'id'], 'USAGE: The first word is one of'],
    [['show', 'redis://h'], 'USAGE: show takes URL ID.'],
    [['copy', 'redis://h', 'id', 'redis://h', 'id', 'more'], 'USAGE: copy takes'],
    [['count', 'redis://h', 'id', '--yes'], 'USAGE: count has no --yes.'],
    [['show', 'redis://h', 'id', '--limit', '1e3'], 'USAGE: --limit takes a whole number.'],
    [['count', 'redis://h', 'id', '--timeout', '0'], 'INVALID_ARGUMENT: '],
    [['count', 'http://h', 'id'], 'USAGE: A URL begins with'],
    [['count', 'redis://h', ''], 'INVALID_SESSION_ID: '],
    [['count', 'redis://h/?prefix=%', 'id'], 'USAGE: The URL has a %'],
    [['count', 'dynamodb://AKIA:hush@table', 'id'], 'USAGE: Credentials of DynamoDB'],
    [['count', 'dynamodb://table?tableName=x', 'id'], 'USAGE: The query of a dynamodb:// URL takes region,'],
    [['count', 'mongodb://root:hush@h/db?noSuchOption=1', 'id'], 'INVALID_ARGUMENT: '],
    [
      ['import', 'redis://h', 'id', 'no-such-\u001bfile'],
      'USAGE: "no-such-\\u001bfile" cannot be read (ENOENT).',
    ],
  ])('%j', async (args, message) => {
    const { code, out, err } = await runProgram(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^sessions: .+\n$/);
    expect(err).toContain(`sessions: ${message}`);
    expect(err).not.toContain('hush');
  });
});

test('--help and --version say what there is', async () => {
  const { code, out } = await runProgram(['show', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('usage: sessions COMMAND URL ID');
  expect(await runProgram(['--version'])).toEqual({ code: 0, out: '0.0.0\n', err: '' });
});

describe('a store that cannot be reached', () => {
  test('FLT-2 ends in time with 1, and without the password', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    const { code, out, err } = await runProgram([
      'count',
      `redis://:hush@127.0.0.1:${port}`,
      'id',
      '--timeout',
      '1',
    ]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^sessions: UNAVAILABLE: .+\n(?: {2}cause: .+\n)?$/);
    expect(err).not.toContain('hush');
  });

  test('a wrong password is said to be one', async () => {
    const { code, err } = await runProgram(['count', url('redis').replace('//', '//nobody:hush@'), 'id']);
    expect(code).toBe(1);
    expect(err).toMatch(/^sessions: ACCESS_DENIED: .+\n$/);
    expect(err).not.toContain('hush');
  });
});

describe('records that cannot be read', () => {
  async function withRecords(...records: string[]): Promise<string> {
    const id = freshId();
    const client = new Redis(url('redis'));
    onTestFinished(() => client.disconnect());
    await client.rpush(`sessions:{${id}}:items`, ...records);
    return id;
  }

  test('GET-7 damaged ones are passed over, and told of', async () => {
    const id = await withRecords('"one"', '{"cut', '"two"', '=nonsense');
    const { code, out, err } = await runProgram(['export', url('redis'), id]);
    expect({ code, out }).toEqual({ code: 0, out: '"one"\n"two"\n' });
    expect(err).toBe('sessions: damaged records were passed over: 2\n');
  });

  test('POP-4 ones of a newer version are an error, and items above them can be shown', async () => {
    const id = await withRecords('"one"', '~sealed', '"two"');
    const { code, out, err } = await runProgram(['export', url('redis'), id]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('sessions: UNREADABLE_ITEM: ');
    expect(await runProgram(['show', url('redis'), id, '--limit', '1'])).toMatchObject({
      code: 0,
      out: '"two"\n',
    });
  });
});

describe('an end before the end', () => {
  test('a reader that leaves is no error', async () => {
    const id = await sessionOf(
      url('redis'),
      ...messages(10_000).map((item) => ({ ...item, more: 'x'.repeat(100) })),
    );
    const child = startProgram(['export', url('redis'), id]);
    const [err] = await Promise.all([
      text(child.stderr),
      once(child.stdout, 'data').then(() => child.stdout.destroy()),
      once(child, 'close').then(([code]) => expect(code).toBe(0)),
    ]);
    expect(err).toBe('');
  });

  test('output that cannot be written is one', async () => {
    const id = await sessionOf(url('redis'), ...messages(1));
    const into = ['sh', '-c', 'exec "$@" > /dev/full', 'sh'];
    for (const command of ['export', 'count']) {
      const { code, err } = await runProgram([command, url('redis'), id], { by: into });
      expect({ code, err }).toEqual({
        code: 1,
        err: 'sessions: NOT_WRITTEN: The output cannot be written (ENOSPC).\n',
      });
    }
  });

  test('Ctrl-C ends an export that nobody reads on', async () => {
    const id = await sessionOf(url('redis'), 'x'.repeat(1_000_000));
    const child = startProgram(['export', url('redis'), id]);
    await once(child.stdout, 'readable');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends an import that waits for its input, with %i', async (signal, exitCode) => {
    const id = freshId();
    const child = startProgram(['import', url('redis'), id]);
    // Has been read only when the program listens to signals too.
    await new Promise((written) => child.stdin.write('1\n'.repeat(200_000), written));
    child.kill(signal);
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(code).toBe(exitCode);
    expect(err).toMatch(/^sessions: INTERRUPTED: .+\n$/);
    expect(await stored(url('redis'), id)).toEqual([]);
  });
});

describe('what is not installed', () => {
  test('is named in one line, and found where the project has it', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sessions-cli-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const home = join(import.meta.dirname, '..');
    const core = join(home, '../core');
    // A copy of this program with nothing but what it depends on; and of an adapter, without its driver.
    for (const [name, from] of [
      ['cli', home],
      ['redis', join(home, '../redis')],
    ] as const) {
      cpSync(join(from, 'src'), join(folder, name, 'src'), { recursive: true });
      cpSync(join(from, 'package.json'), join(folder, name, 'package.json'));
      mkdirSync(join(folder, name, 'node_modules/@sessions'), { recursive: true });
      symlinkSync(core, join(folder, name, 'node_modules/@sessions/core'));
    }
    const program = join(folder, 'cli/src/bin.ts');
    const count = (cwd: string) => runProgram(['count', url('redis'), 'nobody'], { cwd, program });
    const missing = {
      code: 1,
      out: '',
      err: 'sessions: NOT_INSTALLED: This store needs two packages: npm install @sessions/redis ioredis\n',
    };
    expect(await count(folder)).toEqual(missing);
    expect(await count(home)).toEqual({ code: 0, out: '0\n', err: '' });
    symlinkSync(join(folder, 'redis'), join(folder, 'cli/node_modules/@sessions/redis'));
    expect(await count(folder)).toEqual(missing);
  });
});

describe('URLs', () => {
  test.each([
    ['redis://h:1/0', 'redis://h:1/0'],
    ['redis://u:hush@h:1/0?x=hush', 'redis://h:1/0'],
    ['redis://u:hu/sh@h', 'redis://h'],
    ['redis://u:hu?sh#@h/0', 'redis://h/0'],
    ['mongodb+srv://u:hush@a@h/db', 'mongodb+srv://h/db'],
    ['mongodb://u:hush@a:1,b:2/db', 'mongodb://a:1,b:2/db'],
    [
      'dynamodb://arn:aws:dynamodb:eu-west-1:1:table/t?region=x',
      'dynamodb://arn:aws:dynamodb:eu-west-1:1:table/t',
    ],
  ])('SEC-1 of %s this is shown: %s', (given, shown) => {
    expect(where(given)).toBe(shown);
  });

  test('the adapter gets its own options, and the driver all others as they were', () => {
    const given = 'redis://h/0?keyPrefix=a%20b&prefix=c%3Ad=e&family=6';
    expect(takeOptions(given, ['prefix', 'ttlSeconds'])).toEqual({
      url: 'redis://h/0?keyPrefix=a%20b&family=6',
      options: { prefix: 'c:d=e' },
    });
    expect(takeOptions('redis://h?prefix=', ['prefix'])).toEqual({
      url: 'redis://h',
      options: { prefix: '' },
    });
  });
});
