import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';
import { type Package, ROOT, readManifest } from './workspace.ts';

interface Packed {
  readonly name: string;
  readonly filename: string;
}

/** Builds packages of the workspace, and packs each as it would be published. Returns for each name its tarball. */
export async function pack(packages: readonly Package[], folder: string): Promise<Map<string, string>> {
  const pnpm = `npx --yes ${readManifest('.').packageManager}`;
  const filters = packages.map(({ name }) => `--filter=${name}`).join(' ');
  for (const { directory } of packages)
    rmSync(join(ROOT, directory, 'dist'), { recursive: true, force: true });
  // What was built before turbo takes from its cache, so the build that packing begins with is left out.
  await succeed(`${pnpm} exec turbo run build ${filters} --output-logs=errors-only`);
  const json = await succeed(
    `${pnpm} --recursive ${filters} --config.ignore-scripts=true pack --json --pack-destination '${folder}'`,
  );
  const packed = [JSON.parse(json) as Packed | Packed[]].flat();
  return new Map(packed.map(({ name, filename }) => [name, filename]));
}

async function succeed(command: string): Promise<string> {
  const { code, output, stdout } = await run(command, ROOT, {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: '1',
  });
  if (code !== 0) throw new Error(`${command}\n${output}`);
  return stdout;
}
