// Invokes the handler as Lambda would, on a table of DYNAMODB_URL's, or of a stand-in on this machine: pnpm start
import { eventOf, startTable } from './local.ts';

const server = await startTable();
const { handler } = await import('./handler.ts');
const context = { getRemainingTimeInMillis: () => 30_000 };
const user = `user-${crypto.randomUUID()}`;
try {
  const hello = eventOf(user, 'request-1', '{"text":"My name is Ada."}');
  console.log('a request              ', (await handler(hello, context)).body);
  console.log('the same, sent again   ', (await handler(hello, context)).body);
  console.log(
    'another                ',
    (await handler(eventOf(user, 'request-2', '{"text":"Who am I?"}'), context)).body,
  );
} finally {
  await server.stop();
}
