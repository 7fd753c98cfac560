import type { Control } from './controlled.ts';
import type { SourceName } from './source.ts';

/** A server that answers, whatever it is. */
export interface RunningServer {
  readonly engine: string;
  readonly version: string;
  readonly source: SourceName;
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Absent where the server isn't ours to control (a URL from the environment). */
  readonly control?: Control;
  /** Ends the server and deletes its data folder; resolves when both are gone. May be called again. */
  stop(): Promise<void>;
}
