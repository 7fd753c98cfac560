import type { Connection } from '../adapter.ts';

/** What can be sent to another process as it is. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** How another process gets at the same store. */
export interface ProcessOpening {
  /** The URL of a module (`file:`) whose export `open` is an {@link OpenConnection}. */
  readonly module: string;
  /** What it is given: an address, a prefix. */
  readonly options: Json;
  /** What Node.js itself is given, such as `--conditions=…`; what this process was given by default. */
  readonly execArgv?: readonly string[] | undefined;
}

/** Opens one more client, as `ConformanceAdapter.open` does, from the options alone. */
export type OpenConnection = (options: Json) => Promise<Connection>;
