import { createHash } from 'node:crypto';

/** Tables that share the sessions of a run among them. */
export type Tables = {
  readonly name: string;
  readonly count: number;
};

/** The table of one session: the same whoever asks. */
export function tableOf({ name, count }: Tables, sessionId: unknown): string {
  const hash = createHash('sha256').update(String(sessionId)).digest();
  return `${name}-${hash.readUInt16BE() % count}`;
}

export function namesOf({ name, count }: Tables): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at}`);
}
