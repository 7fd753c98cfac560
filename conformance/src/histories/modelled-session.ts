import { stringify } from 'fast-check';
import type { AnySession } from '../adapter.ts';
import { GivenUp } from '../blame.ts';
import { copy } from '../own-realm.ts';
import { arrayOf, type Batch, sourceOf } from './batch.ts';
import { HistoryModel } from './model.ts';
import { type Expected, expected } from './outcome.ts';
import { spoil } from './spoil.ts';
import type { BasicCall, Call } from './step.ts';
import { twistSuffix } from './suffix.ts';
import { argsOf, rephrased, sourceOfTransaction, type Transaction } from './transaction.ts';

/** A call that is ready to be made, after the model has made it. */
export interface PreparedCall {
  /** As it would be written in code. */
  readonly source: string;
  readonly expected: Expected;
  make(session: AnySession): Promise<unknown>;
}

/** One session as the model has it, with what it takes to say later calls relative to earlier ones. */
export class ModelledSession {
  readonly #sessionId: string;
  readonly #model = new HistoryModel();
  /** Every transaction so far that could have been stored, applied or not. */
  readonly #sent: Transaction[] = [];

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /**
   * The model makes the call.
   *
   * @returns `undefined` if there is nothing yet that the call is relative to
   */
  prepare(call: Call): PreparedCall | undefined {
    const model = this.#model;
    switch (call.call) {
      case 'addItems':
        return {
          source: `addItems(${sourceOf(call.batch)})`,
          expected: written(call.batch, () => model.addItems(call.batch.items)),
          make: (session) => giving(call.batch, arrayOf(call.batch), (items) => session.addItems(items)),
        };
      case 'getItems':
        return {
          source: `getItems(${call.limit === undefined ? '' : stringify(call.limit)})`,
          expected: expected('returns', () => model.getItems(call.limit)),
          make: (session) => session.getItems(call.limit),
        };
      case 'popItem':
        return {
          source: 'popItem()',
          expected: expected('returns', () => model.popItem()),
          make: (session) => session.popItem(),
        };
      case 'clearSession':
        return {
          source: 'clearSession()',
          expected: expected('succeeds', () => model.clearSession()),
          make: (session) => session.clearSession(),
        };
      case 'getSessionId':
        return {
          source: 'getSessionId()',
          expected: { kind: 'returns', value: this.#sessionId },
          make: (session) => session.getSessionId(),
        };
      case 'append':
        return this.#transact({ ...call, suffix: undefined });
      case 'replaceSuffix':
        return this.#transact({ ...call, suffix: twistSuffix(model.getItems(call.count), call.twist) });
      case 'repeatTransaction': {
        const sent = this.#earlier(call.which);
        return sent && this.#transact(rephrased(sent));
      }
      case 'reuseOperationId': {
        const sent = this.#earlier(call.which);
        return sent && this.#transact({ ...call, operationId: sent.operationId, suffix: undefined });
      }
      case 'rewriteCalls': {
        const args = { mutations: [...call.mutations] };
        return {
          source: `applyHistoryMutations(${stringify(args)})`,
          expected: expected('succeeds', () => model.applyHistoryMutations(args.mutations)),
          make: (session) => {
            return giving(undefined, copy(args), (given) => session.applyHistoryMutations!(given));
          },
        };
      }
      case 'compact':
        return {
          source: `replaceHistoryWithCompaction(${sourceOf(call.batch)})`,
          expected: written(call.batch, () => model.replaceHistoryWithCompaction(call.batch.items)),
          make: (session) => {
            return giving(call.batch, arrayOf(call.batch), (items) =>
              session.replaceHistoryWithCompaction!(items),
            );
          },
        };
    }
  }

  #transact(transaction: Transaction): PreparedCall {
    const { batch, operationId } = transaction;
    if (!batch.refused) this.#sent.push(transaction);
    return {
      source: `applyHistoryTransaction(${sourceOfTransaction(transaction)})`,
      expected: written(batch, () => {
        return this.#model.applyHistoryTransaction(operationId, argsOf(transaction).transaction);
      }),
      make: (session) => {
        return giving(batch, argsOf(transaction), (args) => session.applyHistoryTransaction!(args));
      },
    };
  }

  #earlier(which: number): Transaction | undefined {
    return this.#sent[which % this.#sent.length];
  }
}

/** The call with a signal that has fired, of which the model knows nothing. */
export function prepareAborted(call: BasicCall): PreparedCall {
  const reason = new GivenUp('given up before it began');
  const options = { signal: AbortSignal.abort(reason) };
  const wanted = { kind: 'throws', reason } as const;
  switch (call.call) {
    case 'addItems':
      return {
        source: `addItems(${sourceOf(call.batch)}, { signal: AbortSignal.abort() })`,
        expected: wanted,
        make: (session) => session.addItems(arrayOf(call.batch), options),
      };
    case 'getItems':
      return {
        source: `getItems(${stringify(call.limit)}, { signal: AbortSignal.abort() })`,
        expected: wanted,
        make: (session) => session.getItems(call.limit, options),
      };
    case 'popItem':
      return {
        source: 'popItem({ signal: AbortSignal.abort() })',
        expected: wanted,
        make: (session) => session.popItem(options),
      };
    case 'clearSession':
      return {
        source: 'clearSession({ signal: AbortSignal.abort() })',
        expected: wanted,
        make: (session) => session.clearSession(options),
      };
  }
}

/** What a write comes to: refused if an item is, whatever the history. */
function written({ refused }: Batch, apply: () => void): Expected {
  if (refused) return { kind: 'refuses', code: 'INVALID_ITEM' };
  return expected('succeeds', apply);
}

/** Gives arguments to a call, and changes them as soon as it has been made. */
function giving<T>(
  batch: Batch | undefined,
  given: T,
  call: (given: T) => Promise<unknown>,
): Promise<unknown> {
  const running = call(given);
  // What is refused anyway may be anything, a cycle too.
  if (!batch?.refused) spoil(given);
  return running;
}
