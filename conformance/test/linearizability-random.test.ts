import { describe, expect, test } from 'vitest';
import { checkLinearizability } from '../src/races/linearizability.ts';
import { added, type Call, type Operation, type Outcome, observed } from '../src/races/operation.ts';
import { Random } from '../src/races/random.ts';
import { Workload } from '../src/races/workload.ts';

/** A list that does as the contract says, one call after another. */
class RealList {
  readonly items: string[] = [];
  readonly #ids = new Set<string>();

  apply(call: Call): Outcome {
    switch (call.kind) {
      case 'read': {
        const { limit = this.items.length } = call;
        return { kind: 'read', items: limit <= 0 ? [] : this.items.slice(-limit) };
      }
      case 'pop':
        return { kind: 'popped', item: this.items.pop() };
      case 'clear':
        this.items.length = 0;
        this.#ids.clear();
        return { kind: 'done' };
      case 'add':
        this.items.push(...call.items);
        return { kind: 'done' };
      default: {
        if (this.#ids.has(call.operationId)) return { kind: 'done' };
        const expected = call.kind === 'replace' ? call.expected : [];
        const end = this.items.slice(this.items.length - expected.length);
        if (end.join() !== expected.join()) return { kind: 'mismatch' };
        this.items.splice(this.items.length - expected.length, expected.length, ...added(call));
        this.#ids.add(call.operationId);
        return { kind: 'done' };
      }
    }
  }
}

interface Shape {
  readonly clients: number;
  readonly operations: number;
  /** How likely it is that an outcome stays unknown. */
  readonly unknown: number;
  readonly transactions: boolean;
}

/** What clients of a real list see, whose calls overlap by chance and take effect at some moment of each. */
function rightHistory(random: Random, { clients, operations, unknown, transactions }: Shape): Operation[] {
  const list = new RealList();
  const history: Operation[] = [];
  /** Calls of which nobody will hear, and which may still take effect. */
  const adrift: Call[] = [];
  const shared = transactions ? [] : undefined;
  const idle = Array.from({ length: clients }, (_, at) => {
    const client = String.fromCharCode(97 + at);
    return { client, workload: new Workload(client, random, shared) };
  });
  const under: { client: (typeof idle)[number]; call: Call; start: number; outcome?: Outcome }[] = [];
  let time = 0;
  let made = 0;
  while (made < operations || under.length > 0) {
    time++;
    if (adrift.length > 0 && random.chance(0.1)) {
      list.apply(adrift.splice(random.below(adrift.length), 1)[0]!);
    } else if (made < operations && idle.length > 0 && random.chance(0.4)) {
      const client = idle.splice(random.below(idle.length), 1)[0]!;
      under.push({ client, call: client.workload.next(), start: time });
      made++;
    } else if (under.length > 0) {
      const at = random.below(under.length);
      const one = under[at]!;
      const isLost = !one.outcome && one.call.kind !== 'read' && random.chance(unknown);
      if (!isLost && !one.outcome) {
        one.outcome = list.apply(one.call);
        continue;
      }
      if (isLost) adrift.push(one.call);
      const { client, call, start, outcome = { kind: 'unknown' } } = one;
      history.push({ client: client.client, call, start, end: time, outcome });
      if (outcome.kind === 'read') client.workload.saw(outcome.items);
      under.splice(at, 1);
      idle.push(client);
    }
  }
  return history;
}

describe('what clients of a real list see is accepted', () => {
  const shapes: Record<string, Shape> = {
    '6 clients, 300 calls': { clients: 6, operations: 300, unknown: 0, transactions: false },
    '8 clients, 400 calls, transactions': { clients: 8, operations: 400, unknown: 0, transactions: true },
    '6 clients, 300 calls, unknown outcomes': {
      clients: 6,
      operations: 300,
      unknown: 0.08,
      transactions: true,
    },
  };
  test.each(Object.entries(shapes))('%s', (_, shape) => {
    for (let seed = 1; seed <= 40; seed++) {
      const history = rightHistory(new Random(seed), shape);
      expect(checkLinearizability(history), `seed ${seed}`).toEqual({ ok: true });
    }
  });
});

interface FullRead extends Operation {
  readonly outcome: Extract<Outcome, { kind: 'read' }>;
}

/** A history, and what can be said of it for certain, from which results follow that nothing explains. */
class Facts {
  readonly history: readonly Operation[];

  constructor(history: readonly Operation[]) {
    this.history = history;
  }

  get reads(): FullRead[] {
    return this.history.filter(
      (operation): operation is FullRead => operation.outcome.kind === 'read' && !limitOf(operation),
    );
  }

  get pops(): Operation[] {
    return this.history.filter(({ outcome }) => outcome.kind === 'popped');
  }

  /** The only call that adds an item. */
  adder(item: string): Operation | undefined {
    const adders = this.history.filter(({ call }) => added(call).includes(item));
    return adders.length === 1 ? adders[0] : undefined;
  }

  /** Items that are in the list for as long as a call takes: added before it, and seen by another after it. */
  throughout({ start, end }: Operation): string[] {
    // A transaction that is made again need not see what it replaces.
    const later = this.history
      .filter(({ call, start: after }) => after > end && call.kind !== 'replace')
      .flatMap(observed);
    return [...new Set(later)].filter((item) => {
      const adder = this.adder(item);
      return adder?.outcome.kind === 'done' && adder.end < start;
    });
  }

  /** The history with another result of one call. */
  with(changed: Operation, outcome: Outcome): Operation[] {
    return this.history.map((operation) => (operation === changed ? { ...operation, outcome } : operation));
  }

  withRead(changed: Operation, items: readonly string[]): Operation[] {
    return this.with(changed, { kind: 'read', items });
  }
}

function limitOf({ call }: Operation): number | undefined {
  return call.kind === 'read' ? call.limit : undefined;
}

function without(items: readonly string[], item: string): string[] {
  return items.filter((other) => other !== item);
}

/** Each with the histories that it can make of one, and why nothing explains them. Items are added by one call only. */
const CORRUPTIONS: Record<string, (facts: Facts) => Operation[][]> = {
  // One call adds it, once.
  'a doubled item': (facts) =>
    facts.reads.flatMap((read) =>
      read.outcome.items
        .filter((item) => facts.adder(item))
        .map((item) => facts.withRead(read, [...read.outcome.items, item])),
    ),
  'a doubled item of a transaction': (facts) =>
    facts.reads.flatMap((read) =>
      read.outcome.items
        .filter((item) => facts.adder(item)?.call.kind === 'append')
        .map((item) => facts.withRead(read, [item, ...read.outcome.items])),
    ),
  'an invented item': (facts) =>
    facts.reads.map((read) => facts.withRead(read, [...read.outcome.items, 'x'])),
  'an item popped twice': (facts) =>
    facts.pops.flatMap((pop) =>
      facts.pops
        .filter((other) => other !== pop && observed(other).some((item) => facts.adder(item)))
        .map((other) => facts.with(pop, other.outcome)),
    ),
  // It was popped before the read began, and nobody adds it again.
  'a popped item that is back': (facts) =>
    facts.pops.flatMap((pop) =>
      facts.reads
        .filter((read) => read.start > pop.end && observed(pop).some((item) => facts.adder(item)))
        .map((read) => facts.withRead(read, [...read.outcome.items, ...observed(pop)])),
    ),
  'an unknown add that happens again after a pop': (facts) =>
    facts.pops.flatMap((pop) =>
      facts.reads
        .filter((read) => read.start > pop.end)
        .filter(() => observed(pop).some((item) => facts.adder(item)?.outcome.kind === 'unknown'))
        .map((read) => facts.withRead(read, [...read.outcome.items, ...observed(pop)])),
    ),
  'a cleared item that is back': (facts) =>
    facts.history
      .filter(({ call, outcome }) => call.kind === 'clear' && outcome.kind === 'done')
      .flatMap((clear) => {
        const adders = facts.history.filter(({ call, end }) => call.kind === 'add' && end < clear.start);
        const items = adders.flatMap(({ call, outcome }) => (outcome.kind === 'done' ? added(call) : []));
        const reads = facts.reads.filter((read) => read.start > clear.end);
        return reads.flatMap((read) =>
          items.slice(-2).map((item) => facts.withRead(read, [item, ...read.outcome.items])),
        );
      }),
  // Another read saw them in their order, and nothing reorders.
  'two items in the wrong order': (facts) =>
    facts.reads.flatMap((read) =>
      read.outcome.items.slice(1).flatMap((item, at) => {
        const items = [...read.outcome.items];
        const before = items[at]!;
        items.splice(at, 2, item, before);
        const isSure = facts.reads.some(
          (other) =>
            other !== read &&
            other.outcome.items.includes(item) &&
            other.outcome.items.indexOf(before) < other.outcome.items.indexOf(item) &&
            other.outcome.items.includes(before),
        );
        return isSure && facts.adder(item) && facts.adder(before) ? [facts.withRead(read, items)] : [];
      }),
    ),
  // What is between two items of a batch is there for as long as both of them are.
  'a batch without its middle': (facts) =>
    facts.reads.flatMap((read) =>
      facts.history
        .map(({ call }) => added(call))
        .filter((batch) => batch.length === 3 && batch.every((item) => facts.adder(item)))
        .filter((batch) => batch.every((item) => read.outcome.items.includes(item)))
        .map((batch) => facts.withRead(read, without(read.outcome.items, batch[1]!))),
    ),
  'a lost newest item': (facts) =>
    facts.reads.flatMap((read) =>
      facts
        .throughout(read)
        .filter((item) => item === read.outcome.items.at(-1))
        .map((item) => facts.withRead(read, without(read.outcome.items, item))),
    ),
  'a lost item': (facts) =>
    facts.reads.flatMap((read) =>
      facts.throughout(read).map((item) => facts.withRead(read, without(read.outcome.items, item))),
    ),
  'a stale read': (facts) =>
    facts.reads.flatMap((read) => {
      const there = facts.throughout(read);
      return facts.reads
        .filter(
          (older) => older.end < read.start && there.some((item) => !older.outcome.items.includes(item)),
        )
        .map((older) => facts.withRead(read, older.outcome.items));
    }),
  'a limit that gives the oldest': (facts) =>
    facts.history
      .filter((operation) => limitOf(operation) && operation.outcome.kind === 'read')
      .flatMap((read) => {
        const newest = observed(read).at(-1)!;
        if (!facts.throughout(read).includes(newest)) return [];
        return facts.reads
          .map((full) => full.outcome.items.slice(0, limitOf(read)))
          .filter((oldest) => oldest.length === limitOf(read) && !oldest.includes(newest))
          .map((oldest) => facts.withRead(read, oldest));
      }),
  'a limit that gives too few': (facts) =>
    facts.history
      .filter(
        (read) =>
          limitOf(read) === observed(read).length && facts.throughout(read).includes(observed(read)[0]!),
      )
      .map((read) => facts.withRead(read, observed(read).slice(1))),
  'a pop that says empty': (facts) =>
    facts.pops
      .filter((pop) => facts.throughout(pop).length > 0)
      .map((pop) => facts.with(pop, { kind: 'popped', item: undefined })),
  'a pop out of order': (facts) =>
    facts.pops.flatMap((pop) =>
      facts.throughout(pop).flatMap((item) =>
        facts.reads
          .filter((read) => read.outcome.items.includes(item))
          .map((read) => read.outcome.items[read.outcome.items.indexOf(item) - 1])
          .filter((below) => below !== undefined && facts.adder(below))
          .map((below) => facts.with(pop, { kind: 'popped', item: below })),
      ),
    ),
};

describe('what no list can show is rejected', () => {
  const shape = { clients: 5, operations: 120, unknown: 0.06, transactions: true };
  test.each(Object.entries(CORRUPTIONS))('%s', (_, corrupt) => {
    let tried = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const random = new Random(seed);
      const corrupted = corrupt(new Facts(rightHistory(random, shape)));
      if (corrupted.length === 0) continue;
      const history = random.pick(corrupted);
      expect(checkLinearizability(history), `seed ${seed}`).toMatchObject({ ok: false });
      tried++;
    }
    // Not every history has the place for it, but enough of them do.
    expect(tried).toBeGreaterThan(5);
  });
});

/** Tries every order, and every choice of the unknown calls that take effect. */
function isExplained(history: readonly Operation[], done: readonly Call[] = []): boolean {
  const certain = history.filter(({ outcome }) => outcome.kind !== 'unknown');
  if (certain.length === 0) return true;
  const firstEnd = Math.min(...certain.map(({ end }) => end));
  return history.some((next) => {
    if (next.start > firstEnd) return false;
    const list = new RealList();
    for (const call of done) list.apply(call);
    const outcome = list.apply(next.call);
    const isRight =
      next.outcome.kind === 'unknown' || JSON.stringify(outcome) === JSON.stringify(next.outcome);
    const rest = history.filter((other) => other !== next);
    return isRight && isExplained(rest, [...done, next.call]);
  });
}

/** The history with a result that another call of its kind had, or with one item more or less. */
function meddledWith(history: readonly Operation[], random: Random): Operation[] {
  const facts = new Facts(history);
  const changed = random.pick(history);
  const others = history.filter(({ outcome }) => outcome.kind === changed.outcome.kind);
  if (changed.outcome.kind !== 'read' || random.chance(0.3))
    return facts.with(changed, random.pick(others).outcome);
  const items = [...changed.outcome.items];
  const known = history.flatMap(({ call }) => added(call));
  items.splice(
    random.below(items.length + 1),
    random.below(2),
    ...(random.chance(0.5) ? known.slice(-1) : []),
  );
  return facts.withRead(changed, items);
}

/** A history as it was known just before a call returned, or just then. */
function knownAt(time: number, history: readonly Operation[]): Operation[] {
  return history
    .filter(({ start }) => start <= time)
    .map((call) => (call.end <= time ? call : { ...call, outcome: { kind: 'unknown' as const } }))
    .filter(({ call, outcome }) => call.kind !== 'read' || outcome.kind !== 'unknown');
}

test('the search agrees with one that tries every order, on the verdict and on where it first fails', () => {
  const verdicts = { explained: 0, unexplained: 0 };
  for (let seed = 1; seed <= 10_000; seed++) {
    const random = new Random(seed);
    const shape = {
      clients: 3,
      operations: 8,
      unknown: random.pick([0, 0.3]),
      transactions: random.chance(0.7),
    };
    let history = rightHistory(random, shape);
    for (let times = random.below(3); times > 0; times--) history = meddledWith(history, random);
    const verdict = checkLinearizability(history);
    expect(verdict.ok, `seed ${seed}`).toBe(isExplained(knownAt(Number.POSITIVE_INFINITY, history)));
    verdicts[verdict.ok ? 'explained' : 'unexplained']++;
    if (verdict.ok) continue;
    const { end } = verdict.culprit;
    expect(isExplained(knownAt(end, history)), `seed ${seed}`).toBe(false);
    expect(isExplained(knownAt(end - 1, history)), `seed ${seed}`).toBe(true);
  }
  expect(verdicts.explained).toBeGreaterThan(1_000);
  expect(verdicts.unexplained).toBeGreaterThan(1_000);
});
