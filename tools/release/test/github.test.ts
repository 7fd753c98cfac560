import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { findActionlint } from '../src/actionlint.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: ROOT }).sort();
const FORMS = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: ROOT }).filter(
  (path) => !path.endsWith('config.yml'),
);

const actionlint = findActionlint(ROOT);
if ('missing' in actionlint) console.warn(`The workflows are not linted. ${actionlint.missing}.`);

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** All that stands under a name in a document, at whatever depth. */
function under(name: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = Object.entries(node).filter(([key]) => key === name && !Array.isArray(node));
  return [
    ...own.map(([, value]) => value as unknown),
    ...Object.values(node).flatMap((value) => under(name, value)),
  ];
}

test.skipIf('missing' in actionlint)('actionlint finds nothing in the workflows', () => {
  const program = 'program' in actionlint ? actionlint.program : '';
  const { status, stdout, stderr } = spawnSync(program, ['-no-color', ...WORKFLOWS], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, found: stdout + stderr }).toEqual({ status: 0, found: '' });
});

test('actions are pinned to a commit, with the version that it is', () => {
  const used = WORKFLOWS.flatMap((path) => read(path).match(/uses: .*/g) ?? []);
  expect(used.length).toBeGreaterThan(0);
  const loose = used.filter((line) => !/^uses: (\.\/\S+|\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line));
  expect(loose).toEqual([]);
});

test('workflows run scripts and packages that there are', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = WORKFLOWS.flatMap((path) => {
    const workflow: unknown = parse(read(path));
    return ['run', 'version-script', 'publish-script'].flatMap((name) => under(name, workflow));
  }).join('\n');
  const named = Array.from(commands.matchAll(/\bnpm (?:run )?([\w-]+)/g), ([, script]) => script!);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
  const stores = new Set(
    under('include', parse(read('.github/workflows/ci.yml'))).flatMap((jobs) => under('package', jobs)),
  );
  expect([...stores].sort()).toEqual(['dynamodb', 'mongo', 'redis']);
  for (const store of stores)
    expect(read(`packages/${store}/package.json`)).toContain(`"@sessions/${store}"`);
});

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly Field[];
}

interface Field {
  readonly type: string;
  readonly id?: string;
  readonly attributes: {
    readonly label?: string;
    readonly value?: string;
    readonly options?: readonly string[];
  };
}

test.each(FORMS)('%s is a form that GitHub takes', (path) => {
  const { name, description, body } = parse(read(path)) as Form;
  expect([typeof name, typeof description]).toEqual(['string', 'string']);
  const fields = body.filter(({ type }) => type !== 'markdown');
  expect(fields.length).toBeGreaterThan(0);
  for (const { type, id, attributes } of fields) {
    expect(['input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
    expect(id).toMatch(/^[\w-]+$/);
    expect(attributes.label).toEqual(expect.any(String));
    if (type === 'dropdown') expect(new Set(attributes.options).size).toBe(attributes.options?.length);
  }
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  for (const { type, attributes } of body)
    if (type === 'markdown') expect(attributes.value).toEqual(expect.any(String));
});

test('the form about clauses names every adapter', () => {
  const { body } = parse(read('.github/ISSUE_TEMPLATE/adapter-fails-a-clause.yml')) as Form;
  const { options = [] } = body.find(({ id }) => id === 'adapter')!.attributes;
  const adapters = globSync('packages/*/test/conformance.test.ts', { cwd: ROOT }).map(
    (path) => `@sessions/${path.split(/[\\/]/)[1]}`,
  );
  expect(options.slice(0, -1).sort()).toEqual(adapters.sort());
});
