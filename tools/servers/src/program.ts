import { findDocker, type Image } from './docker.ts';
import type { Plan } from './guarded.ts';
import { findOnPath } from './on-path.ts';
import type { Source, SourceName } from './source.ts';

/** A server program that can be run here, whatever it comes from. */
export interface Program {
  readonly source: SourceName;
  /** The address the server has to listen on for 127.0.0.1 of this machine to reach it. */
  readonly bind: string;
  /** Runs one process for each list of arguments. */
  plan(processes: readonly (readonly string[])[], ports: readonly number[]): Plan;
}

/** Where a store's server program may be found; a new store gives its own. */
export interface ProgramPlaces {
  readonly binaries: readonly string[];
  readonly images: readonly Image[];
  readonly package: { readonly help: string; find(): Promise<string> };
}

/** The sources that give a program, in the order they are tried: PATH, Docker, the pinned package. */
export function programSources(places: ProgramPlaces): Source<Program>[] {
  return [
    ...places.binaries.map((name) => ({
      name: 'path' as const,
      help: `Install ${name} so that it is found on the PATH.`,
      open: async () => binary('path', findOnPath(name)),
    })),
    {
      name: 'docker',
      help: 'Install Docker and start its engine.',
      open: () => findDocker(places.images),
    },
    {
      name: 'package',
      help: places.package.help,
      open: async () => binary('package', await places.package.find()),
    },
  ];
}

function binary(source: SourceName, path: string): Program {
  return {
    source,
    bind: '127.0.0.1',
    plan: (processes) => ({ commands: processes.map((args) => [path, ...args]) }),
  };
}
