import type { Mutant } from './mutant.ts';
import { underId } from './under-id.ts';

export const identityMutants: readonly Mutant[] = [
  {
    name: 'an empty id is taken for a default one',
    clause: 'ID-1',
    over: 'memory',
    request: underId((id) => (id === '' ? 'default' : id)),
  },
  {
    name: 'an id of another type is turned into text',
    clause: 'ID-1',
    over: 'memory',
    request: underId((id) => id && String(id)),
  },
  {
    name: 'a session without an id gets one of its own',
    clause: 'ID-1',
    over: 'memory',
    request: underId((id) => id ?? crypto.randomUUID()),
  },
  {
    name: 'a clear begins a new id',
    clause: 'ID-2',
    over: 'memory',
    session: (right) => {
      let clears = 0;
      return {
        getSessionId: async () => `${await right.getSessionId()}${'+'.repeat(clears)}`,
        clearSession: async (options) => {
          await right.clearSession(options);
          clears++;
        },
      };
    },
  },
  {
    name: 'each instance has an id of its own',
    clause: 'ID-2',
    over: 'memory',
    session: (right) => {
      const instance = crypto.randomUUID();
      return { getSessionId: async () => `${await right.getSessionId()}/${instance}` };
    },
  },
  {
    name: 'asking for the id asks the store',
    clause: 'ID-2',
    over: 'redis',
    session: (right) => ({
      getSessionId: async () => {
        await right.getItems(1);
        return right.getSessionId();
      },
    }),
  },
  {
    name: 'an id is cut at 256 characters',
    clause: 'ID-3',
    over: 'memory',
    request: underId((id) => id.slice(0, 256)),
  },
  {
    name: 'a long id is cut in the middle',
    clause: 'ID-3',
    over: 'memory',
    request: underId((id) => (id && id.length > 800 ? id.slice(0, 400) + id.slice(-400) : id)),
  },
  {
    name: 'ids are case-folded',
    clause: 'ID-3',
    over: 'memory',
    request: underId((id) => id.toLowerCase()),
  },
  {
    name: 'lone surrogates in ids become one and the same character',
    clause: 'ID-3',
    over: 'memory',
    request: underId((id) => id.toWellFormed()),
  },
  {
    name: 'ids are normalized',
    clause: 'ID-3',
    over: 'memory',
    request: underId((id) => id.normalize()),
  },
  {
    name: 'an id ends at its first NUL',
    clause: 'ID-3',
    over: 'memory',
    request: underId((id) => id.split('\0', 1)[0] || ' '),
  },
  {
    name: 'what no file name may hold is replaced in ids',
    clause: 'ID-3',
    over: 'memory',
    request: underId((id) => id.replace(/[^\p{Letter}\p{Number}.-]/gu, '_')),
  },
  {
    name: 'prefix and id are joined by a colon',
    clause: 'ID-3',
    over: 'memory',
    request: ({ namespace = '', sessionId, ...request }) => ({
      ...request,
      sessionId: `${namespace}:${sessionId}`,
    }),
  },
  {
    name: 'the prefix is ignored',
    clause: 'ID-3',
    over: 'memory',
    request: ({ namespace: _, ...request }) => request,
  },
];
