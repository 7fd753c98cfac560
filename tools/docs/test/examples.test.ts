import { FIRST_START_MS } from '@sessions/servers';
import { describe, expect, test } from 'vitest';
import { compile } from '../src/compile.ts';
import { examplesIn } from '../src/example.ts';
import { documents } from '../src/repository.ts';
import { runExample } from '../src/run-example.ts';

function guide(...lines: string[]) {
  return examplesIn({ path: 'docs/guide.md', text: lines.join('\n') });
}

describe('the documents', () => {
  const examples = documents().flatMap(examplesIn);

  test('README.md is there, and shows code that runs', () => {
    expect(examples.filter(({ document, runs }) => document === 'README.md' && runs)).not.toEqual([]);
  });

  test('all their TypeScript compiles', () => {
    expect(compile(examples)).toEqual([]);
  });

  for (const example of examples.filter(({ runs }) => runs)) {
    test(
      `${example.document}:${example.line} runs`,
      async () => {
        const { code, output } = await runExample(example);
        expect(code, output).toBe(0);
        if (example.output) expect(output.trimEnd()).toBe(example.output.join('\n'));
      },
      FIRST_START_MS,
    );
  }
});

describe('an example', () => {
  test('is a module of its own, and one that continues another is part of it', () => {
    const examples = guide(
      ...['```ts', 'const a = 1;', '```', '```ts continue run', 'a;', '```'],
      ...['```typescript', 'const a = 2;', '```', '```js', 'b', '```', '```diff', '+ c', '```'],
    );
    expect(examples).toEqual([
      { document: 'docs/guide.md', line: 2, runs: true, text: '\nconst a = 1;\n\n\na;' },
      { document: 'docs/guide.md', line: 8, runs: false, text: '\n\n\n\n\n\n\nconst a = 2;' },
    ]);
    expect(compile(examples)).toEqual([]);
  });

  test('that runs has the outputs that are shown right behind its blocks', () => {
    const shown = (text: string) => ['```text output', text, '```'];
    const outputs = guide(
      ...['```ts run', 'console.log(1);', '```', 'It prints:', ...shown('1')],
      ...['```ts continue', 'console.log(2);', '```', ...shown('2')],
      ...['```ts run', 'console.log(3);', '```', '```sh', 'ls', '```', ...shown('4')],
    ).map(({ output }) => output);
    expect(outputs).toEqual([['1', '2'], undefined]);
  });

  test('is refused with a mark that is misspelt, and when there is nothing to continue or to show', () => {
    expect(() => guide('```ts rnu', '```')).toThrow("docs/guide.md:1: 'rnu' is no mark of a block");
    expect(() => guide('', '```ts continue', '```')).toThrow('docs/guide.md:2: there is nothing to continue');
    expect(() => guide('```ts', '```', '```text output', '```')).toThrow(
      'docs/guide.md:3: what is shown is the output of nothing that runs',
    );
  });

  test('that does not compile is reported with its document and line', () => {
    const failures = compile(
      guide(
        ...['# Guide', '', '```ts', "import { MemorySession } from '@sessions/memory';", ''],
        ...["const session = new MemorySession({ sessionId: 'a' });", 'session.forget();', '```'],
        ...['', '```ts continue', "session.getItems('all');", '```'],
        ...['', '```ts', 'const items: string[] = [];', 'export const first: string = items[0];', '```'],
      ),
    );
    expect(failures).toEqual([
      expect.stringMatching(/^docs\/guide\.md:7:9: error TS2339: .*'forget'/),
      expect.stringMatching(/^docs\/guide\.md:11:18: error TS2345: /),
      expect.stringMatching(/^docs\/guide\.md:16:14: error TS2322: .*\n {2}Type 'undefined' is not/),
    ]);
  });

  test('that is not closed is reported near its end', () => {
    expect(compile(guide('```ts', 'if (true) {', '```'))).toEqual([
      expect.stringMatching(/^docs\/guide\.md:4:1: error TS1005/),
    ]);
  });

  test('runs with a real server in the place of the one that it names', async () => {
    const [example] = guide(
      ...[
        '```ts run',
        "import { Redis } from 'ioredis';",
        "const client = new Redis('redis://localhost:6379');",
      ],
      ...['console.log(await client.ping());', 'client.disconnect();', '```'],
    );
    expect(await runExample(example!)).toEqual({ code: 0, output: 'PONG\n' });
  });

  test('that fails when it runs is reported with its line', async () => {
    const [example] = guide('```ts run', '', "throw new Error('not today');", '```');
    const { code, output } = await runExample(example!);
    expect(code).toBe(1);
    expect(output).toContain('docs/guide.md:3');
    expect(output).toContain('not today');
  });
});
