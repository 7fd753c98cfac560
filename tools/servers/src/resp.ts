import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export type Reply = string | number | null | Reply[];

/** Sends commands to a Redis over a connection of its own and gives their replies; an error reply rejects. */
export function redisCall(url: string, commands: readonly (readonly string[])[], timeoutMs = 2_000) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const login = password ? [['AUTH', username || 'default', password].map(decodeURIComponent)] : [];
  const all = [...login, ...commands];
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = { host, port: Number(port || 6379) };
  const socket: Socket = protocol === 'rediss:' ? connectTls(at) : connect(at);
  return new Promise<Reply[]>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer after ${timeoutMs} ms`)), timeoutMs);
    socket.once('error', reject).once('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection closed'));
    });
    let text = '';
    // A character a byte, since lengths in the protocol count bytes.
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      try {
        const replies: Reply[] = [];
        for (let position = 0; replies.length < all.length; ) {
          const parsed = parse(text, position);
          if (!parsed) return;
          replies.push(parsed[0]);
          position = parsed[1];
        }
        resolve(replies.slice(login.length));
      } catch (error) {
        reject(error);
      }
    });
    const bulk = (word: string) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`;
    socket.write(all.map((words) => `*${words.length}\r\n${words.map(bulk).join('')}`).join(''));
  }).finally(() => socket.destroy());
}

/** The reply at a position and where it ends; undefined while it is incomplete. */
function parse(text: string, at: number): [Reply, number] | undefined {
  const end = text.indexOf('\r\n', at);
  if (end < 0) return undefined;
  const line = text.slice(at + 1, end);
  const next = end + 2;
  switch (text[at]) {
    case '+':
      return [line, next];
    case ':':
      return [Number(line), next];
    case '$': {
      if (line === '-1') return [null, next];
      const close = next + Number(line);
      return text.length < close + 2 ? undefined : [text.slice(next, close), close + 2];
    }
    case '*': {
      const items: Reply[] = [];
      let position = next;
      for (let left = Number(line); left > 0; left--) {
        const item = parse(text, position);
        if (!item) return undefined;
        items.push(item[0]);
        position = item[1];
      }
      return [items, position];
    }
    default:
      throw new Error(line);
  }
}
