/** Every clause of the contract that the kit holds adapters to, a compacting wrapper and a session over the Conversations API among them, in the order of docs/protocol.md. */
export const CLAUSES = [
  ...numbered('ID', 3),
  ...numbered('GET', 9),
  ...numbered('ADD', 8),
  ...numbered('POP', 4),
  ...numbered('CLR', 4),
  ...numbered('VAL', 5),
  ...numbered('ISO', 1),
  ...numbered('ORD', 4),
  ...numbered('FLT', 5),
  ...numbered('TXN', 4),
  ...numbered('RWR', 1),
  ...numbered('RPL', 1),
  ...numbered('CMP', 7),
  ...numbered('LIFE', 4),
  ...numbered('TTL', 2),
  ...numbered('SEC', 2),
  ...numbered('CONV', 6),
] as const;

function numbered<const TGroup extends string>(group: TGroup, count: number): `${TGroup}-${number}`[] {
  return Array.from({ length: count }, (_, at) => `${group}-${at + 1}` as const);
}

export type Clause = (typeof CLAUSES)[number];
