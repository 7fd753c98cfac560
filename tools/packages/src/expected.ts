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

const CORE_LIMIT = 12_000;
const ADAPTER_LIMIT = 8_000;

/** By name. A package that is missing here fails the check. */
export const EXPECTED: Readonly<Record<string, Expected>> = {
  '@sessions/core': {
    drivers: [],
    brings: ['devalue'],
    web: true,
    sizes: [
      {
        of: '@sessions/core, with /store',
        source: "export * from '@sessions/core'; export * from '@sessions/core/store';",
        limit: CORE_LIMIT,
      },
      { of: '@sessions/core alone', source: "export * from '@sessions/core';", limit: CORE_LIMIT },
      // What only sessions on a log carry, and they carry it with the rest.
      {
        of: '@sessions/core, with /store and /log',
        source:
          "export * from '@sessions/core'; export * from '@sessions/core/store'; export * from '@sessions/core/log';",
        limit: 18_000,
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
        limit: 10_000,
      },
    ],
  },
  '@sessions/conformance': {
    drivers: [],
    brings: ['@sessions/core', 'devalue', 'fast-check', 'pure-rand'],
    web: false,
    sizes: whole('@sessions/conformance', undefined),
  },
};
