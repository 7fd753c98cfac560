import type { ConformanceCase } from '../case.ts';
import { codeOfCase } from '../case-code.ts';

/**
 * A case of the wire twice: with a client that may send again by itself what was lost, and with one that leaves that
 * to the adapter. What is wrong with an adapter's own trying again, the first kind would hide.
 */
export function withEitherDriver(tried: ConformanceCase): ConformanceCase[] {
  return [
    tried,
    {
      ...tried,
      title: `${tried.title}; the driver resends nothing`,
      needs: [...tried.needs, 'openWithoutResending'],
      steps: `bench.resends = false;\n${codeOfCase(tried)}`,
      run(bench) {
        bench.resends = false;
        return tried.run(bench);
      },
    },
  ];
}
