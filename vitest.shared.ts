import { defineConfig } from 'vitest/config';

/** What every package's test run shares: workspace packages are tested from their sources, results are counted from the report. */
export default defineConfig({
  resolve: { conditions: ['@sessions/source'] },
  // Without `module`, as in Node.js itself: what that leads to is for bundlers.
  ssr: { resolve: { conditions: ['@sessions/source', 'node', 'default'] } },
  test: {
    reporters: ['default', ['json', { outputFile: 'reports/vitest.json' }]],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes soon, if nothing else runs; a busy machine needs more.
    expect: { poll: { timeout: 20_000 } },
  },
});
