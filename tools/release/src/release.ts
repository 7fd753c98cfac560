import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Where the packed packages are left, from the root. */
const PACKED = '.cache/release';

/** Why nothing was published, in a line that says what to do. */
export class ReleaseRefused extends Error {}

/**
 * Builds every package afresh, packs those whose version is not on the registry, and publishes just these files, with a
 * git tag each. Does nothing if every version is there.
 *
 * @param options - `dryRun`: say what would be published, and stop before that
 * @throws ReleaseRefused
 */
export function release({ dryRun }: { readonly dryRun: boolean }): void {
  const pending = globSync('.changeset/*.md', { cwd: ROOT });
  if (pending.length > 0) {
    throw new ReleaseRefused(
      `No version has these changes yet: ${pending.sort().join(', ')}. Run \`npm run version-packages\` first.`,
    );
  }
  // The compiler leaves what it built of sources that are gone.
  for (const old of globSync(['packages/*/dist', 'conformance/dist'], { cwd: ROOT }))
    rmSync(join(ROOT, old), { recursive: true });
  run('turbo', [
    'run',
    'build',
    '--filter=./packages/*',
    '--filter=./conformance',
    '--output-logs=errors-only',
  ]);
  rmSync(join(ROOT, PACKED), { recursive: true, force: true });
  // Without `prepack`: it would build each package once more, beside others that read what it writes.
  run('changeset', ['pack', '--out-dir', PACKED], { npm_config_ignore_scripts: 'true' });
  if (dryRun) console.log(`${planned()}\nNothing was published.`);
  else run('changeset', ['publish', '--from-pack-dir', PACKED]);
}

interface Publish {
  readonly kind: 'publish';
  readonly name: string;
  readonly version: string;
  readonly tag: string;
  readonly tarball: { readonly path: string };
}

/** A line for each package, in the order in which they are published: what others need comes first. */
function planned(): string {
  const { plan } = JSON.parse(readFileSync(join(ROOT, PACKED, 'publish-plan.json'), 'utf8')) as {
    plan: (Publish | { readonly kind: 'tag-only' })[][];
  };
  const lines = plan.flat().flatMap((step) => {
    if (step.kind !== 'publish') return [];
    const path = join(PACKED, step.tarball.path);
    const kilobytes = Math.ceil(statSync(join(ROOT, path)).size / 1_000);
    return [`Would publish ${step.name}@${step.version} as ${step.tag}: ${path}, ${kilobytes} kB`];
  });
  return lines.length > 0 ? lines.join('\n') : 'Every version is on the registry already.';
}

/** Runs a program of the root's dependencies. */
function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const { status, error } = spawnSync('pnpm', ['exec', program, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  if (status !== 0) throw new ReleaseRefused(`\`${program} ${args[0]}\` failed, for the reason above.`);
}
