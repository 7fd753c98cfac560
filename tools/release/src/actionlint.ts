import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const VERSION = '1.7.12';

/** `program`: where actionlint is; else `missing`: what would help, in a line. */
export type Actionlint = { readonly program: string } | { readonly missing: string };

/** actionlint on the PATH, else built into the cache folder from its pinned Go module, for there is no package of it for npm. */
export function findActionlint(root: string): Actionlint {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const installed = folders.map((folder) => join(folder, 'actionlint')).find((path) => existsSync(path));
  if (installed) return { program: installed };
  const cache = join(process.env.SESSIONS_CACHE ?? join(root, '.cache'), `actionlint-${VERSION}`);
  const program = join(cache, 'actionlint');
  if (existsSync(program)) return { program };
  const { status, stderr, error } = spawnSync(
    'go',
    ['install', `github.com/rhysd/actionlint/cmd/actionlint@v${VERSION}`],
    { env: { ...process.env, GOBIN: cache }, encoding: 'utf8' },
  );
  if (status === 0) return { program };
  const why = error ? error.message : stderr.trim();
  return { missing: `Put actionlint or go on the PATH, and have the Go module proxy within reach (${why})` };
}
