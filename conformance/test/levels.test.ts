import { expect, test } from 'vitest';
import { CASES, type CaseResult, CLAUSES, LEVELS } from '../src/index.ts';
import { judge } from '../src/report/levels.ts';

/** A run of all cases, all of which passed but for those that are given another end. */
function run(ends: (result: CaseResult) => Partial<CaseResult> | undefined = () => undefined): CaseResult[] {
  return CASES.map(({ clause, title }) => {
    const result: CaseResult = { clause, title, status: 'passed', ms: 1 };
    return { ...result, ...ends(result) };
  });
}

const statuses = (results: readonly CaseResult[]) =>
  Object.fromEntries(judge(results).map(({ level, status }) => [level, status]));

const REACHED = { core: 'reached', durable: 'reached', concurrent: 'reached', 'fault tolerant': 'reached' };

test('every clause is asked for by a level', () => {
  const asked = new Set(LEVELS.flatMap(({ clauses, whereItApplies }) => [...clauses, ...whereItApplies]));
  expect(CLAUSES.filter((clause) => !asked.has(clause))).toEqual([]);
});

test('a run in which all passed reaches every level', () => {
  expect(statuses(run())).toEqual(REACHED);
});

test('a case that failed fails the levels that ask for its clause, also in a part of a run', () => {
  const fails = (wanted: string) =>
    run(({ clause }) => (clause === wanted ? { status: 'failed' } : undefined));
  expect(statuses(fails('ORD-1'))).toEqual({ ...REACHED, concurrent: 'failed' });
  expect(statuses(fails('TXN-1'))).toEqual({ ...REACHED, core: 'failed' });
  expect(statuses(fails('GET-2'))).toEqual({ ...REACHED, core: 'failed', durable: 'failed' });
  const part = fails('FLT-1').filter(({ clause }) => clause === 'FLT-1');
  expect(statuses(part)).toMatchObject({ core: 'not shown', 'fault tolerant': 'failed' });
});

test('a part of a run reaches nothing', () => {
  const some = run().slice(1);
  expect(judge(some).map(({ status, reasons }) => [status, reasons])).toEqual(
    Array(4).fill(['not shown', ['Only some of the cases of the kit were run.']]),
  );
  expect(judge([])[0]!.reasons).toEqual(['No case was run.']);
});

test('what does not apply is not shown, with the reason; what may be missing is told', () => {
  const reason = 'It has no wire.';
  const wireless = judge(
    run(({ clause }) => (/^FLT|GET-8/.test(clause) ? { status: 'not applicable', reason } : undefined)),
  );
  expect(wireless.map(({ level, status, reasons }) => [level, status, reasons])).toEqual([
    ['core', 'reached', [reason]],
    ['durable', 'not shown', [reason]],
    ['concurrent', 'reached', []],
    ['fault tolerant', 'not shown', [reason]],
  ]);
  const without = judge(
    run(({ clause }) =>
      clause === 'RWR-1' ? { status: 'not applicable', reason: 'No rewrites.' } : undefined,
    ),
  );
  expect(without[0]).toMatchObject({ status: 'reached', reasons: ['No rewrites.'] });
});

test('what the store cannot stand is not shown, whatever else of the clause passed', () => {
  const reason = 'It answers nobody.';
  const [first] = run().filter(({ clause }) => clause === 'ORD-1');
  const gap = run((result) =>
    result.title === first!.title ? { status: 'not applicable', reason, isStores: true } : undefined,
  );
  expect(statuses(gap)).toEqual({ ...REACHED, concurrent: 'not shown' });
});

test('where the kit itself failed nothing is shown', () => {
  const broken = run(({ clause }) => (clause === 'POP-2' ? { status: 'kit error' } : undefined));
  expect(statuses(broken)).toEqual({ ...REACHED, concurrent: 'not shown' });
});
