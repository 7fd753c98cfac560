// Prints a token to try the chat with: CHAT_SECRET=… pnpm token <user>. In earnest they come from where users sign in.
import { sign } from 'hono/jwt';

const { CHAT_SECRET = '' } = process.env;
const [user] = process.argv.slice(2);
if (!user || !CHAT_SECRET) {
  console.error('CHAT_SECRET=… pnpm token <user>');
  process.exit(2);
}
const exp = Math.floor(Date.now() / 1_000) + 60 * 60;
console.log(await sign({ sub: user, exp }, CHAT_SECRET, 'HS256'));
