import type { Guarded } from './guarded.ts';

/** How a server that is ours is made to fail, and to come back. */
export interface Control {
  /** The server accepts connections but never answers, until thawed. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** SIGKILL: connections drop, the port refuses. */
  kill(): Promise<void>;
  /** Starts again after kill(), on the same port and with the same data if it keeps any; resolves when it answers. */
  restart(): Promise<void>;
}

/** A server that answers, and whose life is in our hands. */
export interface Controlled<T> {
  /** What the probe gave. */
  readonly found: T;
  readonly control: Control;
  /** Ends the server and deletes its data folder; resolves when both are gone. May be called again. */
  stop(): Promise<void>;
}

/**
 * Starts a server. One that never answers is stopped.
 *
 * @param probe - rejects unless the server answers
 */
export async function controlled<T>(server: Guarded, probe: () => Promise<T>): Promise<Controlled<T>> {
  try {
    const found = await server.start(probe);
    const control: Control = {
      freeze: () => server.order('freeze'),
      thaw: () => server.order('thaw'),
      kill: () => server.order('kill'),
      restart: async () => {
        await server.start(probe);
      },
    };
    return { found, control, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
