import { existsSync } from 'node:fs';
import { redisCall } from '../src/resp.ts';

/** What a server leaves on this machine while it runs (not where it runs in a container). */
export interface Traces {
  readonly pid: number;
  readonly folder: string;
}

export async function tracesOf(url: string): Promise<Traces> {
  const [info, dir] = await redisCall(url, [
    ['INFO', 'server'],
    ['CONFIG', 'GET', 'dir'],
  ]);
  return { pid: Number(/process_id:(\d+)/.exec(String(info))![1]), folder: (dir as string[])[1]! };
}

export function present({ pid, folder }: Traces): { process: boolean; folder: boolean } {
  return { process: runs(pid), folder: existsSync(folder) };
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export const ALL_THERE = { process: true, folder: true };
export const ALL_GONE = { process: false, folder: false };
