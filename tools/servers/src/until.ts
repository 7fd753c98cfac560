import { setTimeout as pause } from 'node:timers/promises';

/** Tries until it succeeds; rejects with the last failure when `ms` are over, or with what `check` throws. */
export async function until<T>(attempt: () => Promise<T>, ms: number, check?: () => void): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      check?.();
      if (performance.now() > deadline) throw error;
      await pause(20);
    }
  }
}
