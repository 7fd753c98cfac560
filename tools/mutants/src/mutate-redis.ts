import { script } from '../../../packages/redis/src/run-script.ts';
import { COMMIT } from '../../../packages/redis/src/scripts.ts';
import type { Mutant } from './mutant.ts';

/** Until it is disposed of, the script that makes all changes is the mutant's. */
export function mutateScript(change: Mutant['script']): Disposable {
  const right = { ...COMMIT };
  if (change) Object.assign(COMMIT, script(change(right.lua)));
  return {
    [Symbol.dispose]: () => void Object.assign(COMMIT, right),
  };
}

/** Replaces a piece of Lua everywhere; the script must hold it, so that no mutant is a right adapter unnoticed. */
export function replacing(piece: string, by: string): (lua: string) => string {
  return (lua) => {
    if (!lua.includes(piece)) throw new Error(`The script does not hold "${piece}" any more.`);
    return lua.replaceAll(piece, by);
  };
}
