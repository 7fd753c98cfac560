import { CASES, type ConformanceCase, type StartedAdapter } from '@sessions/conformance';
import { startMemoryAdapter } from '../../../packages/memory/test/adapter.ts';
import { withCompaction } from '../../../packages/openai/test/compaction-adapter.ts';
import { withConversations } from '../../../packages/openai/test/conversations-part.ts';
import { startRedisAdapter } from '../../../packages/redis/test/adapter.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { tryControl, tryMutant, type Verdict } from './trial.ts';

const START: Readonly<Record<Mutant['over'], () => Promise<StartedAdapter>>> = {
  memory: startMemoryAdapter,
  redis: startRedisAdapter,
  compaction: () => withCompaction(startMemoryAdapter),
  conversations: () => withConversations(startMemoryAdapter),
};

/** Words that a mutant's clause or name must hold, to try a few only. */
const wanted = process.argv.slice(2).filter((argument) => argument !== '--');
const chosen = MUTANTS.filter(({ clause, name }) => {
  return wanted.length === 0 || wanted.some((word) => clause === word || name.includes(word));
});

let killed = 0;
let controlFailed = false;
for (const over of ['memory', 'redis', 'compaction', 'conversations'] as const) {
  const mutants = chosen.filter((mutant) => mutant.over === over);
  if (mutants.length === 0) continue;
  const { adapter, stop } = await START[over]();
  try {
    const found = new Set<string>();
    for (const mutant of mutants) {
      const started = performance.now();
      const verdict = await tryMutant(adapter, mutant);
      if (verdict.outcome === 'killed') killed++;
      if (verdict.outcome !== 'survived') found.add(nameOf(verdict.by));
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(
        `${wordFor(verdict)} ${mutant.clause.padEnd(6)} ${mutant.name} (${seconds} s)${proof(verdict)}`,
      );
    }
    const cases = CASES.filter((tried) => found.has(nameOf(tried)) && tried.without === undefined);
    const failed = await tryControl(adapter, over, cases);
    controlFailed ||= failed !== undefined;
    console.log(
      failed
        ? `the right ${over} adapter FAILED ${nameOf(failed)}: ${failed.reason} (${failed.actual})`
        : `the right ${over} adapter passes the ${cases.length} cases that found them`,
    );
  } finally {
    await stop();
  }
}
console.log(`killed ${killed} of ${chosen.length}`);
// Clients that a mutant failed to close would keep the process alive.
process.exit(killed === chosen.length && killed > 0 && !controlFailed ? 0 : 1);

function nameOf({ clause, title }: Pick<ConformanceCase, 'clause' | 'title'>): string {
  return `${clause} ${title}`;
}

function wordFor(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'killed':
      return 'killed  ';
    case 'killed by another clause':
      return `killed only by ${verdict.by.clause}:`;
    case 'survived':
      return 'SURVIVED';
  }
}

/** Which case found it, and what it saw: a mutant may be found for another reason than the one it was made for. */
function proof(verdict: Verdict): string {
  if (verdict.outcome === 'survived') return '';
  const { title, reason = '' } = verdict.by;
  return `: ${title}: ${reason.split('\n', 1)[0]}`;
}
