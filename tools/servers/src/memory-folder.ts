import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';

/** What a run of the kit leaves in a server until it is over takes less, in bytes. */
const ROOM = 4 * 1024 ** 3;

/**
 * Where files are in memory, if this machine has such a folder with room. A killed server finds there what it wrote, as on
 * a disk, and the writes that it promises to have on disk need not wait for one.
 */
export function memoryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= ROOM) return MEMORY;
  } catch {
    // There is none on most systems.
  }
  return tmpdir();
}
