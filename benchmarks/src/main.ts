import { parseArgs } from 'node:util';
import { machine } from './machine.ts';
import { markdownOf } from './markdown.ts';
import { writePage } from './page.ts';
import { loadPeers, type Peers } from './peers.ts';
import { openDynamoDB } from './stores/dynamodb.ts';
import { openMemory } from './stores/memory.ts';
import { openMongo } from './stores/mongo.ts';
import { openRedis } from './stores/redis.ts';
import type { Store } from './stores/store.ts';
import { type Goals, measureStore, type Report } from './suite.ts';

// The official session writes whole items to its debug log; a production setting, and what it is measured with.
process.env.OPENAI_AGENTS_DONT_LOG_MODEL_DATA = '1';
process.env.OPENAI_AGENTS_DONT_LOG_TOOL_DATA = '1';

interface Entry {
  readonly open: (peers: Peers) => Promise<Store>;
  readonly goals: Goals;
}

const entries: Readonly<Record<string, Entry>> = {
  redis: {
    open: openRedis,
    goals: { raw: { turn: 0.6, add: 0.55, read: 0.8 }, peers: { turn: 2 }, growth: 1 / 1.2 },
  },
  dynamodb: { open: openDynamoDB, goals: { peers: { turn: 1.5 }, growth: 1 / 1.3 } },
  mongo: { open: openMongo, goals: { peers: { turn: 1.5 }, growth: 1 / 1.3 } },
  memory: {
    open: openMemory,
    goals: {
      peers: { turn: 1, 'turns at once': 1, add: 1, 'add big': 1, read: 1, 'read all': 1 },
      growth: 1 / 1.3,
    },
  },
};

const { values, positionals: asked } = parseArgs({
  options: {
    /** Only what has this in its name. */
    only: { type: 'string', default: '' },
    /** Makes docs/benchmarks.md of it. */
    write: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const unknown = asked.filter((name) => !(name in entries));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; give some of: ${Object.keys(entries).join(', ')}.`);
  process.exit(1);
}

if (values.write && (values.only !== '' || asked.length > 0)) {
  console.error('The page is written when everything was measured.');
  process.exit(1);
}

const peers = await loadPeers();
console.log(machine());
const reports: Report[] = [];
for (const name of asked.length > 0 ? asked : Object.keys(entries)) {
  const { open, goals } = entries[name]!;
  const store = await open(peers);
  try {
    const report = await measureStore(store, goals, values.only, ({ work }) =>
      console.error(`${name}: ${work}`),
    );
    console.log(`\n${markdownOf(report)}`);
    reports.push(report);
  } finally {
    await store.close();
  }
}
if (values.write) writePage(reports);
const rows = reports.flatMap(({ sideBySide, growth }) => [...sideBySide, ...growth]);
if (rows.length === 0) {
  console.error(`Nothing has "${values.only}" in its name.`);
  process.exit(1);
}
const missed = rows.flatMap(({ verdicts }) => verdicts.filter(({ met }) => !met));
console.log(missed.length === 0 ? '\nAll goals are met.' : `\n${missed.length} goals were missed.`);
process.exitCode = missed.length === 0 ? 0 : 1;
