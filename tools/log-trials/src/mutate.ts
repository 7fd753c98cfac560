import { registerHooks } from 'node:module';
import type { Mutant } from './mutants.ts';
import type { MakeHistory } from './trial.ts';

/** Where the log's modules are. */
export const LOG = new URL('../../../packages/core/src/log/', import.meta.url).href;

const loading = new Map<string, Mutant>();

/** The log's modules bear a mutant's number in their address, and hand it on to each other. */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const number = /\?mutant=\d+$/.exec(context.parentURL ?? '')?.[0];
    return number && resolved.url.startsWith(LOG)
      ? { ...resolved, url: `${resolved.url}${number}` }
      : resolved;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const [path, number] = url.split('?mutant=');
    const mutant = number === undefined ? undefined : loading.get(number);
    if (!mutant || path !== `${LOG}${mutant.file}`) return loaded;
    return { ...loaded, source: without(mutant, String(loaded.source)) };
  },
});

/** The source of a mutant's file without its guard. */
export function without({ file, piece, by }: Mutant, source: string): string {
  if (source.split(piece).length !== 2) throw new Error(`${file} does not hold this once any more: ${piece}`);
  return source.replace(piece, () => by);
}

/** The log without a guard; as it is, if there is none to leave out. */
export async function mutate(number: number, mutant: Mutant | undefined): Promise<MakeHistory> {
  if (mutant) loading.set(String(number), mutant);
  const { LogHistory } = (await import(`${LOG}log-history.ts?mutant=${number}`)) as {
    readonly LogHistory: new (...args: Parameters<MakeHistory>) => ReturnType<MakeHistory>;
  };
  return (log, options) => new LogHistory(log, options);
}
