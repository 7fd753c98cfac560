import { inspect } from 'node:util';
import type { Outcome } from './operation.ts';
import type { Answer, NumberedOrder, Order } from './process-messages.ts';
import type { OpenConnection } from './process-opening.ts';
import { type Racer, sessionRacer } from './racer.ts';

/** The program of a race's other processes: opens racers and lets them make the calls that it is told to. */

const racers: Racer[] = [];

process.on('message', ({ number, order }: NumberedOrder) => {
  const reply = (answer: Omit<Answer, 'number'>) => {
    process.send?.({ number, ...answer } satisfies Answer);
  };
  obey(order).then(
    (outcome) => reply(outcome ? { outcome } : {}),
    (error: unknown) => reply({ failure: inspect(error, { depth: 4 }) }),
  );
});

// Nobody is left who would end this process.
process.on('disconnect', () => process.exit());

async function obey(order: Order): Promise<Outcome | undefined> {
  if (order.kind === 'call') return racers[order.racer]!.perform(order.call);
  const { open } = (await import(order.module)) as { open: OpenConnection };
  const connection = await open(order.options);
  racers.push(sessionRacer(`${racers.length}`, connection.session({ sessionId: order.sessionId })));
  return undefined;
}
