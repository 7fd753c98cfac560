import type {
  AnySession,
  CompactingSession,
  CompactionPart,
  CompactionWish,
  ConformanceAdapter,
  Connection,
  Json,
  StartedAdapter,
} from '@sessions/conformance';
import { OpenAI } from 'openai';
import { OpenAIResponsesCompactionSession } from '../src/index.ts';

const compaction: CompactionPart = {
  wrap: (session, wish) => sessionOver(inside.get(session) ?? session, wish),
};

/** The sessions inside those that were laid over them. */
const inside = new WeakMap<AnySession, AnySession>();

/** An adapter with compaction to be laid over its sessions, which are left as they are. */
export async function withCompaction(start: () => Promise<StartedAdapter>): Promise<StartedAdapter> {
  const { adapter, stop } = await start();
  return { adapter: { ...adapter, compaction }, stop };
}

/** An adapter whose every session is laid over with compaction. Other processes do the same, by `compaction-process.ts`. */
export function compacting(start: () => Promise<StartedAdapter>): () => Promise<StartedAdapter> {
  return async () => {
    const { adapter, stop } = await start();
    return { adapter: over(adapter), stop };
  };
}

function over(adapter: ConformanceAdapter): ConformanceAdapter {
  const { wire, processes } = adapter;
  return {
    ...adapter,
    name: `openai compaction over ${adapter.name}`,
    open: async (address) => connectionOver(await adapter.open(address)),
    wire:
      'unsupported' in wire
        ? wire
        : {
            ...wire,
            own: (request, address) => sessionOver(wire.own(request, address)),
            openWithoutResending: async (address) =>
              connectionOver(await wire.openWithoutResending!(address)),
          },
    processes:
      'unsupported' in processes
        ? processes
        : {
            ...processes,
            module: new URL('./compaction-process.ts', import.meta.url).href,
            options: { module: processes.module, options: processes.options } as Json,
          },
    compaction,
  };
}

export function connectionOver(connection: Connection): Connection {
  return {
    session: (request) => sessionOver(connection.session(request)),
    close: () => connection.close(),
  };
}

/** By default with a client that reaches nobody. */
function sessionOver(
  session: AnySession,
  { baseURL = 'http://127.0.0.1:9', shouldTriggerCompaction, ...wish }: Partial<CompactionWish> = {},
): CompactingSession {
  const laid = new OpenAIResponsesCompactionSession<unknown>({
    underlyingSession: session,
    client: new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 }),
    ...wish,
    ...(shouldTriggerCompaction && {
      shouldTriggerCompaction: ({ compactionCandidateItems }) =>
        shouldTriggerCompaction(compactionCandidateItems),
    }),
  });
  inside.set(laid as AnySession, session);
  return laid as CompactingSession;
}
