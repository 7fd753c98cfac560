import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Bench } from '../src/bench.ts';
import type { AnySession, ConformanceAdapter, Connection } from '../src/index.ts';

/** An adapter whose sessions and clients say that they were closed, and then close in a way of their own. */
function closing(closed: string[], close: (what: string) => Promise<void>): ConformanceAdapter {
  const ending = (what: string) => () => {
    closed.push(what);
    return close(what);
  };
  const session = ({ sessionId }: { sessionId: string }) => ({ close: ending(sessionId) }) as AnySession;
  const open = async (): Promise<Connection> => ({ session, close: ending('client') });
  return { open } as Partial<ConformanceAdapter> as ConformanceAdapter;
}

async function opened(close: (what: string) => Promise<void>): Promise<{ bench: Bench; closed: string[] }> {
  const closed: string[] = [];
  const bench = new Bench(closing(closed, close));
  for (const sessionId of ['first', 'second', 'third']) await bench.session({ sessionId });
  return { bench, closed };
}

const ALL = ['third', 'second', 'first', 'client'];

describe('after a case', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('everything is closed, the latest first, one after another', async () => {
    const under = new Set<string>();
    const { bench, closed } = await opened(async (what) => {
      expect(under).toEqual(new Set());
      under.add(what);
      await Promise.resolve();
      under.delete(what);
    });
    await bench[Symbol.asyncDispose]();
    expect(closed).toEqual(ALL);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('what fails to close holds up nothing', async () => {
    const { bench, closed } = await opened((what) => {
      if (what === 'second') throw new Error('at once');
      return Promise.reject(new Error('later'));
    });
    await bench[Symbol.asyncDispose]();
    expect(closed).toEqual(ALL);
  });

  test('what never closes is left behind after 10 s, however many there are, and the rest is closed', async () => {
    const { bench, closed } = await opened((what) => {
      return what === 'client' ? Promise.resolve() : new Promise(() => undefined);
    });
    let isOver = false;
    const ending = bench[Symbol.asyncDispose]().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(9_999);
    expect({ isOver, closed }).toEqual({ isOver: false, closed: ['third'] });
    await vi.advanceTimersByTimeAsync(1);
    await ending;
    expect(closed).toEqual(ALL);
  });
});
