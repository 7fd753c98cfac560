import { StoredSession, type StoreOptions } from '../../src/store.ts';
import { ScriptedStore } from './scripted-store.ts';

/** A session of a scripted store, for items of any kind. */
export function open(options: StoreOptions = {}, store = new ScriptedStore()) {
  const session = new StoredSession<unknown>({
    adapter: 'scripted',
    sessionId: 'thread-1',
    open: () => store,
    options,
  });
  return { session, store };
}

/** A plain message, by its number. */
export const m = (i: number) => ({ role: 'user', content: `m${i}` });

/** Records of plain messages, as the codec writes them. */
export const rowsOf = (...items: unknown[]): string[] => items.map((item) => JSON.stringify(item));

/** What the store holds, read as a person would. */
export const contentOf = (store: ScriptedStore): unknown[] =>
  store.records.map((record) => JSON.parse(record) as unknown);

/** Lets everything that can go on without a timer or the network go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Whether a promise has settled by now. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await settle();
  return settled;
}

/** What a promise rejects with; a test whose call succeeds instead fails here. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('the call was expected to reject');
    },
    (error: unknown) => error,
  );
}

/** What a function throws. */
export function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('the call was expected to throw');
}
