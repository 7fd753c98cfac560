import type { AnySession } from '../../adapter.ts';
import { USAGE } from '../../apis/compaction-api.ts';
import type { ConformanceCase } from '../../case.ts';
import { failure, same } from '../../check.ts';
import { compacts, FORCED, history } from './compacting.ts';
import { asks, says, thinks, turns, wordsOf } from './compaction-items.ts';

/** What is sent and what is returned (CMP-5, CMP-6). */
export const requestCases: ConformanceCase[] = [
  ...(
    [
      ['a pop', (session: AnySession) => session.popItem()],
      ['a clear', (session: AnySession) => session.clearSession()],
    ] as const
  ).map(([name, act]) =>
    compacts('CMP-5', `${name} makes it forget the last response`, async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(3));
      same(await session.runCompaction({ responseId: 'r' }), null, 'Not due');
      await act(session);
      await session.addItems(turns(3));
      await session.runCompaction(FORCED);
      const [request] = api.requests;
      same(request?.previous_response_id, undefined, 'It does not go by what was taken away');
      same(wordsOf(request?.input).slice(-6), wordsOf(turns(3)), 'What is stored is sent');
      await failure(
        session.runCompaction({ compactionMode: 'previous_response_id', ...FORCED }),
        'There is no id any more',
      );
    }),
  ),

  compacts(
    'CMP-5',
    'reasoning with an id or encrypted content is sent, and none with neither',
    async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems([
        asks('q0'),
        thinks({ id: 'rs_1' }),
        says('a0', { id: 'msg_1' }),
        asks('q1'),
        thinks({ providerData: { encrypted_content: 'sealed' } }),
        says('a1', { id: 'msg_2' }),
        asks('q2'),
        thinks({}),
        says('a2', { id: 'msg_3' }),
      ]);
      await session.runCompaction(FORCED);
      const input = api.requests[0]?.input ?? [];
      same(
        wordsOf(input),
        ['asks q0', 'thinks rs_1', 'says a0', 'asks q1', 'thinks anew', 'says a1', 'asks q2', 'says a2'],
        'What is sent',
      );
      const ids = input.filter(({ role }) => role === 'assistant').map(({ id }) => id);
      same(ids, ['msg_1', 'msg_2', undefined], 'What lost its reasoning loses its id, and nothing else does');
    },
  ),

  compacts('CMP-5', 'nothing is sent where nothing is left to be sent', async (bench) => {
    for (const items of [[], [thinks({})]]) {
      const { session, api } = await bench.compacting();
      await session.addItems(items);
      same(await session.runCompaction(FORCED), null, 'Skipped');
      same(api.requests.length, 0, 'No request is made');
      same(await history(session), wordsOf(items), 'Unchanged');
    }
  }),

  compacts(
    'CMP-5',
    'of what the API gives, messages without their reasoning are stored without their id',
    async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(3));
      const content = [{ type: 'output_text', text: 'kept', annotations: [] }];
      const output = [
        { id: 'msg_9', type: 'message', role: 'assistant', status: 'completed', content },
        { id: 'cmp_9', type: 'compaction', encrypted_content: 'sealed' },
      ];
      api.answer = () => ({ status: 200, body: { id: 'r', output, usage: USAGE } });
      await session.runCompaction(FORCED);
      same(await history(session), ['says kept', 'compaction sealed'], 'What is stored');
      const [message] = (await session.getItems()) as { id?: unknown }[];
      same(message?.id, undefined, 'The id');
    },
  ),

  compacts('CMP-6', 'it returns what was used, and null when it was not due', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(3));
    same(await session.runCompaction(), null, 'Not due');
    const result = await session.runCompaction(FORCED);
    const numbers = JSON.stringify(result?.usage ?? null).match(/\d+/g) ?? [];
    same(numbers.map(Number).sort(), [5, 17, 83, 901, 984].sort(), 'All the numbers that the API gave');
    same(api.requests.length, 1, 'One request is made');
  }),
];
