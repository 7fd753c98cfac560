import type { StoreGap } from '@sessions/conformance';

/** What the Conversations API has no means for, or what CONV asks for in the place of other clauses. */
const REASONS = {
  created:
    'The API creates a conversation for the first call, a read too, and gives it an id that is not the kit’s (CONV-1).',
  ids: 'The API gives its own ids: `conversationId` may be left out, and after a clear there is another conversation (CONV-1, CONV-6).',
  cleared:
    'A clear deletes the conversation, and other instances, which hold its id, then get a 404 (CONV-6).',
  steps: 'The API takes 20 items a request, so that a larger batch is not one step (CONV-4).',
  size: 'The API takes texts of up to 10 MiB; a larger item would have to be something else.',
  values:
    'The API takes JSON, and items of its own types only; the kit’s items travel as text, so that this would try nothing of the session.',
  pops: 'The API reads and deletes in two requests, so that two instances may read the same item (CONV-5).',
  requests:
    'The API has no idempotency key: its client sends again what it may have done already, and what the client throws comes through as it is (CONV-4).',
  time: 'What the client throws comes through as it is, and a write of several requests may end in the middle (CONV-4).',
  signals: 'A write of one request passes the signal on, and is not waited for (CONV-4).',
} as const;

type Clause = StoreGap['clause'];

const NO_DRIVER = '; the driver resends nothing';

/** Of single requests, those that the client does not send again, or sends again and so does twice. */
const ONE_REQUEST = [
  'addItems: a reply lost after the store applied it is found again, and nothing is done twice',
  ...['addItems', 'popItem', 'clearSession'].flatMap((call) => [
    `${call}: a reply lost after the store applied it is found again, and nothing is done twice${NO_DRIVER}`,
    `${call}: a request lost on the way is sent again${NO_DRIVER}`,
    `${call}: where the outcome stays unknown the error says so, and it is never applied twice${NO_DRIVER}`,
  ]),
];

const SEVERAL_REQUESTS = [
  'every call, under faults by chance, is done once or not at all, as it says',
  'in a storm of faults each call takes effect once, or not at all if it failed',
];

const LOST = [
  'a lost pop gives its item, though it is a large one, whichever reply is lost',
  'an append that is resent does not bring back what was cleared meanwhile',
  '40 appends whose replies are lost together are each applied once',
  'every call, when its second or third request or reply is lost or cut off, succeeds, and is done once',
  ...[
    'a request is lost',
    'a request is cut off in the middle',
    'a reply is lost',
    'a reply is cut off in the middle',
  ].flatMap((fault) => [
    `every call, when ${fault}, succeeds, and is done once`,
    `every call, when ${fault} and there is no way back, is in time done once or not at all, as it says`,
  ]),
];

export const gaps: readonly StoreGap[] = [
  ...titled('ids', 'ID-1', 'an id that is not a non-empty string is refused when the session is built'),
  ...titled('created', 'GET-1', 'a session never written to reads as empty, and reading creates nothing'),
  ...titled('ids', 'ID-2', 'the id is given back, the same everywhere and after a clear'),
  ...titled('cleared', 'ORD-1', 'of an append and a clear at once, one is wholly before the other'),
  ...titled('pops', 'ORD-1', 'what six clients see of each other has one order'),
  ...titled('steps', 'ADD-3', 'a concurrent reader never sees part of a batch'),
  ...titled(
    'steps',
    'FLT-3',
    'of a batch there is all or nothing, whichever request is the last that the writer sent',
    'of a batch there is all or nothing, whichever request is the last that the writer sent; the driver resends nothing',
  ),
  ...titled(
    'size',
    'ADD-3',
    'items of any size up to the maximum are stored',
    'a batch of the maximum size is stored whole',
  ),
  ...whole('values', 'VAL-1', 'VAL-2', 'VAL-3', 'VAL-4', 'VAL-5', 'ADD-6'),
  ...whole('pops', 'POP-2'),
  ...titled('pops', 'CLR-3', 'what several clients remove at the same time is gone from the store'),
  ...titled('requests', 'FLT-1', ...ONE_REQUEST, ...SEVERAL_REQUESTS, ...bothDrivers(LOST)),
  ...titled(
    'requests',
    'FLT-4',
    'after a reconnect the same instance goes on; the driver resends nothing',
    'every call, when the store is away for a moment, succeeds, and is done once',
  ),
  ...titled(
    'time',
    'FLT-2',
    'a store that is down makes each call reject in time, and what is reported as not done is not done; the driver resends nothing',
    'a store that was down from the start rejects in time, and is used as soon as it is there',
    ...[
      'the store is down',
      'the store hangs',
      'the store hangs from a request on',
      'the store hangs from a reply on',
      'everything arrives after its time',
    ].map((fault) => `every call, when ${fault}, is in time done once or not at all, as it says`),
  ),
  ...titled(
    'signals',
    'LIFE-4',
    'a signal that fires while the store hangs: once the call has rejected nothing lands any more',
  ),
];

function titled(reason: keyof typeof REASONS, clause: Clause, ...titles: string[]): StoreGap[] {
  return titles.map((title) => ({ clause, title, reason: REASONS[reason] }));
}

function bothDrivers(titles: readonly string[]): string[] {
  return titles.flatMap((title) => [title, title + NO_DRIVER]);
}

function whole(reason: keyof typeof REASONS, ...clauses: Clause[]): StoreGap[] {
  return clauses.map((clause) => ({ clause, reason: REASONS[reason] }));
}
