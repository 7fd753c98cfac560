import { resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { controlled } from './controlled.ts';
import { freePort } from './free-port.ts';
import { fromGoModule } from './go-module.ts';
import { guarded } from './guarded.ts';
import { memoryFolder } from './memory-folder.ts';
import { type Program, programSources } from './program.ts';
import { pythonWith } from './python-package.ts';
import type { RunningServer } from './running-server.ts';
import { secantusRsCommand, secantusRsSource } from './secantusd-rs.ts';
import { firstWorking, type Source, SourceAbsent, say } from './source.ts';

/** What is started: a MongoDB, or what can stand in for it; or FerretDB; or, for benchmarks, SecantusDB in Rust. */
export type MongoEngine = 'mongodb' | 'ferretdb' | 'secantusdb-rs';

/** A server that speaks MongoDB's protocol, and answers. */
export interface RunningMongo extends RunningServer {
  /** 'mongodb', 'secantusdb', 'ferretdb' or 'secantusdb-rs'. */
  readonly engine: string;
}

interface MongoOptions {
  /** 'mongodb' by default. */
  readonly engine?: MongoEngine;
  /** Whether it has to be a server of the caller's own, to be killed and told to fail; so not that of the environment. */
  readonly own?: boolean;
  /** Further arguments for the server, which then is the caller's own too. */
  readonly args?: readonly string[];
}

type Found = Pick<RunningMongo, 'engine' | 'version'>;

/** Whatever is found; its arguments are those of a mongod, unless it is the package's. */
const mongodSources = programSources({
  binaries: ['mongod'],
  images: [{ image: 'mongo:8', binary: 'mongod' }],
  package: {
    help: 'Have python3 (with venv; on Debian the package python3-venv) on the PATH, and PyPI within reach.',
    find: () => pythonWith('secantusdb==0.7.0b3'),
  },
});

const FERRETDB = '1.24.2';

const ferretSource: Source<string> = {
  name: 'package',
  help: 'Have go on the PATH, and the Go module proxy within reach; the first time it takes minutes.',
  open: () => fromGoModule(resolve(import.meta.dirname, '../ferretdb'), `ferretdb-${FERRETDB}`),
};

/**
 * Starts a MongoDB server: that of MONGODB_URL, else a `mongod`, else in Docker, else SecantusDB, which has the protocol and
 * the storage engine of one. Or FerretDB.
 */
export async function startMongo({
  engine = 'mongodb',
  args = [],
  own = args.length > 0,
}: MongoOptions = {}): Promise<RunningMongo> {
  const server = await firstWorking<RunningMongo>(
    engine,
    engine === 'ferretdb'
      ? [{ ...ferretSource, open: async () => startFerret(await ferretSource.open(), args) }]
      : engine === 'secantusdb-rs'
        ? [{ ...secantusRsSource, open: async () => startSecantusRs(await secantusRsSource.open(), args) }]
        : [
            {
              name: 'environment',
              help: 'Set MONGODB_URL to the URL of a server that answers.',
              open: () => fromEnvironment(own),
            },
            ...mongodSources.map((source) => ({
              ...source,
              open: async () => startMongod(await source.open(), args),
            })),
          ],
  );
  say(`mongo: ${server.engine} ${server.version}, source '${server.source}'`);
  return server;
}

async function fromEnvironment(own: boolean): Promise<RunningMongo> {
  const url = process.env.MONGODB_URL;
  if (!url) throw new SourceAbsent('MONGODB_URL is not set');
  if (own) throw new Error('a server that runs already is not to be killed, nor given arguments');
  const found = await identify(url);
  const { hostname: host, port } = new URL(url);
  return {
    ...found,
    source: 'environment',
    host,
    port: Number(port || 27_017),
    url,
    stop: async () => {},
  };
}

async function startMongod(program: Program, args: readonly string[]): Promise<RunningMongo> {
  const port = await freePort();
  const data = program.source === 'docker' ? [] : ['--dbpath', '.'];
  // For it to take orders to fail.
  const testCommands = ['--setParameter', 'enableTestCommands=1'];
  const all =
    program.source === 'package'
      ? secantusArgs(port)
      : ['--port', String(port), '--bind_ip', program.bind, ...data, ...testCommands];
  const plan = program.plan([[...all, ...args]], [port]);
  return running(port, program.source, plan, memoryFolder());
}

function secantusArgs(port: number): string[] {
  return [
    ...['-c', 'from secantus.cli import main; main()', '--host', '127.0.0.1', '--port', String(port)],
    ...['--storage-path', 'data', '--log-level', 'ERROR', '--enable-test-commands'],
  ];
}

async function startFerret(program: string, args: readonly string[]): Promise<RunningMongo> {
  const port = await freePort();
  const plan = { commands: [[program, `127.0.0.1:${port}`, 'data', ...args]] };
  return running(port, 'package', plan, memoryFolder());
}

async function startSecantusRs(program: string, args: readonly string[]): Promise<RunningMongo> {
  const port = await freePort();
  const plan = { commands: [[...secantusRsCommand(program, port), ...args]] };
  return { ...(await running(port, 'package', plan)), engine: 'secantusdb-rs' };
}

async function running(
  port: number,
  source: RunningMongo['source'],
  plan: Parameters<typeof guarded>[1],
  parent?: string,
): Promise<RunningMongo> {
  // Not what a server says of itself, which as a member of a replica set may be another address.
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const { found, control, stop } = await controlled(guarded('mongo', plan, parent), () => identify(url));
  return { ...found, source, host: '127.0.0.1', port, url, control, stop };
}

/** Rejects unless the server answers. */
async function identify(url: string): Promise<Found> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000 });
  try {
    const info = await client.db('admin').command({ buildInfo: 1 });
    if (info.secantusVersion) return { engine: 'secantusdb', version: String(info.secantusVersion) };
    if (info.ferretdbVersion) return { engine: 'ferretdb', version: ferretVersionOf(info.ferretdbVersion) };
    return { engine: 'mongodb', version: String(info.version) };
  } finally {
    await client.close();
  }
}

/** One that is built from its module, as ours is, does not know. */
function ferretVersionOf(said: unknown): string {
  return said === 'unknown' ? FERRETDB : String(said).replace(/^v/, '');
}
