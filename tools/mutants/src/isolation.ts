import type { Mutant } from './mutant.ts';

export const isolationMutants: readonly Mutant[] = [
  {
    name: 'what a read returned is what the next one returns',
    clause: 'ISO-1',
    over: 'memory',
    session: (right) => {
      let cached: Promise<unknown[]> | undefined;
      return {
        getItems: (limit, options) => {
          cached ??= right.getItems(limit, options);
          return cached;
        },
        popItem: (options) => {
          cached = undefined;
          return right.popItem(options);
        },
      };
    },
  },
  {
    name: 'each read returns an array of its own, with the same items in it',
    clause: 'ISO-1',
    over: 'memory',
    session: (right) => {
      let cached: Promise<unknown[]> | undefined;
      return {
        getItems: async (limit, options) => {
          cached ??= right.getItems(limit, options);
          return [...(await cached)];
        },
        popItem: (options) => {
          cached = undefined;
          return right.popItem(options);
        },
      };
    },
  },
  {
    name: 'records with the same text are the same object',
    clause: 'ISO-1',
    over: 'memory',
    session: (right) => {
      const read = new Map<string, unknown>();
      return {
        getItems: async (limit, options) => {
          return (await right.getItems(limit, options)).map((item) => {
            const text = JSON.stringify(item);
            if (!read.has(text)) read.set(text, item);
            return read.get(text);
          });
        },
      };
    },
  },
  {
    name: 'what is the same object in the batch is the same object when it is read',
    clause: 'ISO-1',
    over: 'memory',
    session: (right) => ({
      getItems: async (limit, options) => {
        const met = new Map<string, unknown>();
        return (await right.getItems(limit, options)).map((item) => {
          const { content } = Object(item) as { content?: unknown };
          const text = JSON.stringify(content);
          if (!met.has(text)) met.set(text, content);
          return Object.assign(Object(item), { content: met.get(text) }) as unknown;
        });
      },
    }),
  },
];
