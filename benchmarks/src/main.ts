import { cpus } from 'node:os';
import { startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { type Comparison, compare, type Outcome } from './compare.ts';
import { memoryComparisons } from './memory.ts';
import { redisComparisons } from './redis.ts';

// The official session writes whole items to its debug log; a production setting, and what it is measured with.
process.env.OPENAI_AGENTS_DONT_LOG_MODEL_DATA = '1';
process.env.OPENAI_AGENTS_DONT_LOG_TOOL_DATA = '1';

function row({ comparison: { name, against, goal }, ours, theirs, ratio, spread }: Outcome): string {
  const [low, high] = spread.map((value) => value.toFixed(2));
  const verdict = goal === undefined ? '–' : `${goal.toFixed(2)} ${ratio >= goal ? 'met' : 'MISSED'}`;
  return `| ${name} | ${against} | ${ours.toFixed(1)} | ${theirs.toFixed(1)} | ${ratio.toFixed(2)} (${low}–${high}) | ${verdict} |`;
}

async function measure(title: string, comparisons: readonly Comparison[]): Promise<boolean> {
  console.log(`\n### ${title}\n`);
  console.log('| what | against | ours, µs | theirs, µs | ratio of rates (middle half) | goal |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  let allMet = true;
  for (const comparison of comparisons) {
    const outcome = await compare(comparison);
    console.log(row(outcome));
    allMet &&= outcome.ratio >= (comparison.goal ?? 0);
  }
  return allMet;
}

/** Servers as they are started for tests, which write to the disk before they answer, and one that does not. */
const [durable, volatile] = await Promise.all([startRedis(), startRedis({ args: ['--appendonly', 'no'] })]);
const [client, fastClient] = [new Redis(durable.url), new Redis(volatile.url)];
try {
  const machine = `${cpus().length} × ${cpus()[0]?.model}`;
  console.log(`Node.js ${process.version}, ${durable.engine} ${durable.version}, ${machine}`);
  const fast = (await redisComparisons(fastClient)).slice(0, 1);
  const met = [
    await measure('Redis', await redisComparisons(client)),
    await measure(
      'Redis without persistence',
      fast.map((comparison) => ({ ...comparison, goal: undefined })),
    ),
    await measure('Memory', memoryComparisons()),
  ];
  console.log(met.every(Boolean) ? '\nAll goals are met.' : '\nSome goals were missed.');
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  for (const one of [client, fastClient]) one.disconnect();
  await Promise.all([durable.stop(), volatile.stop()]);
}
