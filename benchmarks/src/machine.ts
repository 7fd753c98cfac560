import { arch, cpus, platform, totalmem } from 'node:os';

/** What the numbers were taken on. */
export function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const processors = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  return `Node.js ${process.version} on ${platform()} ${arch()}, ${processors}, ${memory} GiB`;
}
