import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ran, run } from '../../packages/src/run.ts';
import { usersEnvironment } from '../../packages/src/users-environment.ts';
import { change } from './change.ts';
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
    if (step.kind === 'run') return run(this.#install(step.command), this.#folder, usersEnvironment());
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
