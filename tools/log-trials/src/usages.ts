import type { Usage } from './months.ts';

const MINUTE = 60 * 1_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const PLAIN: Usage = {
  ttlMsOf: [undefined, undefined, undefined],
  refreshTtlOnRead: false,
  skewMs: 0,
  faults: 0.05,
  slow: 0.05,
};

const same = (ttlMs: number) => [ttlMs, ttlMs, ttlMs];

/** Ways that sessions are used. */
export const USAGES: readonly (readonly [name: string, usage: Usage])[] = [
  ['that nobody gives an end', PLAIN],
  ['that ends after minutes', { ...PLAIN, ttlMsOf: same(5 * MINUTE) }],
  [
    'that ends after hours, or after the last read',
    { ...PLAIN, ttlMsOf: same(2 * HOUR), refreshTtlOnRead: true },
  ],
  [
    'that ends after days, by clocks that differ',
    { ...PLAIN, ttlMsOf: same(3 * DAY), refreshTtlOnRead: true, skewMs: 3 * MINUTE },
  ],
  [
    'that each client gives another end',
    { ...PLAIN, ttlMsOf: [2 * HOUR, 40 * HOUR, 20 * MINUTE], refreshTtlOnRead: true },
  ],
  ['that some give an end', { ...PLAIN, ttlMsOf: [2 * HOUR, 20 * HOUR, undefined], skewMs: 2 * MINUTE }],
  [
    'that some give an end, slowly',
    { ...PLAIN, ttlMsOf: [10_000, 200_000, undefined], refreshTtlOnRead: true, slow: 0.3, faults: 0.02 },
  ],
  [
    'that one gives an end, slowly',
    { ...PLAIN, ttlMsOf: [undefined, 40 * HOUR, undefined], slow: 0.3, faults: 0.02 },
  ],
];
