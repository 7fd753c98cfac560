import type { ConformanceCase } from './case.ts';

/** What a report shows of a case: what the case says of itself, since code that generates explains nothing; or its code. */
export function codeOfCase({ run, steps }: ConformanceCase): string {
  return steps ?? codeOf(run);
}

/** The code of a function, as it stands in the kit, moved to the left margin. */
export function codeOf(run: (...given: never[]) => unknown): string {
  const [first = '', ...rest] = run.toString().split('\n');
  const indents = rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return [first, ...rest.map((line) => line.slice(indent))].join('\n').trim();
}
