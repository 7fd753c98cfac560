import { promise } from '../case.ts';
import { same } from '../check.ts';

export const isolationCases = [
  promise(
    'ISO-1',
    'changing what was returned changes nothing stored, nor what others get',
    async (bench) => {
      const session = await bench.session();
      const original = () => ({
        role: 'user',
        content: [{ text: 'a' }],
        bytes: new Uint8Array([1]),
        at: new Date(1),
      });
      await session.addItems([original(), original()]);
      const first = (await session.getItems()) as ReturnType<typeof original>[];
      const second = (await session.getItems()) as ReturnType<typeof original>[];
      first[0]!.role = 'changed';
      first[0]!.content[0]!.text = 'changed';
      first[0]!.bytes[0] = 9;
      first[0]!.at.setTime(9);
      first.pop();
      same(second, [original(), original()], 'What another call returned before');
      same(await session.getItems(), [original(), original()], 'What the next call returns');
      const popped = (await session.popItem()) as ReturnType<typeof original>;
      popped.content.push({ text: 'changed' });
      second[0]!.content.length = 0;
      same(await session.getItems(), [original()], 'What is left after a pop');
    },
  ),

  promise('ISO-1', 'one object added twice is two items', async (bench) => {
    const session = await bench.session();
    const shared = { text: 'a' };
    await session.addItems([{ content: shared, again: shared }, { content: shared }]);
    const found = (await session.getItems()) as { content: { text: string } }[];
    found[0]!.content.text = 'changed';
    same(found[1], { content: { text: 'a' } }, 'The other item');
  }),
];
