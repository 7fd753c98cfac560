import {
  type AnySession,
  type ConformanceAdapter,
  countResults,
  runConformance,
} from '@sessions/conformance';

const WHY = { unsupported: 'An array is all there is.' };

/** Gives the oldest items where the newest are asked for. */
function wrongSession(sessionId: string, items: unknown[]): AnySession {
  return {
    sessionId,
    getSessionId: async () => sessionId,
    getItems: async (limit) => structuredClone(items.slice(0, limit)),
    addItems: async (added) => void items.push(...structuredClone(added)),
    popItem: async () => items.pop(),
    clearSession: async () => void items.splice(0),
  };
}

const histories = new Map<string, unknown[]>();

const adapter: ConformanceAdapter = {
  name: 'wrong',
  store: 'an array',
  capabilities: { transactions: WHY, rewrites: WHY, replacement: WHY, expiry: WHY },
  async open() {
    return {
      session({ sessionId, namespace }) {
        const key = JSON.stringify([namespace, sessionId]);
        const items = histories.get(key) ?? [];
        histories.set(key, items);
        return wrongSession(sessionId, items);
      },
      close: async () => undefined,
    };
  },
  wire: WHY,
  processes: WHY,
  backdoor: WHY,
  closing: WHY,
};

export async function use(): Promise<void> {
  const report = await runConformance(adapter, { clauses: ['GET-3', 'CLR-4'] });
  const wrong = countResults(report.results, 'GET-3');
  const right = countResults(report.results, 'CLR-4');
  if (wrong.failed === 0 || right.passed === 0 || right.failed > 0) {
    throw new Error(`The kit found ${JSON.stringify({ wrong, right })}`);
  }
}
