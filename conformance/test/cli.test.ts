import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConformanceReport } from '../src/index.ts';

const BIN = fileURLToPath(new URL('../src/command-line/bin.ts', import.meta.url));
const COMMAND_LINE = new URL('../src/command-line/cli.ts', import.meta.url).href;
const MEMORY = new URL('../../packages/memory/test/adapter.ts', import.meta.url).href;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
  file('memory.mjs', `export { startMemoryAdapter as default } from ${JSON.stringify(MEMORY)};`);
  file('ignores-limits.mjs', changed(`getItems: () => getItems()`));
});

afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, source: string): string {
  writeFileSync(join(folder, name), source);
  return name;
}

/** An adapter module: the memory adapter with other methods, and what else it does when it starts and stops. */
function changed(methods: string, { start = '', stop = '' } = {}): string {
  return `
    import { startMemoryAdapter } from ${JSON.stringify(MEMORY)};
    export default async function start() {
      const { adapter } = await startMemoryAdapter();
      ${start}
      const open = async () => {
        const connection = await adapter.open();
        const session = (request) => {
          const right = connection.session(request);
          const getItems = right.getItems.bind(right);
          return Object.assign(right, { ${methods} });
        };
        return { ...connection, session };
      };
      return { adapter: { ...adapter, open }, stop: async () => { ${stop} } };
    }`;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command, in a process of its own, in the folder. */
function cli(...args: string[]): Promise<Ended> {
  return ended(start([BIN, ...args]));
}

/** The same, but an adapter has only so many milliseconds for each thing. */
function hastyCli(timeoutMs: number, ...args: string[]): Promise<Ended> {
  const line = JSON.stringify({ command: 'hasty', timeoutMs });
  const source = `
    import { runCommandLine } from ${JSON.stringify(COMMAND_LINE)};
    process.exit(await runCommandLine(${JSON.stringify(args)}, ${line}));`;
  return ended(start(['--input-type=module', '-e', source]));
}

function start(args: string[]): ChildProcess {
  return spawn(process.execPath, ['--conditions=@sessions/source', ...args], { cwd: folder });
}

async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

describe('a run', () => {
  test('of an adapter that keeps the clause ends with 0', async () => {
    const { code, stdout, stderr } = await cli('memory.mjs', '--clause', 'GET-3');
    expect(stdout).toMatch(/memory on Node\.js .*: 2 passed, 0 failed/);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('of an adapter that breaks it ends with 1 and says what was expected, what came, and how to see it again', async () => {
    const { code, stdout, stderr } = await cli('ignores-limits.mjs', '--clause', 'GET-3', '--clause', 'ID-1');
    expect(stdout).toMatch(/FAILED GET-3 the newest N, oldest first/);
    expect(stdout).toMatch(/expected: .*m9/);
    expect(stdout).toMatch(/actual: .*\n?.*m0/);
    expect(stdout).toContain(
      'sessions-conformance ignores-limits.mjs --clause GET-3 --title "the newest N, oldest first"',
    );
    expect(stderr).toContain('ignores-limits.mjs: FAILED GET-3 the newest N, oldest first');
    expect(code).toBe(1);
  });

  test('is of one case with its title', async () => {
    const { stdout } = await cli('memory.mjs', '--title', 'the newest N, oldest first');
    expect(stdout).toMatch(/: 1 passed, 0 failed, 0 not applicable/);
  });

  test('plays the history again that a failure names', async () => {
    const json = join(folder, 'first.json');
    await cli('ignores-limits.mjs', '--clause', 'GET-2', '--seed', '7', '--json', json);
    const [first] = JSON.parse(readFileSync(json, 'utf8')) as ConformanceReport[];
    const failure = first!.results.find(({ path }) => path !== undefined)!;
    const again = await cli('ignores-limits.mjs', '--seed', '7', '--path', failure.path!);
    expect(again.stdout).toMatch(/: 0 passed, 1 failed, 0 not applicable/);
    expect(again.stdout).toContain(failure.steps!.split('\n').at(-1));
    expect(again.code).toBe(1);
  });

  test('of several adapters puts them side by side', async () => {
    const { code, stdout } = await cli('memory.mjs', 'ignores-limits.mjs', '--clause', 'GET-3');
    expect(stdout).toMatch(/^GET-3 +2 ok +\d FAIL$/m);
    expect(code).toBe(1);
  });

  test('writes reports, which are in no format but those asked for', async () => {
    const args = ['--json', 'r.json', '--html', 'r.html', '--markdown', 'r.md'];
    const { code, stdout } = await cli('memory.mjs', '--clause', 'GET-3', ...args);
    expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toMatchObject([{ adapter: 'memory' }]);
    expect(readFileSync(join(folder, 'r.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    expect(readFileSync(join(folder, 'r.md'), 'utf8')).toContain('2 passed');
    expect(stdout).toContain(join(folder, 'r.html'));
    expect(code).toBe(0);
  });

  test('is silent when it is to be quiet, unless something is wrong', async () => {
    expect(await cli('memory.mjs', '--clause', 'GET-3', '--quiet')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const wrong = await cli('ignores-limits.mjs', '--clause', 'GET-3', '--quiet');
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('FAILED GET-3'), stderr: '' });
  });

  test('comes to its end though the adapter leaves something open, and says so', async () => {
    const name = file('leaves.mjs', changed('', { start: 'setInterval(() => undefined, 1_000);' }));
    const { code, stderr } = await cli(name, '--clause', 'GET-3');
    expect(stderr).toBe('The adapter left a timer open after its stop(). The process ends all the same.\n');
    expect(code).toBe(0);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('that gets %s stops the adapter and ends with %i', async (signal, expected) => {
    const hangs = changed(
      'getItems: (limit) => limit === 1 ? getItems(limit) : new Promise(() => undefined)',
      {
        start: 'console.log("started");',
        stop: 'console.log("stopped");',
      },
    );
    const child = start([BIN, file('hangs.mjs', hangs), '--clause', 'GET-3']);
    child.stdout!.once('data', () => child.kill(signal));
    const { code, stdout, stderr } = await ended(child);
    expect(stdout).toBe('started\nstopped\n');
    expect(stderr).toContain('Interrupted');
    expect(code).toBe(expected);
  });
});

describe('a wrong adapter ends with 2 and one line', () => {
  const WRONG: [what: string, source: string, message: string | RegExp][] = [
    [
      'with a syntax error',
      'export default {',
      'It cannot be read: Unexpected end of input. Run it with node to see where.',
    ],
    [
      'that imports what is not there',
      'import "no-such-package";',
      /It threw when it was imported: Cannot find package 'no-such-package'/,
    ],
    [
      'that throws',
      '\nthrow new Error("out of order");',
      /It threw when it was imported: out of order \(.*wrong\.mjs:2:7\)/,
    ],
    [
      'without a default export',
      'export const adapter = {};',
      /It has no default export\. Let that be the adapter/,
    ],
    [
      'that is a number',
      'export default 1;',
      /An adapter is an object, or what a function gives, not a number/,
    ],
    [
      'that is not whole',
      'export default { name: "x", store: "y", open() {} };',
      /The adapter is not whole: it has no `capabilities\.transactions`/,
    ],
    ['that has no end', 'export default { adapter: {} };', /there is no function `stop`/],
    [
      'that does not start',
      'export default async () => { throw new Error("no server"); };',
      /The adapter did not start: no server \(.*wrong\.mjs:1:36\)/,
    ],
    [
      'that throws nothing',
      'export default async () => { throw undefined; };',
      'The adapter did not start: undefined',
    ],
    ['that starts as nothing', 'export default () => undefined;', /not undefined/],
  ];

  test.each(WRONG)('%s', async (_, source, message) => {
    const { code, stdout, stderr } = await cli(file('wrong.mjs', source));
    expect(stderr).toMatch(/^wrong\.mjs: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('that is not there, or is a folder', async () => {
    mkdirSync(join(folder, 'folder'));
    const { code, stderr } = await cli('memory.mjs', 'none.mjs', 'folder');
    expect(stderr).toBe(
      'none.mjs: There is no such file.\nfolder: That is no file. Name the module that exports the adapter.\n',
    );
    expect(code).toBe(2);
  });

  test('whose import hangs', async () => {
    const { code, stderr } = await hastyCli(300, file('wrong.mjs', 'await new Promise(() => undefined);'));
    expect(stderr).toBe('wrong.mjs: Importing it did not come to an end within 0.3 s.\n');
    expect(code).toBe(2);
  });

  test('whose start hangs', async () => {
    const name = file('wrong.mjs', 'export default () => new Promise(() => undefined);');
    const { code, stderr } = await hastyCli(300, name);
    expect(stderr).toBe('wrong.mjs: The adapter did not start within 0.3 s. Does its store answer?\n');
    expect(code).toBe(2);
  });

  test.each([
    [
      'hangs',
      'await new Promise(() => undefined);',
      "The adapter's stop() did not come to an end within 5 s.",
    ],
    ['fails', 'throw new Error("busy");', /The adapter's stop\(\) failed: busy/],
  ])('whose stop %s, after its report', async (_, stop, message) => {
    const { code, stdout, stderr } = await hastyCli(
      5_000,
      file('wrong.mjs', changed('', { stop })),
      '--clause',
      'GET-3',
    );
    expect(stdout).toContain('2 passed');
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('a wrong use ends with 2 and says what is wrong', () => {
  test.each([
    [[], /Which adapter\? Name the file that exports it\./],
    [['memory.mjs', '--claus', 'GET-3'], /Unknown option '--claus'/],
    [['memory.mjs', '--clause'], /'--clause <value>' argument missing/],
    [['memory.mjs', '--clause', 'GET-33'], /There is no clause "GET-33"\. There are ID-1, /],
    [['memory.mjs', '--title', 'no such title'], /The kit has no case with the title "no such title"/],
    [['memory.mjs', '--seed', '1.5'], /A seed is a whole number, not "1\.5"/],
    [['memory.mjs', '--path', 'GET-2:1'], /A path is of a seed/],
    [
      ['memory.mjs', '--json', 'none/report.json'],
      /cannot be written to none\/report\.json: its folder does not exist/,
    ],
    [['memory.mjs', '--json', '.'], /cannot be written to \.: it is a folder/],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await cli(...args);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('"npx sessions-conformance --help" says how it is used.');
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

test('help and version are what is asked for', async () => {
  const help = await cli('--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^usage: npx sessions-conformance FILE… \[options\]\n/);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(await cli('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('adapters that are known by name take the place of files, and none means all of them', async () => {
  const known = (...args: string[]) => {
    const source = `
      import { runCommandLine } from ${JSON.stringify(COMMAND_LINE)};
      import first from ${JSON.stringify(pathToFileURL(join(folder, 'memory.mjs')).href)};
      const second = async () => {
        const { adapter, stop } = await first();
        return { adapter: { ...adapter, name: 'second' }, stop };
      };
      process.exit(await runCommandLine(${JSON.stringify(args)}, { command: 'known', adapters: { first, second } }));`;
    return ended(start(['--input-type=module', '-e', source]));
  };
  const all = await known('--title', 'the newest N, oldest first');
  expect(all.stdout).toMatch(/^clause +memory +second$/m);
  const one = await known('second', '--title', 'the newest N, oldest first');
  expect(one.stdout).toMatch(/^clause +second$/m);
  const none = await known('third');
  expect(none.stderr).toContain('There is no adapter "third", but first, second.');
  expect([all.code, one.code, none.code]).toEqual([0, 0, 2]);
  expect((await known('--help')).stdout).toMatch(
    /^usage: known \[ADAPTER…\].*Adapters: first, second; all by default\./s,
  );
});
