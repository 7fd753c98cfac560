import { escapeId } from '@sessions/core/store';
import type { Collection } from 'mongodb';
import { prefixOf, type RowDocument } from '../src/row.ts';

interface Head {
  readonly id: string;
  readonly under: [seq: number, keep: number];
  readonly endsAt?: number;
  readonly parts?: [life: number, name: string, ...counts: number[]];
  readonly continues?: true;
}

/** An event as it is stored. */
interface StoredEvent {
  readonly document: RowDocument;
  readonly seq: number;
  readonly head: Head;
  readonly size: number;
}

/** A session's documents, read without the adapter. */
export class Stored {
  readonly #collection: Collection<RowDocument>;
  readonly #prefix: string;

  constructor(collection: Collection<RowDocument>, sessionId: string) {
    this.#collection = collection;
    this.#prefix = prefixOf(sessionId);
  }

  async documents(): Promise<RowDocument[]> {
    // `0` comes after `/`, with which the prefix ends.
    const range = { $gte: this.#prefix, $lt: `${this.#prefix.slice(0, -1)}0` };
    return this.#collection.find({ _id: range }).sort({ _id: 1 }).toArray();
  }

  /** The stored texts of the items, oldest first. */
  async records(): Promise<string[]> {
    const documents = await this.documents();
    const events = this.#eventsOf(documents);
    const tail = events.at(-1);
    const records: string[] = [];
    let [seq, keep] = tail ? (tail.size > 0 ? [tail.seq, tail.size] : tail.head.under) : [0, 0];
    while (seq > 0) {
      const event = events.find((one) => one.seq === seq)!;
      records.unshift(...this.#recordsOf(event, documents).slice(0, keep));
      [seq, keep] = event.head.under;
    }
    return records;
  }

  /** Appends an event of one record, as a writer of another kind may have. */
  async plant(record: string): Promise<void> {
    const { document, seq, head, size } = this.#eventsOf(await this.documents()).at(-1)!;
    const { parts: _, ...rest } = head;
    const planted = { ...rest, id: crypto.randomUUID(), under: size > 0 ? [seq, size] : head.under };
    await this.#collection.insertOne({
      ...document,
      _id: `${this.#prefix}e${String(seq + 1).padStart(15, '0')}`,
      rev: 0,
      head: JSON.stringify(planted),
      texts: [record],
    });
  }

  /** Milliseconds until a reader takes each of the documents for gone, but never later than the server removes it. */
  async lifetimes(): Promise<number[]> {
    const documents = await this.documents();
    const ends = this.#eventsOf(documents).at(-1)?.head.endsAt ?? Number.POSITIVE_INFINITY;
    return documents.map(({ removeAt }) => {
      if (!removeAt) return Number.POSITIVE_INFINITY;
      return Math.min(ends, removeAt.getTime()) - Date.now();
    });
  }

  #eventsOf(documents: readonly RowDocument[]): StoredEvent[] {
    return documents
      .filter(({ _id }) => _id.startsWith(`${this.#prefix}e`))
      .map((document) => {
        const head = JSON.parse(document.head) as Head;
        const counts = (head.parts?.slice(2) ?? []) as number[];
        const size = head.parts ? counts.reduce((sum, count) => sum + count, 0) : document.texts.length;
        return { document, seq: Number(document._id.slice(this.#prefix.length + 1)), head, size };
      });
  }

  #recordsOf({ document, head }: StoredEvent, documents: readonly RowDocument[]): string[] {
    if (!head.parts) return [...document.texts];
    const name = `.${escapeId(head.parts[1])}.`;
    const records: string[] = [];
    for (const part of documents) {
      if (!part._id.startsWith(`${this.#prefix}p`) || !part._id.includes(name)) continue;
      const continues = (JSON.parse(part.head) as Head).continues === true;
      part.texts.forEach((text, at) => {
        if (at === 0 && continues) records.push((records.pop() ?? '') + text);
        else records.push(text);
      });
    }
    return records;
  }
}
