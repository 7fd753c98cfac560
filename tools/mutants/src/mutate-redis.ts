import { Redis } from 'ioredis';
import { script } from '../../../packages/redis/src/run-script.ts';
import { COMMIT } from '../../../packages/redis/src/scripts.ts';
import type { Mutant } from './mutant.ts';

/** Until it is disposed of, the script and the driver are the mutant's. */
export function mutateRedis({ script: change, resends = true }: Partial<Mutant>): Disposable {
  const right = { ...COMMIT };
  const { connect } = Redis.prototype;
  if (change) Object.assign(COMMIT, script(change(right.lua)));
  if (!resends) {
    Redis.prototype.connect = function (...args) {
      this.options.maxRetriesPerRequest = 0;
      return connect.apply(this, args);
    };
  }
  return {
    [Symbol.dispose]() {
      Object.assign(COMMIT, right);
      Redis.prototype.connect = connect;
    },
  };
}

/** Replaces a piece of Lua everywhere; the script must hold it, so that no mutant is a right adapter unnoticed. */
export function replacing(piece: string, by: string): (lua: string) => string {
  return (lua) => {
    if (!lua.includes(piece)) throw new Error(`The script does not hold "${piece}" any more.`);
    return lua.replaceAll(piece, by);
  };
}
