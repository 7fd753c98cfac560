/** A session of somebody else's, with the four methods and nothing more, that can be made to fail. */
export class ForeignSession {
  items: unknown[];
  /** What happens before a call is done; throws, or waits. */
  before: (method: 'getItems' | 'addItems' | 'popItem' | 'clearSession') => unknown = () => undefined;
  readonly #window: number;

  constructor(items: unknown[] = [], window = Number.POSITIVE_INFINITY) {
    this.items = items;
    this.#window = window;
  }

  async getSessionId(): Promise<string> {
    return 'foreign';
  }

  async getItems(limit = this.#window): Promise<unknown[]> {
    await this.before('getItems');
    return structuredClone(this.items.slice(-limit));
  }

  async addItems(items: unknown[]): Promise<void> {
    await this.before('addItems');
    this.items = [...this.items, ...items];
  }

  async popItem(): Promise<unknown> {
    await this.before('popItem');
    return this.items.pop();
  }

  async clearSession(): Promise<void> {
    await this.before('clearSession');
    this.items = [];
  }
}
