import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { change } from './change.ts';
import { ROOT } from './pack.ts';
import { type Ran, run } from './run.ts';
import type { Step } from './steps.ts';

/** Somebody with an empty folder and a document. */
export class Reader {
  readonly #folder: string;
  readonly #packages: ReadonlyMap<string, string>;

  /** @param packages - for the names that the reader installs, where they come from */
  constructor(folder: string, packages: ReadonlyMap<string, string>) {
    this.#folder = folder;
    this.#packages = packages;
  }

  /** Does what the document says; returns what a command came to. */
  async take(step: Step): Promise<Ran | undefined> {
    if (step.kind === 'run') return run(this.#install(step.command), this.#folder, readersEnvironment());
    const path = join(this.#folder, step.file);
    const text = step.kind === 'write' ? `${step.text}\n` : change(readFileSync(path, 'utf8'), step.diff);
    writeFileSync(path, text);
    return undefined;
  }

  #install(command: string): string {
    if (!command.startsWith('npm install ')) return command;
    return command
      .split(' ')
      .map((word) => this.#packages.get(word) ?? word)
      .join(' ');
  }
}

/** Of npm's settings those that say how the registry is reached; pnpm leaves others, which npm does not know. */
const REACHING_THE_REGISTRY =
  /^npm_config_(registry|cache|cafile|ca|(https?_|no)?proxy|noproxy|userconfig|globalconfig)$/i;

/** What the runner of these tests, pnpm and turbo leave to those whom they start. */
const NOT_THE_READERS =
  /^(npm_|pnpm_|turbo_|vitest|test$|node_env$|node_options$|node_path$|init_cwd$|force_color$)/i;

/** As in a terminal of the reader's own: of this repository nothing is left but its Node.js. */
function readersEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => REACHING_THE_REGISTRY.test(name) || !NOT_THE_READERS.test(name),
  );
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), ...folders].join(delimiter),
    NO_COLOR: '1',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}
