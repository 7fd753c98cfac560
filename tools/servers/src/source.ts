export type SourceName = 'environment' | 'path' | 'docker' | 'package';

/** One place a server may come from. */
export interface Source<T> {
  readonly name: SourceName;
  /** What the reader can do to make this source work. */
  readonly help: string;
  /** Throws SourceAbsent where there is nothing to try, any other error where trying failed. */
  open(): Promise<T>;
}

/** This source isn't there: normal, so it is told only when no other source works either. */
export class SourceAbsent extends Error {}

/** Thrown when no source works: the message lists each source, why it failed, and what would help. */
export class ServerUnavailableError extends Error {
  override readonly name = 'ServerUnavailableError';
}

/** Opens the sources in their order and gives what the first working one gives. */
export async function firstWorking<T>(store: string, sources: readonly Source<T>[]): Promise<T> {
  const failures: string[] = [];
  for (const source of sources) {
    try {
      return await source.open();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!(error instanceof SourceAbsent)) say(`${store}: source '${source.name}' passed over: ${reason}`);
      failures.push(`- ${source.name}: ${reason}\n  What would help: ${source.help}`);
    }
  }
  throw new ServerUnavailableError(
    `No ${store} server could be started. Tried, in this order:\n${failures.join('\n')}`,
  );
}

const said = new Set<string>();

/** A line on stderr, once a process: a test file that starts twenty servers says where from once. */
export function say(line: string): void {
  if (said.has(line)) return;
  said.add(line);
  process.stderr.write(`[servers] ${line}\n`);
}
