import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What is used of LangChain, which is not installed where types are checked. */
export interface LangChain {
  HumanMessage: new (text: string) => object;
  AIMessage: new (text: string) => object;
  mapChatMessagesToStoredMessages(messages: object[]): object[];
  DynamoDBChatMessageHistory: new (options: {
    tableName: string;
    sessionId: string;
    config: object;
  }) => LangChainHistory;
  MongoDBChatMessageHistory: new (options: { collection: object; sessionId: string }) => LangChainHistory;
  IoredisChatMessageHistory: new (options: {
    client: object;
    sessionId: string;
    sessionTTL: number;
  }) => LangChainHistory;
  RedisChatMessageHistory: new (options: {
    client?: object;
    config?: object;
    sessionId: string;
    sessionTTL: number;
  }) => LangChainHistory & {
    readonly client: { readonly isOpen: boolean; disconnect(): Promise<void> };
  };
}

export interface LangChainHistory {
  addMessages(messages: object[]): Promise<void>;
  getMessages(): Promise<object[]>;
}

/** What is used of Mastra. */
export interface Mastra {
  DynamoDBStore: new (options: { id?: string; name?: string; config: object }) => MastraStore;
  MongoDBStore: new (options: { id: string; uri: string; dbName: string }) => MastraStore;
  RedisStore: new (options: { id: string; connectionString: string }) => MastraStore;
}

export interface MastraStore {
  init(): Promise<void>;
  getStore(domain: 'memory'): Promise<MastraMemory | undefined>;
  close?(): Promise<void>;
}

export interface MastraMemory {
  saveThread(options: {
    thread: { id: string; resourceId: string; title: string; createdAt: Date; updatedAt: Date };
  }): Promise<unknown>;
  saveMessages(options: { messages: MastraMessage[] }): Promise<unknown>;
  listMessages(options: {
    threadId: string;
    perPage: number | false;
    page: number;
    orderBy: { field: 'createdAt'; direction: 'ASC' | 'DESC' };
  }): Promise<{ messages: unknown[] }>;
}

export interface MastraMessage {
  readonly id: string;
  readonly threadId: string;
  readonly resourceId: string;
  readonly role: 'user' | 'assistant';
  readonly type: 'v2';
  readonly createdAt: Date;
  readonly content: { readonly format: 2; readonly parts: { type: 'text'; text: string }[] };
}

/** The other libraries. */
export interface Peers {
  readonly langchain: LangChain;
  readonly mastra: Mastra;
  /** The installed version of one of their packages. */
  version(name: string): string;
}

const FOLDER = join(import.meta.dirname, '../peers');
const ROOT = join(import.meta.dirname, '../..');

/** Installs the other libraries, in a folder of their own, if need be. */
export async function loadPeers(): Promise<Peers> {
  const lockfile = readFileSync(join(FOLDER, 'pnpm-lock.yaml'), 'utf8');
  const installed = join(FOLDER, 'node_modules', '.pnpm', 'lock.yaml');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lockfile) {
    console.error('Installing what sessions are measured against …');
    const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      packageManager: string;
    };
    const options = ['--frozen-lockfile', '--reporter=append-only', '--loglevel=error'];
    const { status } = spawnSync('npx', ['--yes', packageManager, 'install', ...options], {
      cwd: FOLDER,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error('They cannot be installed; is the npm registry within reach?');
  }
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(FOLDER, file)).href);
  return {
    langchain: (await load('langchain.js')) as LangChain,
    mastra: (await load('mastra.js')) as Mastra,
    version(name) {
      const manifest = readFileSync(join(FOLDER, 'node_modules', name, 'package.json'), 'utf8');
      return (JSON.parse(manifest) as { version: string }).version;
    },
  };
}
