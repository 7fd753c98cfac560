import { fromCrate } from './cargo-crate.ts';
import type { Command } from './run.ts';
import type { Source } from './source.ts';

/** SecantusDB in Rust. Unlike the one in Python it sorts by its index, so that growth can be judged on it. */
export const secantusRsSource: Source<string> = {
  name: 'package',
  help: 'Have cargo, cmake and a C compiler on the PATH, and crates.io within reach; the first time it takes minutes.',
  open: () => fromCrate('secantus-mdb', '0.5.3-beta.193', 'secantusd-rs'),
};

export function secantusRsCommand(program: string, port: number): Command {
  return [program, '--host', '127.0.0.1', '--port', String(port), '--storage-path', 'data'];
}
