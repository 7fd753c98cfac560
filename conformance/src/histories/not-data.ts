/** A value that no item may hold (VAL-3), and how it is written. */
export interface NotData {
  readonly source: string;
  make(): unknown;
}

class Point {
  readonly x = 1;
}

export const NOT_DATA: readonly NotData[] = [
  { source: '() => 1', make: () => () => 1 },
  { source: "Symbol('s')", make: () => Symbol('s') },
  { source: 'new Point()', make: () => new Point() },
  { source: "new Error('e')", make: () => new Error('e') },
  { source: '/a/', make: () => /a/ },
  { source: 'Promise.resolve()', make: () => Promise.resolve() },
  { source: 'new WeakMap()', make: () => new WeakMap() },
  { source: 'new Proxy({}, {})', make: () => new Proxy({}, {}) },
  { source: 'Object.create({ a: 1 })', make: () => Object.create({ a: 1 }) as unknown },
  {
    source: '{ get a() { return 1 } }',
    make: () => ({
      get a() {
        return 1;
      },
    }),
  },
  {
    source: 'cycle',
    make: () => {
      const cycle: unknown[] = [];
      cycle.push({ cycle });
      return cycle;
    },
  },
];
