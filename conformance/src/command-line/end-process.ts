/** How long what an adapter was slow to close may take, in milliseconds. */
const GRACE_MS = 2_000;

const KINDS: Readonly<Record<string, string>> = {
  TCPSocketWrap: 'a connection',
  TCPServerWrap: 'a server',
  TLSWrap: 'a connection',
  Timeout: 'a timer',
  ProcessWrap: 'a process',
  MessagePort: 'a worker',
};

/** Ends the process, whatever is still open in it; what there is is told, since it is an adapter's. */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  // Interrupted: what is under way is under way.
  if (exitCode > 2) process.exit();
  setTimeout(() => {
    const kinds = process.getActiveResourcesInfo().flatMap((kind) => KINDS[kind] ?? []);
    const open = [...new Set(kinds)].join(', ') || 'something';
    console.error(`The adapter left ${open} open after its stop(). The process ends all the same.`);
    process.exit();
  }, GRACE_MS).unref();
}
