import type { Contender } from './contender.ts';
import { type Held, heldBy } from './held.ts';
import { TURN } from './items.ts';
import type { Runner } from './race.ts';
import { type Goal, measure, type Row } from './row.ts';
import type { Store } from './stores/store.ts';
import { addOf, READ, readOf, SIZES, turnAt, turnsAtOnce, type Work, type WorkKind } from './works.ts';
import { type Writers, writersAtOnce } from './writers.ts';

/** What is asked of ours, as a multiple of others' rates. */
export interface Goals {
  /** Of the bare driver's, by what is done. */
  readonly raw?: Asked;
  /** Of the fastest peer's. */
  readonly peers?: Asked;
  /** In a long history, of ours in a short one. */
  readonly growth: number;
}

type Asked = { readonly [Kind in WorkKind]?: number };

/** What was measured of one store. */
export interface Report {
  readonly store: Store;
  /** Ours beside the bare driver and the peers. */
  readonly sideBySide: Row[];
  /** Ours beside ours, of a shorter history. */
  readonly growth: Row[];
  /** What became of what many added at once. */
  readonly writers: Writers[];
  /** What sessions take of this process, where they are in it. */
  readonly held: Held[];
}

const SHORT = 100;
const LONG = 10_000;

/** What is measured of every store, in this order. */
const WORKS = [
  ...SIZES.map(turnAt),
  addOf(1),
  addOf(10),
  addOf(100),
  readOf(READ, 1_000),
  readOf(undefined, LONG),
  ...[200, 20_000, 1_000_000].map((bytes) => addOf(1, { size: 1, bytes })),
  ...[16, 64].map((sessions) => turnsAtOnce(sessions)),
];

/** What must not cost more in a long history than in a short one. */
const GROWTH = [
  { name: `add ${TURN} items`, workAt: (size: number) => addOf(TURN, { size }) },
  { name: `read ${READ}`, workAt: (size: number) => readOf(READ, size) },
  { name: 'one turn', workAt: turnAt },
];

/** Measures one store: what has `only` in its name. Tells of each row as soon as it is there. */
export async function measureStore(
  store: Store,
  goals: Goals,
  only: string,
  tell: (row: Row) => void,
): Promise<Report> {
  const report: Report = { store, sideBySide: [], growth: [], writers: [], held: [] };
  const contenders = [store.ours, ...(store.raw ? [store.raw] : []), ...store.peers];
  const add = async (to: Row[], row: Promise<Row>) => {
    to.push(await row);
    tell(to.at(-1)!);
  };
  for (const work of WORKS.filter(({ name }) => name.includes(only))) {
    const runners = contenders.map((contender) => runner(contender.name, work, contender));
    await add(report.sideBySide, measure(work.name, runners, goalsOf(store, goals, work)));
  }
  for (const { name, workAt } of GROWTH.filter(({ name }) => name.includes(only))) {
    const at = (size: number) => `at ${size.toLocaleString('en')} items`;
    const runners = [LONG, SHORT].map((size) => runner(at(size), workAt(size), store.ours));
    const goal = { against: at(SHORT), names: [at(SHORT)], least: goals.growth };
    const isJudged = !(store.readsWholeRanges && workAt(LONG).kind !== 'add');
    await add(report.growth, measure(name, runners, isJudged ? [goal] : []));
  }
  if (only !== '') return report;
  for (const contender of contenders) report.writers.push(await writersAtOnce(contender));
  if (!store.isInProcess) return report;
  for (const contender of contenders) report.held.push(await heldBy(contender));
  return report;
}

function runner(name: string, work: Work, contender: Contender): Runner {
  return { name, start: () => work.start(contender) };
}

function goalsOf({ raw, peers }: Store, goals: Goals, { kind }: Work): Goal[] {
  const ofRaw = goals.raw?.[kind];
  const ofPeers = goals.peers?.[kind];
  const wanted: Goal[] = [];
  if (ofRaw !== undefined && raw) wanted.push({ against: raw.name, names: [raw.name], least: ofRaw });
  if (ofPeers !== undefined) {
    const names = peers.map(({ name }) => name);
    wanted.push({ against: 'the best peer', names, least: ofPeers });
  }
  return wanted;
}
