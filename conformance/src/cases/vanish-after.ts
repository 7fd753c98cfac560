import { settlesWithin, underWay } from '../check.ts';
import type { FaultProxy } from '../fault-proxy.ts';

/**
 * For a call under way, the store is gone for good after so many replies, the last of which is lost. One that waits for
 * fewer is done before.
 *
 * @param boundMs - in which the call has to settle from then on, however it ends
 */
export async function vanishAfter(
  proxy: FaultProxy,
  before: number,
  making: Promise<unknown>,
  boundMs: number,
): Promise<void> {
  const calling = underWay(making)[0]!;
  const lost = proxy.loseNextReply(before);
  await Promise.race([lost, calling.catch(() => undefined)]);
  proxy.refuse();
  await settlesWithin(boundMs, calling, 'The call');
}
