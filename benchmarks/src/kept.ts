import type { Contender, Conversation } from './contender.ts';
import { messages } from './items.ts';

/** Conversations that are measured more than once, by how long they are: the long ones take seconds to fill. */
const shelf = new WeakMap<Contender, Map<number, Promise<Kept>>>();

/** A conversation that stays about as long as it was. */
export class Kept {
  readonly #contender: Contender;
  readonly #size: number;
  readonly #most: number;
  #conversation: Conversation;
  #grown = 0;

  private constructor(contender: Contender, size: number, most: number, conversation: Conversation) {
    this.#contender = contender;
    this.#size = size;
    this.#most = most;
    this.#conversation = conversation;
  }

  /** @param most - how many more items there may be, before it begins anew */
  static async begin(contender: Contender, size: number, most = size / 4): Promise<Kept> {
    return new Kept(contender, size, most, await contender.begin(messages(size)));
  }

  /** One of a contender's that holds so many items, up to a quarter more, of which there is only one. */
  static of(contender: Contender, size: number): Promise<Kept> {
    const kept = shelf.get(contender) ?? new Map<number, Promise<Kept>>();
    shelf.set(contender, kept);
    const found = kept.get(size) ?? Kept.begin(contender, size);
    kept.set(size, found);
    return found;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Before so many items are added: begins anew where it has grown too long. */
  async grow(by: number): Promise<void> {
    if (this.#grown > this.#most) {
      this.#conversation = await this.#contender.begin(messages(this.#size));
      this.#grown = 0;
    }
    this.#grown += by;
  }
}
