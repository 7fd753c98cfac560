import { assistantMessage, functionCall } from '@openai/agents/testing';
import { expect, test } from 'vitest';
import { verdict } from '../src/verdict.ts';

const turns: Parameters<typeof verdict>[0] = [
  [
    { role: 'user', content: 'I am Ada.' },
    functionCall('weather', { city: 'Lisbon' }, { callId: 'call_1', id: 'fc_1' }),
    assistantMessage('Sunny.'),
  ],
  [{ role: 'user', content: 'Remind me.' }, assistantMessage('You are Ada, and go to Lisbon.')],
];
const stored = turns.flat().map((item) => JSON.stringify(item));

test('what the finished turns consisted of, without the ids that the runner drops, is all right', () => {
  expect(verdict(turns, stored)).toEqual([]);
  expect(verdict(turns, [stored[0]!, stored[1]!.replace('"id":"fc_1",', ''), ...stored.slice(2)])).toEqual(
    [],
  );
});

test.each([
  ['lost', stored.slice(1)],
  ['doubled', [...stored, stored[0]!]],
  ['out of order', stored.toReversed()],
  ['changed', [...stored.slice(0, -1), stored.at(-1)!.replace('Ada', 'Eve')]],
])('an item that is %s is not', (_, records) => {
  expect(verdict(turns, records)).toEqual([expect.stringContaining('stored items are not the 5')]);
});

test('an answer that has forgotten is not', () => {
  const forgetful = [turns[0]!, [...turns[1]!.slice(0, 1), assistantMessage('Who are you?')]];
  const problems = verdict(
    forgetful,
    forgetful.flat().map((item) => JSON.stringify(item)),
  );
  expect(problems).toEqual([expect.stringContaining('the last answer does not know')]);
});

test('a turn that is missing is not', () => {
  expect(verdict(turns.slice(1), stored.slice(3))).toEqual(['1 turns were finished instead of 2']);
});
