import type { Connection, Json, OpenConnection } from '@sessions/conformance';
import { connectionOver } from './compaction-adapter.ts';

/** Opens another adapter's sessions in another process, laid over with compaction. */
export async function open(options: Json): Promise<Connection> {
  const inner = options as { module: string; options: Json };
  const { open: openInner } = (await import(inner.module)) as { open: OpenConnection };
  return connectionOver(await openInner(inner.options));
}
