import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Copy, type Manifest } from './copy.ts';

/** Packages are compiled, and the registry is asked about each. */
const TIMEOUT_MS = 300_000;

let copy: Copy;
beforeAll(() => {
  copy = new Copy();
}, TIMEOUT_MS);
afterAll(() => copy?.remove());

type Bump = 'patch' | 'minor' | 'major';

/** What changesets say: for each package the highest bump, and the first line of each of its changes. */
function announced(): Map<string, { bump: Bump; lines: string[] }> {
  const all = new Map<string, { bump: Bump; lines: string[] }>();
  const order: Bump[] = ['patch', 'minor', 'major'];
  for (const path of globSync('.changeset/*.md', { cwd: copy.folder })) {
    const [, head = '', text = ''] = copy.read(path).split(/^---$/m);
    const [line = ''] = text.trim().split('\n');
    for (const [, name = '', bump] of head.matchAll(/^"(.+)": (patch|minor|major)$/gm)) {
      const known = all.get(name) ?? { bump: 'patch', lines: [] };
      const highest = order[Math.max(order.indexOf(known.bump), order.indexOf(bump as Bump))]!;
      all.set(name, { bump: highest, lines: [...known.lines, line] });
    }
  }
  return all;
}

function bumped(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

function announce(name: string, bump: Bump, text: string): void {
  writeFileSync(
    join(copy.folder, '.changeset/announced-by-the-test.md'),
    `---\n"${name}": ${bump}\n---\n\n${text}\n`,
  );
}

/** Runs the command of the documents, and checks that each package has the version that it should have. */
async function version(): Promise<void> {
  const before = copy.packages();
  const changes = announced();
  expect(await copy.run('npm run version-packages')).toMatchObject({ code: 0 });
  expect(globSync('.changeset/*.md', { cwd: copy.folder })).toEqual([]);
  for (const [folder, manifest] of copy.packages()) {
    const { name, version: old } = before.get(folder)!;
    // A package without a change of its own has to allow the new core, and nothing more than that.
    const { bump, lines } = changes.get(name) ?? { bump: 'patch', lines: [] };
    expect(manifest).toMatchObject({ name, version: bumped(old, bump) });
    const changelog = copy.read(`${folder}/CHANGELOG.md`);
    expect(changelog.startsWith(`# ${name}\n\n## ${manifest.version}\n`)).toBe(true);
    for (const line of lines) expect(changelog).toContain(line);
  }
  copy.commit('Version packages');
}

test('what is not in a version yet is not released', async () => {
  announce('@sessions/core', 'minor', 'A new promise.');
  const { code, output } = await copy.run('npm run release -- --dry-run');
  expect(output).toContain('.changeset/announced-by-the-test.md');
  expect(output).toContain('Run `npm run version-packages` first.');
  expect(code).toBe(1);
});

test(
  'version-packages gives each package its version and its changelog, and leaves the repository in order',
  async () => {
    await version();
    expect(await copy.run('pnpm exec biome check .')).toMatchObject({ code: 0 });
    expect(await copy.run('pnpm install --frozen-lockfile --lockfile-only')).toMatchObject({ code: 0 });
  },
  TIMEOUT_MS,
);

test(
  'release --dry-run builds and packs what would be published, and says so',
  async () => {
    const { code, output } = await copy.run('npm run release -- --dry-run');
    console.log(output);
    expect(code).toBe(0);
    expect(output).toContain('Nothing was published.');
    const packages = [...copy.packages().values()];
    const planned = output.matchAll(/^Would publish (\S+)@(\S+) as latest: (\S+), \d+ kB$/gm);
    const tarballs = new Map(Array.from(planned, ([, name, version, path]) => [`${name}@${version}`, path!]));
    expect([...tarballs.keys()].sort()).toEqual(
      packages.map(({ name, version }) => `${name}@${version}`).sort(),
    );
    const versions = new Map(packages.map(({ name, version }) => [name, version]));
    for (const tarball of tarballs.values()) await checkPacked(tarball, versions);
  },
  TIMEOUT_MS,
);

/** Looks into a packed package: whether npm can install it, and prove where it comes from. */
async function checkPacked(tarball: string, versions: ReadonlyMap<string, string>): Promise<void> {
  const { output: listed } = await copy.run(`tar -tzf ${tarball}`);
  const { output: text } = await copy.run(`tar -xzOf ${tarball} package/package.json`);
  const manifest = JSON.parse(text) as Manifest;
  expect(text).not.toContain('workspace:');
  expect(manifest.publishConfig).toMatchObject({ access: 'public', provenance: true });
  const files = listed.split('\n');
  const entries = text.match(/"\.\/dist\/[^"]+"/g) ?? [];
  expect(entries).not.toEqual([]);
  for (const entry of entries) expect(files).toContain(`package/${(JSON.parse(entry) as string).slice(2)}`);
  for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
    if (versions.has(name)) expect(range).toBe(`^${versions.get(name)}`);
  }
}

test(
  'a minor version of the core makes a patch of what stands on it, not a major',
  async () => {
    announce('@sessions/core', 'minor', 'Another promise.');
    await version();
  },
  TIMEOUT_MS,
);
