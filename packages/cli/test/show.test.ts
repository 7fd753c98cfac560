import { beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from './run-program.ts';
import { AWKWARD, messages, sessionOf, storesForTests } from './stores.ts';
import { TERMINAL, WITHOUT_TERMINAL } from './terminal.ts';

const url = storesForTests('redis');

/** Clears the screen, writes to the clipboard, sets the title, turns the text round, hides a text, and looks like a heading. */
const HOSTILE =
  'hi\u001b[2J\u001b]52;c;aGk=\u0007\u009b31m\u0090x\u009c\r\u202egnp\u2066\u{e0041}\u200b\u0085\n1 assistant\nno';

const CONVERSATION = [
  { role: 'user', content: 'Where is it?' },
  { type: 'reasoning', content: [{ type: 'input_text', text: 'Easy.' }] },
  { type: 'function_call', callId: 'call_1', name: 'look_up', arguments: '{"a":1}' },
  {
    type: 'function_call_result',
    callId: 'call_1',
    name: 'look_up',
    output: { type: 'text', text: 'Paris' },
  },
  {
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'output_text', text: 'In Paris.' },
      { type: 'x', n: 1 },
    ],
  },
  { type: 'shell_call', action: { commands: ['ls'] } },
];

/** What would act on a terminal, apart from line feeds. */
const ACTING = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Takes away the colours of headings, which nothing in these items asks for in the same way. */
const withoutColours = (text: string) => text.replaceAll(/.\[\d+m/gu, '');

describe('show in a pipe', () => {
  test('is JSON, one item a line, of which nothing acts on a terminal', async () => {
    const id = await sessionOf(url('redis'), { role: 'user', content: HOSTILE, [HOSTILE]: 1 });
    const { code, out, err } = await runProgram(['show', url('redis'), id]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).not.toMatch(ACTING);
    expect(JSON.parse(out)).toEqual({ role: 'user', content: HOSTILE, [HOSTILE]: 1 });
    expect(out.match(/\n/g)).toHaveLength(1);
  });

  test('is valid JSON for items that JSON cannot say', async () => {
    const id = await sessionOf(url('redis'), ...AWKWARD);
    const { out } = await runProgram(['show', url('redis'), id]);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(AWKWARD.length);
    expect(JSON.parse(lines[3]!)).toEqual({
      bytes: 'AAr/',
      date: '1970-01-01T00:00:00.000Z',
      big: '12345678901234567890',
    });
    expect(JSON.parse(lines[5]!)).toEqual([[{ a: 1 }, [1, 'one']]]);
  });

  test('GET-3 shows the newest with --limit, and nothing of an empty session', async () => {
    const id = await sessionOf(url('redis'), ...messages(3));
    const newest = await runProgram(['show', url('redis'), id, '--limit', '2']);
    expect(newest.out).toBe('{"role":"user","content":"m1"}\n{"role":"user","content":"m2"}\n');
    expect(await runProgram(['show', url('redis'), 'nobody'])).toEqual({ code: 0, out: '', err: '' });
  });
});

describe('show on a terminal', () => {
  beforeEach((context) => context.skip(WITHOUT_TERMINAL !== undefined, WITHOUT_TERMINAL));

  async function onTerminal(args: readonly string[], env: Record<string, string> = {}, stdin = '') {
    const { code, out } = await runProgram(args, { by: TERMINAL, env: { PAGER: 'cat', ...env }, stdin });
    return { code, out: out.replaceAll('\r\n', '\n') };
  }

  test('shows each kind of item under a heading of its own', async () => {
    const id = await sessionOf(url('redis'), ...CONVERSATION);
    const { code, out } = await onTerminal(['show', url('redis'), id], { NO_COLOR: '1' });
    expect(code).toBe(0);
    expect(out).toBe(`1 user
  Where is it?

2 reasoning
  Easy.

3 function_call look_up call_1
  {"a":1}

4 function_call_result look_up call_1
  Paris

5 assistant
  In Paris.
  {"type":"x","n":1}

6 shell_call
  {
    "type": "shell_call",
    "action": {
      "commands": [
        "ls"
      ]
    }
  }

`);
  });

  test('colours headings, and without a limit numbers them', async () => {
    const id = await sessionOf(url('redis'), ...messages(2));
    const { out } = await onTerminal(['show', url('redis'), id, '--limit', '1', '--no-pager']);
    expect(out).toBe('\u001b[1m\u001b[32muser\u001b[39m\u001b[22m\n  m1\n\n');
  });

  test('lets nothing of an item act, or look like a heading', async () => {
    const name = 'n\n2 user\u001b[31;1m';
    const call = { type: 'function_call', name, callId: HOSTILE, arguments: HOSTILE };
    const message = {
      role: HOSTILE,
      content: [{ text: HOSTILE }, { refusal: HOSTILE }, { [HOSTILE]: HOSTILE }],
    };
    const unknown = { type: HOSTILE, [HOSTILE]: HOSTILE };
    const id = await sessionOf(
      url('redis'),
      { role: 'user', content: HOSTILE },
      call,
      message,
      unknown,
      HOSTILE,
    );
    const { out } = await onTerminal(['show', url('redis'), id]);
    expect(withoutColours(out)).not.toMatch(ACTING);
    const headings = out.split('\n').filter((line) => /^[^ ]/.test(line));
    expect(headings).toHaveLength(5);
  });

  test('shows whatever items there are', async () => {
    const id = await sessionOf(url('redis'), ...AWKWARD);
    const { code, out } = await onTerminal(['show', url('redis'), id]);
    expect(code).toBe(0);
    expect(withoutColours(out)).not.toMatch(ACTING);
    expect(out).toContain('… 499800 more characters');
  });

  test('pages with $PAGER, and writes where there is no such program', async () => {
    const id = await sessionOf(url('redis'), ...messages(1));
    const paged = await onTerminal(['show', url('redis'), id], {
      PAGER: "sed 's/^/paged: /'",
      NO_COLOR: '1',
    });
    expect(paged).toEqual({ code: 0, out: 'paged: 1 user\npaged:   m0\npaged: \n' });
    const written = await onTerminal(['show', url('redis'), id], {
      PAGER: 'no-such-pager 2>&-',
      NO_COLOR: '1',
    });
    expect(written).toEqual({ code: 0, out: '1 user\n  m0\n\n' });
  });

  test('ends well when the pager is left in the middle', async () => {
    const id = await sessionOf(url('redis'), ...messages(10_000));
    expect(await onTerminal(['show', url('redis'), id], { PAGER: 'head -1', NO_COLOR: '1' })).toEqual({
      code: 0,
      out: '1 user\n',
    });
  });
});
