import { inspect } from 'node:util';

/** What an adapter does for the kit, beside its sessions, failed: neither a clause nor the kit is broken, but that. */
export class AdapterFailure extends Error {
  /** @param what - what failed, in the words of the type `ConformanceAdapter` */
  constructor(what: string, cause: unknown) {
    super(`The adapter's own ${what} failed`, { cause });
  }

  /** What was thrown, in full. */
  get thrown(): string {
    const { cause } = this;
    return typeof cause === 'string' ? cause : inspect(cause, { depth: 4 });
  }
}

/** Does something that is the adapter's. @throws AdapterFailure */
export async function asksAdapter<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new AdapterFailure(what, cause);
  }
}
