import type { TextFile } from './repository.ts';

const CLAUSE = /\b(?:ID|GET|ADD|POP|CLR|VAL|ISO|ORD|FLT|TXN|RWR|RPL|CMP|LIFE|TTL|SEC|CONV)-\d+\b/g;

/** The clauses that the protocol states, in its order: those that stand behind an anchor of the same name. */
export function statedClauses(protocol: string): string[] {
  return Array.from(protocol.matchAll(/<a id="([a-z]+-\d+)"><\/a>\*\*([A-Z]+-\d+)\*\* \S/g))
    .filter(([, anchor, clause]) => anchor === clause!.toLowerCase())
    .map(([, , clause]) => clause!);
}

/** Each place in a file where a clause is cited that is not among those stated. */
export function unknownCitations({ path, text }: TextFile, stated: readonly string[]): string[] {
  return Array.from(text.matchAll(CLAUSE))
    .filter(([clause]) => !stated.includes(clause))
    .map(({ 0: clause, index }) => `${path}:${text.slice(0, index).split('\n').length}: ${clause}`);
}

/** A row of the protocol's table of errors. */
export interface ErrorRow {
  readonly code: string;
  readonly retryable: boolean;
}

/** The protocol's table of errors. */
export function errorTable(protocol: string): ErrorRow[] {
  const [, section = ''] = protocol.split(/^## Errors$/m);
  const rows = section.matchAll(/^\| `([A-Z_]+)` \| [^|]+ \| [^|]+ \| (yes|no)\b[^|]* \|$/gm);
  return Array.from(rows, ([, code, retryable]) => ({ code: code!, retryable: retryable === 'yes' }));
}
