// The other process of `approveInAnotherProcess`: which class the session is of comes as arguments, what it
// is built with in SESSION_OPTIONS, the serialized run on stdin; what the model was shown goes out on stdout.
import { text } from 'node:stream/consumers';
import type { Session } from '@openai/agents';
import { allowAndRun } from './approval.ts';

type SessionClass = new (options: unknown) => Session & AsyncDisposable;

const [module, name] = process.argv.slice(2) as [string, string];
const classes = (await import(module)) as Record<string, SessionClass>;
await using session = new classes[name]!(JSON.parse(process.env.SESSION_OPTIONS!));
const shown = await allowAndRun(session, await text(process.stdin));
console.log(JSON.stringify({ pid: process.pid, shown }));
