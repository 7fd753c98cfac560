import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** What a package says of itself, as far as a release is about it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
}

/** The repository somewhere else, to be released: its files as they are here, and what is installed. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'sessions-release-'));

  constructor() {
    const listed = git(ROOT, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    for (const path of new Set(listed.split('\0'))) {
      if (path && existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(this.folder, path));
    }
    this.#install();
    git(this.folder, ['init', '--quiet', '--initial-branch=main']);
    this.commit('Everything');
  }

  commit(message: string): void {
    git(this.folder, ['add', '--all']);
    const author = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.com'];
    git(this.folder, [...author, 'commit', '--quiet', '--no-verify', '--message', message]);
  }

  /** The packages that are published, by their folders. */
  packages(): Map<string, Manifest> {
    const folders = [...globSync('packages/*', { cwd: this.folder }), 'conformance'];
    const manifests = folders.map((folder): [string, Manifest] => [
      folder,
      JSON.parse(this.read(join(folder, 'package.json'))) as Manifest,
    ]);
    return new Map(manifests.filter(([, manifest]) => !manifest.private));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /** Runs a command in a shell there, as in a terminal of the maintainer's own. Resolves to all that it prints. */
  async run(command: string): Promise<{ code: number | null; output: string }> {
    const env = maintainersEnvironment();
    const child = spawn(command, { cwd: this.folder, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    return { code, output };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** As pnpm would, but from what it installed here: links to other packages lead to those of the copy. */
  #install(): void {
    for (const modules of globSync(
      ['node_modules', 'packages/*/node_modules', 'conformance/node_modules', 'tools/release/node_modules'],
      { cwd: ROOT },
    )) {
      const kept = (path: string) => !/node_modules\/(\.pnpm|\.cache|\.vite[^/]*)$/.test(path);
      mkdirSync(dirname(join(this.folder, modules)), { recursive: true });
      cpSync(join(ROOT, modules), join(this.folder, modules), {
        recursive: true,
        verbatimSymlinks: true,
        filter: kept,
      });
    }
    symlinkSync(join(ROOT, 'node_modules/.pnpm'), join(this.folder, 'node_modules/.pnpm'));
    // `npm run` installs no more.
    cpSync(join(ROOT, 'pnpm-lock.yaml'), join(this.folder, 'node_modules/.installed-lockfile'));
  }
}

/** What turbo, pnpm and the runner of these tests leave to those whom they start would have them look for packages here. */
function maintainersEnvironment(): NodeJS.ProcessEnv {
  const isTheirs = (name: string) => /^(turbo_|vitest|npm_(?!config_)|pnpm_|init_cwd$|node_env$)/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isTheirs(name)));
}

function git(folder: string, args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
