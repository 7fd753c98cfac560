import { findOnPath } from './on-path.ts';
import { say } from './source.ts';

/**
 * Why a server cannot be tested on this machine, which the output says too; `undefined` if it can.
 *
 * @param program - what the server needs on the PATH
 */
export function whyAbsent(program: string, server: string): string | undefined {
  try {
    findOnPath(program);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    say(`${server}: its tests are skipped: ${message}`);
    return message;
  }
}
