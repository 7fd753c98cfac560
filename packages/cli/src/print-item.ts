import type { styleText } from 'node:util';
import { printJson } from './print-json.ts';
import { visible } from './visible.ts';

type Format = Parameters<typeof styleText>[0];

/** Colours a text, or does not. */
export type Style = (format: Format, text: string) => string;

interface Shown {
  readonly colour: Format;
  readonly title: readonly unknown[];
  readonly text: string;
}

/** Images and files in a message are told of, not shown. */
const LONGEST_STRING = 200;

const COLOURS: Readonly<Record<string, Format>> = { user: 'green', assistant: 'cyan' };

/**
 * An item for people, on a terminal: a heading, and under it, moved to the right, what was said. Nothing in the item acts on the
 * terminal, or looks like a heading.
 *
 * @param name - what the heading begins with
 */
export function printItem(item: unknown, name: string, style: Style): string {
  const { colour, title, text } = shown(item) ?? {
    colour: 'magenta',
    title: [Object(item).type ?? 'item'],
    text: printJson(item, LONGEST_STRING, 2),
  };
  const words = title.filter((word) => typeof word === 'string' && word !== '').join(' ');
  const heading = `${name}${visible(words).replace(/[\n\t]/g, ' ')}`;
  const body = visible(text.replaceAll('\r\n', '\n')).replace(/^(?=.)/gm, '  ');
  return `${style('bold', style(colour, heading))}\n${body}\n\n`;
}

/** What is known of the items of the Agents SDK, of the Responses API, and of anybody's messages. */
function shown(item: unknown): Shown | undefined {
  const fields = Object(item) as Readonly<Record<string, unknown>>;
  const { type = 'message', role, name, status } = fields;
  const call = [type, name, fields.callId ?? fields.call_id, status];
  switch (type) {
    case 'message':
      return typeof role === 'string' ? shownAs(COLOURS[role] ?? 'blue', [role], fields.content) : undefined;
    case 'reasoning':
      return shownAs('gray', [type], fields.summary ?? fields.content);
    case 'function_call':
      return shownAs('yellow', call, fields.arguments);
    case 'function_call_result':
    case 'function_call_output':
      return shownAs('yellow', call, fields.output);
    default:
      return undefined;
  }
}

function shownAs(colour: Format, title: readonly unknown[], content: unknown): Shown | undefined {
  if (typeof content === 'string') return { colour, title, text: content };
  if (typeof content !== 'object' || content === null) return undefined;
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return { colour, title, text: parts.map(partText).join('\n') };
}

function partText(part: unknown): string {
  const { text, refusal } = Object(part) as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return text;
  if (typeof refusal === 'string') return refusal;
  return printJson(part, LONGEST_STRING);
}
