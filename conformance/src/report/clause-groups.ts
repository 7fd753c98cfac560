import { CLAUSES, type Clause } from '../clauses.ts';

/** What the clauses of each group are about, in the order of docs/protocol.md. */
const NAMES: Readonly<Record<string, string>> = {
  ID: 'identity',
  GET: 'reading',
  ADD: 'adding',
  POP: 'popping',
  CLR: 'clearing',
  VAL: 'values',
  ISO: 'isolation',
  ORD: 'order',
  FLT: 'faults',
  TXN: 'transactions',
  RWR: 'rewrites',
  RPL: 'replacement',
  CMP: 'compaction',
  LIFE: 'life cycle',
  TTL: 'expiry',
  SEC: 'security',
  CONV: 'the Conversations API',
};

/** Clauses that belong together. */
export interface ClauseGroup {
  /** What their ids begin with. */
  readonly id: string;
  readonly name: string;
  readonly clauses: readonly Clause[];
}

/** All groups of clauses. */
export const CLAUSE_GROUPS: readonly ClauseGroup[] = [
  ...Map.groupBy(CLAUSES, (clause) => clause.split('-')[0]!),
].map(([id, clauses]) => ({ id, name: NAMES[id] ?? '', clauses }));
