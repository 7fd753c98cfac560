import { checkLinearizability, type Operation } from '@sessions/conformance';

/** What was found out about histories, since most runs of a scenario end in one that another had too. */
const known = new Map<string, string | undefined>();

/** Why no order explains what calls returned (ORD-1). `undefined` if one does. */
export function explained(operations: readonly Operation[]): string | undefined {
  const text = JSON.stringify(operations);
  if (!known.has(text)) {
    const verdict = checkLinearizability(operations);
    const shown = () => operations.map((operation) => JSON.stringify(operation)).join('\n');
    known.set(text, verdict.ok ? undefined : `No order explains it:\n${shown()}`);
  }
  return known.get(text);
}
