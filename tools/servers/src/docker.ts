import { randomUUID } from 'node:crypto';
import { findOnPath } from './on-path.ts';
import type { Program } from './program.ts';
import { type Command, run } from './run.ts';
import { SourceAbsent } from './source.ts';

/** An image, and the server's name in it. */
export interface Image {
  readonly image: string;
  readonly binary: string;
}

/** A program run by the Docker engine; SourceAbsent where none runs. */
export async function findDocker(images: readonly Image[]): Promise<Program> {
  const docker = findOnPath('docker');
  // A client without an engine may wait for one for minutes.
  await run([docker, 'info', '--format', '{{.ServerVersion}}'], 5_000).catch((error: Error) => {
    throw new SourceAbsent(`no Docker engine runs: ${error.message}`);
  });
  const { image, binary } = await firstImage(docker, images);
  return {
    source: 'docker',
    // Published ports arrive at the container's own address, not at its loopback.
    bind: '0.0.0.0',
    plan(processes, ports) {
      const name = `sessions-servers-${randomUUID()}`;
      const publish = ports.flatMap((port) => ['--publish', `127.0.0.1:${port}:${port}`]);
      // `create` and `start` rather than `run --rm`: a killed server keeps its data for the restart, data
      // stays in the container's volume (not in a folder that the container's user would own), and there
      // is no moment at which a container may still come into being after it was removed.
      return {
        prepare: [docker, 'create', '--name', name, ...publish, image, ...inOneContainer(binary, processes)],
        commands: [[docker, 'start', '--attach', name]],
        freeze: [docker, 'pause', name],
        thaw: [docker, 'unpause', name],
        kill: [docker, 'kill', name],
        cleanup: [docker, 'rm', '--force', '--volumes', name],
      };
    },
  };
}

async function firstImage(docker: string, images: readonly Image[]): Promise<Image> {
  const reasons: string[] = [];
  for (const candidate of images) {
    try {
      await run([docker, 'image', 'inspect', candidate.image], 10_000).catch(() =>
        run([docker, 'pull', '--quiet', candidate.image], 300_000),
      );
      return candidate;
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  throw new Error(`no image could be had: ${reasons.join('; ')}`);
}

/** Processes that have to reach each other at 127.0.0.1, as their clients do, share a container. */
function inOneContainer(binary: string, processes: readonly (readonly string[])[]): Command {
  if (processes.length === 1) return [binary, ...processes[0]!];
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
  const started = processes.map((args) => `${[binary, ...args].map(quote).join(' ')} &`);
  return ['sh', '-c', `${started.join(' ')} wait`];
}
