import type { Connection, Json } from '../src/index.ts';
import { openNaiveRedis } from './races-naive-redis.ts';

/** How many items go in one command. */
const PIECE = 10;

/** Sessions that add a batch in pieces, one after another and batch after batch: well, as long as nobody is killed. */
export async function open(options: Json): Promise<Connection> {
  const { url, prefix } = options as { url: string; prefix: string };
  const right = openNaiveRedis(url, prefix);
  return {
    ...right,
    session(request) {
      const session = right.session(request);
      const { addItems } = session;
      let turn = Promise.resolve();
      session.addItems = (items) => {
        turn = turn.then(async () => {
          for (let at = 0; at < items.length; at += PIECE) await addItems(items.slice(at, at + PIECE));
        });
        return turn;
      };
      return session;
    },
  };
}
