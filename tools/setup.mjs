// Makes a fresh clone ready, then runs one of the root's scripts: `node tools/setup.mjs SCRIPT [arguments…]`.
// Runs on Node.js 20 and with nothing installed, so it is plain JavaScript and uses nothing but Node's own modules.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Where the user is, for paths among the arguments. */
const calledFrom = process.env.INIT_CWD ?? process.cwd();

/** pnpm in the pinned version, whether or not one is installed; what it runs uses the pinned Node.js. */
function pnpm(args) {
  const { status, error } = spawnSync('npx', ['--yes', packageManager, ...args], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: '1',
      npm_config_update_notifier: 'false',
      CALLED_FROM: calledFrom,
    },
  });
  if (error) throw error;
  return status ?? 1;
}

/** What was installed last, so that a pull that changed the lockfile is noticed. */
const stamp = join(root, 'node_modules', '.installed-lockfile');
const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockfile) {
  console.error(`Installing dependencies with ${packageManager} …`);
  const status = pnpm(['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn']);
  if (status !== 0) {
    console.error('The installation failed. The npm registry must be reachable; see the lines above.');
    process.exit(status);
  }
  writeFileSync(stamp, lockfile);
}

const [script, ...args] = process.argv.slice(2);
process.exit(pnpm(['--silent', 'run', script, ...args]));
