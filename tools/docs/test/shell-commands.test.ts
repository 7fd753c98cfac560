import { expect, test } from 'vitest';
import { documents, rootScripts } from '../src/repository.ts';
import { scriptsNamedIn } from '../src/shell-commands.ts';

test('each script that a document names is there', () => {
  const known = rootScripts();
  const missing = documents()
    .flatMap(scriptsNamedIn)
    .filter(({ script }) => !known.includes(script));
  expect(missing).toEqual([]);
});

test('scripts are found however they are called', () => {
  const lines = [
    ...[
      '```sh',
      'npm install @sessions/redis ioredis',
      'npm run demo',
      '$ pnpm check && npm test # pnpm none',
    ],
    ...['REDIS_URL=redis://a npx -y pnpm@10.34.8 run bench | tee out', 'pnpm add a; pnpm --filter b test'],
    ...['```', 'npm run prose', '```ts', 'npm run code', '```'],
  ];
  expect(scriptsNamedIn({ path: 'a.md', text: lines.join('\n') })).toEqual([
    { at: 'a.md:3', script: 'demo' },
    { at: 'a.md:4', script: 'check' },
    { at: 'a.md:4', script: 'test' },
    { at: 'a.md:5', script: 'bench' },
  ]);
});
