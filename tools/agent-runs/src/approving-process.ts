// The other process of `approveInAnotherProcess`: which class the session is of comes as arguments, what it
// is built with in SESSION_OPTIONS, the serialized run on stdin; what the model was shown goes out on stdout.
import { text } from 'node:stream/consumers';
import { allowAndRun } from './approval.ts';
import { sessionElsewhere } from './session-elsewhere.ts';

const session = await sessionElsewhere();
const shown = await allowAndRun(session, await text(process.stdin));
console.log(JSON.stringify({ pid: process.pid, shown }));
// Node.js 22 has no `await using`.
await session[Symbol.asyncDispose]();
