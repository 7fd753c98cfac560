import type { Mutant } from './mutant.ts';
import { type Client, type Item, PlainConversations } from './plain-conversations.ts';

/** A wrong session over the Conversations API, and what is wrong with it. */
function over(
  clause: `CONV-${number}`,
  wrong: Readonly<Record<string, typeof PlainConversations>>,
): Mutant[] {
  return Object.entries(wrong).map(([name, Wrong]) => ({
    name,
    clause,
    over: 'conversations',
    conversations: (client, wish) => new Wrong(client as unknown as Client, wish),
  }));
}

const creations = over('CONV-1', {
  'a conversation is created when the session is built': class extends PlainConversations {
    readonly #building = this.id === undefined ? this.getSessionId() : undefined;
    override async started() {
      this.#building?.catch(() => undefined);
      return super.started();
    }
  },
  'a conversation is created to read nothing': class extends PlainConversations {
    override async getItems(limit?: number) {
      await this.getSessionId();
      return super.getItems(limit);
    }
  },
  'a conversation is created to be cleared': class extends PlainConversations {
    override async clear(signal?: AbortSignal) {
      await this.started();
      return super.clear(signal);
    }
  },
  'an empty write is sent': class extends PlainConversations {
    override async addItems(items: Item[], options: { signal?: AbortSignal } = {}) {
      if (items.length === 0) await this.getSessionId();
      return super.addItems(items, options);
    }
  },
  'each first caller creates a conversation': class extends PlainConversations {
    override inTurn<T>(work: () => Promise<T>) {
      return this.id === undefined ? work() : super.inTurn(work);
    }
  },
  'a creation that failed fails all that come later': class extends PlainConversations {
    #creating: Promise<string> | undefined;
    override create() {
      this.#creating ??= super.create();
      return this.#creating;
    }
  },
  'a pop before the first write finds nothing, and creates nothing': class extends PlainConversations {
    override async pop() {
      return this.id === undefined ? undefined : super.pop();
    }
  },
});

const ids = over('CONV-2', {
  'the id is undefined before there is one': class extends PlainConversations {
    override get sessionId() {
      return this.id as string;
    }
    override set sessionId(id: string) {
      this.id = id;
    }
  },
  'the id is empty before there is one': class extends PlainConversations {
    override get sessionId() {
      return this.id ?? '';
    }
    override set sessionId(id: string) {
      this.id = id;
    }
  },
  'an id that is set is shown, but not used': class extends PlainConversations {
    #shown: string | undefined;
    override get sessionId() {
      return this.#shown ?? super.sessionId;
    }
    override set sessionId(id: string) {
      this.#shown = id;
    }
  },
  'an id that is given is not used': class extends PlainConversations {
    override id: string | undefined = undefined;
  },
  'an id can be set only once': class extends PlainConversations {
    override get sessionId() {
      return super.sessionId;
    }
    override set sessionId(id: string) {
      this.id ??= id;
    }
  },
});

const reads = over('CONV-3', {
  'only the first page is read': class extends PlainConversations {
    override async page(...given: Parameters<PlainConversations['page']>) {
      return { ...(await super.page(...given)), has_more: false };
    }
  },
  'everything is read newest first, and turned round': class extends PlainConversations {
    override read(limit: number | undefined) {
      return super.read(limit ?? Number.MAX_SAFE_INTEGER);
    }
  },
  'the newest are cut out of everything': class extends PlainConversations {
    override async read(limit: number | undefined) {
      const items = await super.read(undefined);
      return limit === undefined ? items : items.slice(-limit);
    }
  },
  'the newest come newest first': class extends PlainConversations {
    override async read(limit: number | undefined) {
      const items = await super.read(limit);
      return limit === undefined ? items : items.reverse();
    }
  },
  'the limit is sent as the size of a page': class extends PlainConversations {
    override page(id: string, limit: number | undefined, after: unknown) {
      const query = { limit: Math.min(limit ?? 100, 100), ...(after === undefined ? {} : { after }) };
      return this.client.conversations.items.list(id, {
        order: limit === undefined ? 'asc' : 'desc',
        ...query,
      });
    }
  },
  'a page is not cut off': class extends PlainConversations {
    override async read(limit: number | undefined) {
      return super.read(limit === undefined ? limit : Math.ceil(limit / 20) * 20);
    }
  },
  'all pages are read for a few items': class extends PlainConversations {
    override async read(limit: number | undefined) {
      const all = await super.read(limit === undefined ? limit : Number.MAX_SAFE_INTEGER);
      return limit === undefined ? all : all.slice(-limit);
    }
  },
  'items lose their ids': class extends PlainConversations {
    override async getItems(limit?: number) {
      const items = await super.getItems(limit);
      return items.map(({ id, ...item }) => item);
    }
  },
  'items lose what is null': class extends PlainConversations {
    override async getItems(limit?: number) {
      const items = await super.getItems(limit);
      return items.map((item) =>
        Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)),
      );
    }
  },
  'items are given what the API did not send': class extends PlainConversations {
    override async getItems(limit?: number) {
      const items = await super.getItems(limit);
      return items.map((item) => ({ phase: null, ...item }));
    }
  },
});

const writes = over('CONV-4', {
  'all items are sent in one request': class extends PlainConversations {
    override requests(items: Item[]) {
      return [items];
    }
  },
  'each item is sent by itself': class extends PlainConversations {
    override requests(items: Item[]) {
      return items.map((item) => [item]);
    }
  },
  'requests are sent side by side': class extends PlainConversations {
    override async write(items: Item[]) {
      const id = await this.started();
      await Promise.all(this.requests(items).map((request) => this.send(id, request)));
    }
  },
  'one of several requests is sent again when it fails': class extends PlainConversations {
    override send(id: string, items: Item[]) {
      return this.client.conversations.items.create(id, { items });
    }
  },
  'a single request is not sent again when it fails': class extends PlainConversations {
    override async writeOnce(id: string, items: Item[]) {
      await this.send(id, items);
    }
  },
  'after a request that failed the others are sent': class extends PlainConversations {
    override async write(items: Item[], signal: AbortSignal | undefined) {
      if (items.length <= 20) return super.write(items, signal);
      const id = await this.started();
      const errors: unknown[] = [];
      for (const request of this.requests(items)) {
        await this.send(id, request).catch((error: unknown) => errors.push(error));
      }
      if (errors.length > 0) throw errors[0];
    }
  },
  'what was saved is taken back when a request fails': class extends PlainConversations {
    override async write(items: Item[], signal: AbortSignal | undefined) {
      const { length } = await this.read(undefined);
      try {
        await super.write(items, signal);
      } catch (error) {
        for (const item of (await this.read(undefined)).slice(length)) await this.remove(item);
        throw error;
      }
    }
  },
  'an error is told in other words': class extends PlainConversations {
    override async write(items: Item[], signal: AbortSignal | undefined) {
      try {
        await super.write(items, signal);
      } catch (cause) {
        throw signal?.aborted ? cause : new Error('The items were not saved.', { cause });
      }
    }
  },
  'an error is copied': class extends PlainConversations {
    override async write(items: Item[], signal: AbortSignal | undefined) {
      try {
        await super.write(items, signal);
      } catch (error) {
        throw signal?.aborted ? error : Object.assign(new Error(), error);
      }
    }
  },
  'an error of several requests is one of a failed batch': class extends PlainConversations {
    override async send(id: string, items: Item[]) {
      try {
        return await super.send(id, items);
      } catch (cause) {
        throw new Error('A part was saved.', { cause });
      }
    }
  },
  'a cancelled write of several requests sends them all': class extends PlainConversations {
    override async write(items: Item[], signal: AbortSignal | undefined) {
      await super.write(items, items.length > 20 ? undefined : signal);
      signal?.throwIfAborted();
    }
  },
  'a cancelled write of several requests does not wait': class extends PlainConversations {
    override async write(items: Item[], signal: AbortSignal | undefined) {
      const writing = super.write(items, signal);
      if (items.length <= 20 || !signal) return writing;
      writing.catch(() => undefined);
      await Promise.race([
        writing,
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]);
    }
  },
  'a cancelled write of several requests ends the one under way': class extends PlainConversations {
    #signal: AbortSignal | undefined;
    override write(items: Item[], signal: AbortSignal | undefined) {
      this.#signal = signal;
      return super.write(items, signal);
    }
    override send(id: string, items: Item[]) {
      return this.client.conversations.items.create(id, { items }, { maxRetries: 0, signal: this.#signal });
    }
  },
  'a cancelled write throws the error of its request': class extends PlainConversations {
    override async write(items: Item[], signal: AbortSignal | undefined) {
      const errors: unknown[] = [];
      const send = this.send.bind(this);
      this.send = (id, request) =>
        send(id, request).catch((error: unknown) => {
          errors.push(error);
          throw error;
        });
      try {
        await super.write(items, signal);
      } catch (error) {
        throw errors[0] ?? error;
      }
    }
  },
  'a single request is not given the signal': class extends PlainConversations {
    override async writeOnce(id: string, items: Item[], signal: AbortSignal | undefined) {
      await super.writeOnce(id, items, undefined);
      signal?.throwIfAborted();
    }
  },
  'a cancelled write of one request is left to itself': class extends PlainConversations {
    override async writeOnce(id: string, items: Item[], signal: AbortSignal | undefined) {
      const writing = super.writeOnce(id, items, undefined);
      writing.catch(() => undefined);
      const leaving = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      await Promise.race([writing, leaving]);
    }
  },
  'a cancelled write throws the client’s error, not the reason': class extends PlainConversations {
    override async writeOnce(id: string, items: Item[], signal: AbortSignal | undefined) {
      await this.client.conversations.items.create(id, { items }, { signal });
    }
  },
});

const pops = over('CONV-5', {
  'pops do not wait for each other': class extends PlainConversations {
    override popItem() {
      return this.pop();
    }
  },
  'calls do not wait for each other': class extends PlainConversations {
    override async inTurn<T>(work: () => Promise<T>) {
      return work();
    }
  },
  'reads do not wait for writes': class extends PlainConversations {
    override async getItems(limit?: number) {
      return this.read(limit);
    }
  },
  'a pop gives the newest and deletes whatever is the newest then': class extends PlainConversations {
    override async pop() {
      const newest = await super.read(1);
      const [last] = await super.read(1);
      if (last) await this.remove(last);
      return newest[0];
    }
  },
  'a pop gives the oldest of the newest page': class extends PlainConversations {
    override async pop() {
      const [oldest] = await this.read(20);
      if (oldest) await this.remove(oldest);
      return oldest;
    }
  },
  'a pop deletes nothing': class extends PlainConversations {
    override async remove() {}
  },
  'a pop reads everything': class extends PlainConversations {
    override async pop() {
      const newest = (await this.read(undefined)).at(-1);
      if (newest) await this.remove(newest);
      return newest;
    }
  },
});

const clears = over('CONV-6', {
  'a clear forgets the id, and deletes nothing': class extends PlainConversations {
    override async clear() {
      this.id = undefined;
    }
  },
  'a clear deletes item by item, and keeps the id': class extends PlainConversations {
    override async clear() {
      for (const item of await this.read(undefined)) await this.remove(item);
    }
  },
  'a clear keeps the id': class extends PlainConversations {
    override forget() {}
  },
  'a clear forgets whatever id there is': class extends PlainConversations {
    override forget() {
      this.id = undefined;
    }
  },
  'a clear whose delete failed forgets the id': class extends PlainConversations {
    override async clear(signal: AbortSignal | undefined) {
      const { id } = this;
      try {
        await super.clear(signal);
      } finally {
        if (id !== undefined) this.forget(id);
      }
    }
  },
  'a clear whose delete failed says nothing': class extends PlainConversations {
    override async clear(signal: AbortSignal | undefined) {
      await super.clear(undefined).catch(() => undefined);
      signal?.throwIfAborted();
    }
  },
  'a cancelled clear does not wait': class extends PlainConversations {
    override async clear(signal: AbortSignal | undefined) {
      const clearing = super.clear(signal);
      clearing.catch(() => undefined);
      const leaving = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
      await Promise.race([clearing, leaving]);
    }
  },
  'a cancelled clear ends its request': class extends PlainConversations {
    override async clear(signal: AbortSignal | undefined) {
      if (!signal || this.id === undefined) return super.clear(signal);
      try {
        await this.client.conversations.delete(this.id, { signal });
        this.forget(this.id);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    }
  },
  'a cancelled clear keeps the id of what it deleted': class extends PlainConversations {
    #signal: AbortSignal | undefined;
    override clear(signal: AbortSignal | undefined) {
      this.#signal = signal;
      return super.clear(signal);
    }
    override forget(id: string) {
      if (!this.#signal?.aborted) super.forget(id);
    }
  },
});

export const conversationsMutants: readonly Mutant[] = [
  ...creations,
  ...ids,
  ...reads,
  ...writes,
  ...pops,
  ...clears,
];
