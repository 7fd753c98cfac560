import { expect, test } from 'vitest';
import { startMemoryAdapter } from '../../packages/memory/test/adapter.ts';
import type { ConformanceAdapter } from '../src/adapter.ts';
import { CASES } from '../src/cases.ts';
import { runCase } from '../src/run.ts';
import { isNoGap } from '../src/why-not.ts';

const unsupported = (reason: string) => ({ unsupported: reason });

/** Right, but with all left out that may be. */
async function bareAdapter(): Promise<ConformanceAdapter> {
  const { adapter } = await startMemoryAdapter();
  return {
    ...adapter,
    capabilities: {
      transactions: unsupported('No transactions.'),
      rewrites: unsupported('No rewrites.'),
      replacement: unsupported('No replacement.'),
      expiry: unsupported('No expiry.'),
    },
    async open() {
      const { session, close } = await adapter.open();
      return {
        session({ namespace, ...request }) {
          expect(namespace).toBeUndefined();
          const right = session(request);
          return {
            sessionId: right.sessionId,
            getSessionId: () => right.getSessionId(),
            getItems: (limit, options) => right.getItems(limit, options),
            addItems: (items, options) => right.addItems(items, options),
            popItem: (options) => right.popItem(options),
            clearSession: (options) => right.clearSession(options),
          };
        },
        close,
      };
    },
    wire: unsupported('No wire.'),
    processes: unsupported('No processes.'),
    backdoor: unsupported('No backdoor.'),
    namespaces: unsupported('No namespaces.'),
    closing: unsupported('No close.'),
  };
}

test('what an adapter says it lacks is asked for by no case, and the reason is given', async () => {
  const adapter = await bareAdapter();
  const reasons = new Set<string | undefined>();
  for (const tried of CASES) {
    const { status, reason, actual } = await runCase(adapter, tried);
    expect({ status, actual }, `${tried.clause} ${tried.title}`).toMatchObject({
      status: expect.stringMatching(/^(passed|not applicable)$/) as string,
    });
    if (status === 'not applicable' && !isNoGap(reason)) reasons.add(reason);
  }
  expect([...reasons].sort()).toEqual([
    ...['No backdoor.', 'No close.', 'No expiry.', 'No namespaces.', 'No processes.', 'No replacement.'],
    ...['No rewrites.', 'No transactions.', 'No wire.'],
  ]);
});

test('of the backdoor a part may be missing', async () => {
  const { adapter } = await startMemoryAdapter();
  const blind = {
    ...adapter.backdoor,
    plant: unsupported('Nothing can be planted.'),
  } as ConformanceAdapter['backdoor'];
  const run = (title: string) => {
    return runCase({ ...adapter, backdoor: blind }, CASES.find((one) => one.title === title)!);
  };
  expect(await run('a damaged newest record is skipped; read and pop agree')).toMatchObject({
    status: 'not applicable',
    reason: 'Nothing can be planted.',
  });
  expect(await run('cleared content is gone from the store')).toMatchObject({ status: 'passed' });
});
