import type { HistoryMutation } from '@sessions/core';
import { type ConformanceCase, promise } from '../case.ts';
import { refused, same } from '../check.ts';
import { callAndOutput, message, messages } from '../items.ts';

function call(
  callId: string,
  args: string,
): { type: 'function_call'; callId: string; name: string; arguments: string } {
  return { type: 'function_call', callId, name: 'look', arguments: args };
}

function replaceCall(callId: string, replacement: unknown): HistoryMutation<unknown> {
  return { type: 'replace_function_call', callId, replacement: replacement as never };
}

export const rewriteCases: ConformanceCase[] = [
  promise(
    'RWR-1',
    'the first call with the id is replaced in place, later duplicates go, all else stays',
    async (bench) => {
      const session = await bench.session();
      const [one, outputOne] = callAndOutput('1');
      const [two, outputTwo] = callAndOutput('2');
      await session.addItems([message(0), two, one, outputOne, two, message(1), outputTwo, two, message(1)]);
      const changed = call('2', '{"changed":true}');
      await session.applyHistoryMutations!({ mutations: [replaceCall('2', changed)] });
      const wanted = [message(0), changed, one, outputOne, message(1), outputTwo, message(1)];
      same(await session.getItems(), wanted, 'In place, once');
      await session.applyHistoryMutations!({
        mutations: [replaceCall('unknown', changed), replaceCall('3', changed)],
      });
      same(await session.getItems(), wanted, 'Unknown ids change nothing');
      await session.applyHistoryMutations!({ mutations: [] });
      same(await session.getItems(), wanted, 'No mutation changes nothing');
      const [first, second] = [call('1', '{"a":1}'), call('2', '{"b":2}')];
      await session.applyHistoryMutations!({
        mutations: [replaceCall('1', first), replaceCall('2', second)],
      });
      same(
        await session.getItems(),
        wanted.map((item) => (item === one ? first : item === changed ? second : item)),
        'Two',
      );
    },
    'rewrites',
  ),

  promise(
    'RWR-1',
    'only calls are replaced, and rich values and damaged records around them stay',
    async (bench) => {
      const session = await bench.session();
      const [one, output] = callAndOutput('1');
      const rich = { bytes: new Uint8Array([1]), zero: -0 };
      await session.addItems([rich, one]);
      await bench.backdoor.plant(session.sessionId, 'damaged');
      await session.addItems([output, rich]);
      const before = await bench.backdoor.records(session.sessionId);
      const changed = call('1', '{}');
      await session.applyHistoryMutations!({ mutations: [replaceCall('1', changed)] });
      same(await session.getItems(), [rich, changed, output, rich], 'The call alone');
      const after = await bench.backdoor.records(session.sessionId);
      same(
        after.filter((_, at) => at !== 1),
        before.filter((_, at) => at !== 1),
        'All else is stored as it was',
      );
    },
    'rewrites',
    'plant',
    'records',
  ),

  promise(
    'RWR-1',
    'a rewrite is atomic: nothing that others write meanwhile is lost',
    async (bench) => {
      const first = await bench.session();
      const other = await bench.elsewhere(first);
      const [one] = callAndOutput('1');
      await first.addItems([one, ...messages(0, 20)]);
      const rewriting = Promise.all(
        Array.from({ length: 10 }, (_, at) => {
          return first.applyHistoryMutations!({ mutations: [replaceCall('1', call('1', String(at)))] });
        }),
      );
      const adding = (async () => {
        for (let at = 20; at < 50; at++) await other.addItems([message(at)]);
      })();
      await Promise.all([rewriting, adding]);
      same(
        await first.getItems(),
        [call('1', '9'), ...messages(0, 50)],
        'The last rewrite, and every append',
      );
    },
    'rewrites',
  ),

  promise(
    'RWR-1',
    'malformed mutations are refused before any change',
    async (bench) => {
      const session = await bench.session();
      const [one] = callAndOutput('1');
      await session.addItems([one]);
      const good = call('1', '{}');
      const malformed: unknown[] = [
        undefined,
        {},
        { mutations: 'no' },
        { mutations: [null] },
        { mutations: [{ type: 'unknown', callId: '1', replacement: good }] },
        { mutations: [{ type: 'replace_function_call', callId: 1, replacement: good }] },
        { mutations: [replaceCall('1', good), replaceCall('1', message(0))] },
      ];
      for (const args of malformed) {
        await refused(session.applyHistoryMutations!(args as never), 'INVALID_ARGUMENT', 'Malformed');
      }
      const bad = { ...good, arguments: () => 1 };
      await refused(
        session.applyHistoryMutations!({ mutations: [replaceCall('1', bad)] }),
        'INVALID_ITEM',
        'Not data',
      );
      same(await session.getItems(), [one], 'Nothing was changed');
    },
    'rewrites',
  ),

  {
    ...promise('RWR-1', 'an adapter without rewrites does not have the method', async (bench) => {
      same('applyHistoryMutations' in (await bench.session()), false, 'No stub');
    }),
    without: 'rewrites',
  },
];
