import type { AnySession, CompactingSession, CompactionWish } from '@sessions/conformance';
import type { OpenAIResponsesCompactionArgs } from '@sessions/core';
import { turn } from './turn.ts';

type Item = Readonly<Record<string, unknown>>;

/** The compaction that people write first, in pieces of which each can be another. */
export class NaiveCompaction {
  readonly session: AnySession;
  readonly wish: CompactionWish;

  constructor(session: AnySession, wish: CompactionWish) {
    this.session = session;
    this.wish = wish;
  }

  laid(): CompactingSession {
    const run = (args?: OpenAIResponsesCompactionArgs) => this.run(args);
    return otherwise(this.session, { runCompaction: run }) as CompactingSession;
  }

  /** Only when it is forced, and only by what is stored. */
  async run(args: OpenAIResponsesCompactionArgs = {}): Promise<{ usage: unknown } | null> {
    if (args.compactionMode === 'previous_response_id') throw new Error('There is no id.');
    return args.force ? this.compact() : null;
  }

  async compact(): Promise<{ usage: unknown } | null> {
    const items = await this.everything();
    const input = this.input(items);
    if (input.length === 0) return null;
    const { output, usage } = await this.ask({ input });
    if (output.length > 0) await this.replace(this.output(output));
    return { usage };
  }

  everything(): Promise<Item[]> {
    return this.session.getItems(Number.POSITIVE_INFINITY) as Promise<Item[]>;
  }

  /** Messages and reasoning only; no mutant of it is tried on anything else. */
  input(items: readonly Item[]): Item[] {
    const sent = items.filter((item) => item.type !== 'reasoning' || isTaken(item));
    return sent.map((item, at) => {
      if (item.type === 'reasoning') return reasoning(item);
      return sent[at - 1]?.type === 'reasoning' ? item : withoutId(item);
    });
  }

  output(items: readonly Item[]): Item[] {
    return items.map((item) => (item.role === 'assistant' ? withoutId(item) : item));
  }

  async ask(request: object): Promise<{ output: Item[]; usage: unknown }> {
    const response = await fetch(`${this.wish.baseURL}/responses/compact`, {
      method: 'POST',
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Error(`The API answered ${response.status}.`);
    const { output, usage } = (await response.json()) as { output: Item[]; usage: unknown };
    return { output: output ?? [], usage };
  }

  async replace(items: Item[]): Promise<void> {
    await this.session.replaceHistoryWithCompaction!(items);
  }
}

/** Clears first, and then writes. */
export class InTwoSteps extends NaiveCompaction {
  override async replace(items: Item[]): Promise<void> {
    await this.session.clearSession();
    await turn();
    await this.session.addItems(items);
  }
}

export function withoutId({ id, ...rest }: Item): Item {
  return rest;
}

export function reasoning({ id, content, providerData }: Item): Item {
  const encrypted = (providerData as Item | undefined)?.encrypted_content;
  return {
    type: 'reasoning',
    id,
    summary: (content as Item[]).map(({ text }) => ({ type: 'summary_text', text })),
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  };
}

export function isTaken({ id, providerData }: Item): boolean {
  return id !== undefined || (providerData as Item | undefined)?.encrypted_content !== undefined;
}

/** A session of which some methods are others. */
export function otherwise<TSession extends object>(session: TSession, changes: object): TSession {
  return new Proxy(session, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name) as unknown;
      const value: unknown = Reflect.get(target, name, target);
      // Its private fields are the object's own.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
