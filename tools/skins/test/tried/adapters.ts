import type { AnySession, StartedAdapter } from '@sessions/conformance';
import { startMemoryAdapter } from '../../../../packages/memory/test/adapter.ts';

/** Adapters that a skin is tried with. */
export const ADAPTERS = {
  'ignores limits': () => {
    return withReading((getItems) => (_limit, options) => getItems(undefined, options));
  },
  // What the engine clones is of another realm than Jest's.
  'clones what it gives': () => {
    return withReading(
      (getItems) => async (limit, options) => structuredClone(await getItems(limit, options)),
    );
  },
  'does not start': () => Promise.reject(new Error('no such server')),
} satisfies Record<string, () => Promise<StartedAdapter>>;

/** The memory adapter, whose sessions read in another way. */
async function withReading(
  change: (getItems: AnySession['getItems']) => AnySession['getItems'],
): Promise<StartedAdapter> {
  const { adapter, stop } = await startMemoryAdapter();
  return {
    stop,
    adapter: {
      ...adapter,
      async open() {
        const connection = await adapter.open();
        return {
          ...connection,
          session(request) {
            const session = connection.session(request);
            return Object.assign(session, { getItems: change(session.getItems.bind(session)) });
          },
        };
      },
    },
  };
}
