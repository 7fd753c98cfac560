/** What a user of a package gets, and nothing else. */
export interface Expected {
  /** What its user installs beside it; the versions are the workspace's. */
  readonly drivers: readonly string[];
  /** What it brings along beside the drivers and what they need, at whatever depth. */
  readonly brings: readonly string[];
  /** Whether it is for browsers and edge runtimes too. */
  readonly web: boolean;
  /** What is imported of it together, and how much that may come to. */
  readonly sizes: readonly ExpectedSize[];
}

export interface ExpectedSize {
  /** For the table: what is imported. */
  readonly of: string;
  /** The import, as a module that exports it. */
  readonly source: string;
  /** The most bytes, minified and gzipped. None for what nobody ships to where bytes count. */
  readonly limit: number | undefined;
}

function whole(name: string, limit: number | undefined): ExpectedSize[] {
  return [{ of: name, source: `export * from '${name}';`, limit }];
}

/** In bytes. */
export const KB = 1000;

const CORE_LIMIT = 12 * KB;
const ADAPTER_LIMIT = 8 * KB;

/** By name. A package that is missing here fails the check. */
export const EXPECTED: Readonly<Record<string, Expected>> = {
  '@sessions/core': {
    drivers: [],
    brings: ['devalue'],
    web: true,
    sizes: [
      // What every session carries, whatever its store.
      {
        of: '@sessions/core, StoredSession',
        source:
          "export { isSessionError } from '@sessions/core'; export { StoredSession } from '@sessions/core/store';",
        limit: CORE_LIMIT,
      },
      // And what one on a log carries.
      {
        of: '@sessions/core, StoredSession and LogHistory',
        source: "export { LogHistory, StoredSession } from '@sessions/core/store';",
        limit: 19 * KB,
      },
      { of: '@sessions/core', source: "export * from '@sessions/core';", limit: CORE_LIMIT },
      {
        of: '@sessions/core, all of it',
        source: "export * from '@sessions/core'; export * from '@sessions/core/store';",
        limit: 20 * KB,
      },
    ],
  },
  '@sessions/memory': {
    drivers: [],
    brings: ['@sessions/core', 'devalue'],
    web: true,
    sizes: whole('@sessions/memory', ADAPTER_LIMIT),
  },
  '@sessions/redis': {
    drivers: ['ioredis'],
    brings: ['@sessions/core', 'devalue'],
    web: false,
    sizes: whole('@sessions/redis', ADAPTER_LIMIT),
  },
  '@sessions/dynamodb': {
    drivers: ['@aws-sdk/client-dynamodb'],
    brings: ['@sessions/core', 'devalue'],
    web: false,
    sizes: whole('@sessions/dynamodb', ADAPTER_LIMIT),
  },
  '@sessions/mongo': {
    drivers: ['mongodb'],
    brings: ['@sessions/core', 'devalue'],
    web: false,
    sizes: whole('@sessions/mongo', ADAPTER_LIMIT),
  },
  '@sessions/openai': {
    drivers: ['openai'],
    brings: ['@sessions/core', 'devalue'],
    web: false,
    sizes: [
      {
        of: 'OpenAIConversationsSession',
        source: "export { OpenAIConversationsSession } from '@sessions/openai';",
        limit: ADAPTER_LIMIT,
      },
      // No adapter, but laid over one. It knows the items of the Agents SDK and of the API, and turns each into the other.
      {
        of: 'OpenAIResponsesCompactionSession',
        source: "export { OpenAIResponsesCompactionSession } from '@sessions/openai';",
        limit: 10 * KB,
      },
    ],
  },
  // Without an adapter: its user installs those of the stores in question.
  '@sessions/cli': {
    drivers: [],
    brings: ['@sessions/core', 'devalue'],
    web: false,
    sizes: [],
  },
  '@sessions/conformance': {
    drivers: [],
    brings: ['@sessions/core', 'devalue', 'fast-check', 'pure-rand'],
    web: false,
    sizes: whole('@sessions/conformance', undefined),
  },
};
