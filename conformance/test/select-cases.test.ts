import { expect, test } from 'vitest';
import { CASES, runCase, selectCases } from '../src/index.ts';
import { fakeAdapter } from './fake-adapter.ts';

const names = (cases: readonly { clause: string; title: string }[]) =>
  cases.map(({ clause, title }) => `${clause} ${title}`);

test('without a wish all cases are selected', () => {
  expect(names(selectCases())).toEqual(names(CASES));
  expect(names(selectCases({ soak: true }))).toEqual(names(CASES));
});

test('clauses and a title select', () => {
  const some = selectCases({ clauses: ['ADD-2', 'ISO-1'] });
  expect(new Set(some.map(({ clause }) => clause))).toEqual(new Set(['ADD-2', 'ISO-1']));
  const { title } = CASES[3]!;
  expect(names(selectCases({ title }))).toEqual(names([CASES[3]!]));
});

test('a seed is of everything that is generated; without one there is another each time', () => {
  const seedsOf = (cases: ReturnType<typeof selectCases>) => [
    ...new Set(cases.flatMap(({ seed }) => seed ?? [])),
  ];
  expect(seedsOf(selectCases({ seed: 42 }))).toEqual([42]);
  expect(selectCases({ seed: 42 }).filter(({ seed }) => seed === 42).length).toBeGreaterThanOrEqual(7);
  const others = new Set(Array.from({ length: 5 }, () => seedsOf(selectCases())[0]));
  expect(others.size).toBeGreaterThan(1);
});

test('a path selects the one history', async () => {
  const [one, ...more] = selectCases({ seed: 1, path: 'GET-2:0' });
  expect(more).toEqual([]);
  expect(one).toMatchObject({ clause: 'GET-2', seed: 1 });
  let sessions = 0;
  const right = fakeAdapter();
  const counting = fakeAdapter({
    open: async () => {
      const connection = await right.open();
      return {
        ...connection,
        session: (request) => {
          sessions++;
          return connection.session(request);
        },
      };
    },
  });
  expect(await runCase(counting, one!)).toMatchObject({ status: 'passed' });
  expect(sessions).toBeGreaterThan(0);
});

test('a soak has more time', () => {
  const longer = selectCases({ soak: true }).filter(({ timeoutMs = 0 }) => timeoutMs > 60_000);
  expect(longer.length).toBeGreaterThanOrEqual(7);
});

test('what selects nothing, or makes no sense, is refused in a line', () => {
  expect(() => selectCases({ clauses: ['ADD-1'], title: 'no such' })).toThrow(
    'The kit has no case of ADD-1 with the title "no such".',
  );
  expect(() => selectCases({ seed: 0.5 })).toThrow('A seed is a whole number, not 0.5.');
  expect(() => selectCases({ path: 'GET-2:0' })).toThrow('A path is of a seed');
  expect(() => selectCases({ seed: 1, path: 'FLT-9:0' })).toThrow('No history has the path');
});
