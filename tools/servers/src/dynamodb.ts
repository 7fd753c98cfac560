import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Control, controlled } from './controlled.ts';
import { freePort } from './free-port.ts';
import { guarded } from './guarded.ts';
import { pythonWith } from './python-package.ts';
import type { Command } from './run.ts';
import type { RunningServer } from './running-server.ts';
import { firstWorking, type Source, SourceAbsent, say } from './source.ts';

/** What stands in for DynamoDB where there is none: the first is taken where nothing else is asked for. */
export type DynamoDBEngine = 'dynalite' | 'moto';

/** A server that answers as DynamoDB does. */
export interface RunningDynamoDB extends RunningServer {
  /** 'dynalite', 'moto', or 'dynamodb' for what a URL leads to. */
  readonly engine: string;
  /** What a client is built with, beside the endpoint. */
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  readonly control?: Control & {
    /** Whether what was acknowledged is there again after a restart. */
    readonly keepsData: boolean;
  };
}

interface Engine {
  readonly version: string;
  readonly keepsData: boolean;
  readonly help: string;
  command(port: number): Promise<Command>;
}

const require = createRequire(import.meta.url);

const engines: Readonly<Record<DynamoDBEngine, Engine>> = {
  dynalite: {
    version: (require('dynalite/package.json') as { version: string }).version,
    keepsData: true,
    help: 'Install the packages of this repository, `dynalite` among them.',
    async command(port) {
      const cli = join(dirname(require.resolve('dynalite/package.json')), 'cli.js');
      const address = ['--host', '127.0.0.1', '--port', String(port)];
      return [
        process.execPath,
        cli,
        ...address,
        '--path',
        'data',
        '--createTableMs',
        '0',
        '--deleteTableMs',
        '0',
      ];
    },
  },
  moto: {
    version: '5.2.5',
    keepsData: false,
    help: 'Have python3 (with venv; on Debian the package python3-venv) on the PATH, and PyPI within reach.',
    async command(port) {
      const python = await pythonWith('moto[server]==5.2.5');
      return [python, join(import.meta.dirname, '../moto/main.py'), '127.0.0.1', String(port)];
    },
  },
};

/**
 * Starts a server that answers as DynamoDB does.
 *
 * @param options - `engine`: that one; if left out, the server of DYNAMODB_URL or AWS_ENDPOINT_URL_DYNAMODB, else dynalite
 */
export async function startDynamoDB(options: { engine?: DynamoDBEngine } = {}): Promise<RunningDynamoDB> {
  const { engine } = options;
  const server = await firstWorking<RunningDynamoDB>('dynamodb', [
    ...(engine ? [] : [environment]),
    {
      name: 'package',
      help: engines[engine ?? 'dynalite'].help,
      open: () => startEngine(engine ?? 'dynalite'),
    },
  ]);
  say(`dynamodb: ${server.engine} ${server.version}, source '${server.source}'`);
  return server;
}

const environment: Source<RunningDynamoDB> = {
  name: 'environment',
  help: 'Set DYNAMODB_URL to the URL of a server that answers.',
  async open() {
    const { env } = process;
    const url = env.DYNAMODB_URL || env.AWS_ENDPOINT_URL_DYNAMODB;
    if (!url) throw new SourceAbsent('DYNAMODB_URL is not set');
    await answers(url);
    const { hostname: host, port, protocol } = new URL(url);
    return {
      engine: 'dynamodb',
      version: 'unknown',
      source: 'environment',
      host,
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      url,
      region: env.AWS_REGION || 'us-east-1',
      credentials: {
        accessKeyId: env.AWS_ACCESS_KEY_ID || 'local',
        secretAccessKey: env.AWS_SECRET_ACCESS_KEY || 'local',
        ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
      },
      stop: async () => {},
    };
  },
};

async function startEngine(engine: DynamoDBEngine): Promise<RunningDynamoDB> {
  const { version, keepsData, command } = engines[engine];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = guarded('dynamodb', { commands: [await command(port)] });
  const { control, stop } = await controlled(server, () => answers(url));
  return {
    engine,
    version,
    source: 'package',
    host: '127.0.0.1',
    port,
    url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    control: { ...control, keepsData },
    stop,
  };
}

/** Rejects unless a request is answered, whatever is thought of its signature. */
async function answers(url: string): Promise<void> {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.ListTables',
      'X-Amz-Date': '20200101T000000Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: '{}',
    signal: AbortSignal.timeout(5_000),
  });
  if (status >= 500) throw new Error(`it answered ${status}`);
}
