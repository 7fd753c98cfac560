// Another process of `longConversation`: the serialized run comes on stdin.
import { text } from 'node:stream/consumers';
import { resume } from './long-conversation.ts';
import { sessionElsewhere } from './session-elsewhere.ts';

const session = await sessionElsewhere();
const connection = { baseURL: process.env.OPENAI_BASE_URL!, apiKey: process.env.OPENAI_API_KEY! };
await resume(session, await text(process.stdin), connection);
console.log(JSON.stringify({ pid: process.pid }));
// Node.js 22 has no `await using`.
await session[Symbol.asyncDispose]();
