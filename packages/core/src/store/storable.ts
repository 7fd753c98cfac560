import { SessionError } from '../errors.ts';
import { itemTooLarge, MAX_DEPTH, MAX_ITEM_BYTES } from './limits.ts';

/** What it takes to store a value: JSON says it all, or it needs the richer form (VAL-1, VAL-2). */
export type Form = 'json' | 'rich';

/**
 * Checks in one pass, and without running any code of the caller's, that an item is plain data (VAL-3).
 *
 * After it, writing the item down is a snapshot: no accessor, proxy or `toJSON` can answer differently.
 *
 * @param item - anything at all
 * @param index - the item's place in its batch, for the error
 * @throws SessionError `INVALID_ITEM` with index and path, `ITEM_TOO_LARGE` for what cannot possibly fit,
 *   though it be small in memory, as an object that is shared a million times is
 */
export function checkStorable(item: unknown, index: number): Form {
  const walk = new Walk(index);
  if (item === undefined) walk.refuse('undefined is not an item');
  walk.value(item);
  if (isProxy === undefined) walk.refuseProxies(item);
  return walk.form;
}

/** Node, Deno and Bun can tell a proxy; elsewhere only structured clone refuses one. */
const isProxy = (
  globalThis as {
    process?: { getBuiltinModule?: (name: 'util') => { types: { isProxy(value: unknown): boolean } } };
  }
).process?.getBuiltinModule?.('util').types.isProxy;

/** What the constructors of all typed arrays inherit from. */
const TypedArray = Object.getPrototypeOf(Uint8Array) as Kind;

/**
 * Built-in kinds of objects that are data, by the engine's own answers, which no object can forge and which hold for objects of
 * other realms too.
 */
const KINDS: readonly (readonly [Kind, Getter])[] = [
  [Date, Date.prototype.getTime],
  [Map, getterOf(Map, 'size')],
  [Set, getterOf(Set, 'size')],
  [ArrayBuffer, getterOf(ArrayBuffer, 'byteLength')],
  [DataView, getterOf(DataView, 'byteLength')],
];

const kindOfArray = getterOf(TypedArray, Symbol.toStringTag);

/** What else an object without a prototype may be. */
const OTHERS = [
  kindOfArray,
  ...[Number, String, Boolean, BigInt, Symbol].map(({ prototype }) => prototype.valueOf),
];

const isDetached = getterOf(ArrayBuffer, 'detached');

const partOf = {
  buffer: getterOf(TypedArray, 'buffer'),
  byteOffset: getterOf(TypedArray, 'byteOffset'),
  byteLength: getterOf(TypedArray, 'byteLength'),
  length: getterOf(TypedArray, 'length'),
};

const NOT_DATA = 'an instance of a class is not data';

const MAX_BIGINT_BITS = 1_000_000;

/** From this size on, what is shared is walked once only; few items come so far, and looking back costs. */
const SHARED_FROM = 64 * 1024;

class Walk {
  form: Form = 'json';
  readonly #index: number;
  readonly #path: (string | number)[] = [];
  /** How much an object adds, wherever else it is shared. */
  #met: Map<object, { readonly size: number; readonly height: number }> | undefined;
  readonly #ancestors: object[] = [];
  /** The deepest level below the object that the walk is in, where that is counted. */
  #deepest = 0;
  /** A lower bound of the stored text's length. */
  #size = 0;

  constructor(index: number) {
    this.#index = index;
  }

  value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        // Also an empty one is something, or what is shared might be there without end.
        this.#grow(value.length + 1);
        return;
      case 'number':
        if (!Number.isFinite(value) || Object.is(value, -0)) this.form = 'rich';
        break;
      case 'boolean':
        break;
      case 'bigint':
        // Writing out longer ones takes the engine seconds.
        if (BigInt.asIntN(MAX_BIGINT_BITS, value) !== value) throw itemTooLarge(this.#index);
        this.form = 'rich';
        break;
      case 'undefined':
        this.form = 'rich';
        break;
      case 'object':
        if (value !== null) {
          this.#object(value);
          return;
        }
        break;
      default:
        this.refuse(`a ${typeof value} is not data`);
    }
    this.#grow(1);
  }

  refuse(why: string): never {
    const path = pathText(this.#path);
    throw new SessionError('INVALID_ITEM', {
      message: `Item ${this.#index} cannot be stored: ${why}${path && ` (at ${path})`}. Nothing was written.`,
      index: this.#index,
      path,
    });
  }

  refuseProxies(item: unknown): void {
    try {
      structuredClone(item);
    } catch {
      this.refuse('it holds a proxy');
    }
  }

  #object(value: object): void {
    if (isProxy?.(value)) this.refuse('a proxy is not data');
    // Items are shallow, so that this is cheaper than a set.
    if (this.#ancestors.includes(value)) this.refuse('it holds itself');
    this.#ancestors.push(value);
    this.#checkDepth(this.#ancestors.length);
    if (this.#size < SHARED_FROM) this.#inside(value);
    else this.#insideOnce(value);
    this.#ancestors.pop();
  }

  /** What is shared at each of 40 levels is there a million million times, and need not be walked as often. */
  #insideOnce(value: object): void {
    const above = this.#deepest;
    this.#met ??= new Map();
    const met = this.#met.get(value);
    if (met) {
      this.#grow(met.size);
      this.#deepest = this.#ancestors.length + met.height;
      this.#checkDepth(this.#deepest);
    } else {
      const before = this.#size;
      this.#deepest = this.#ancestors.length;
      this.#inside(value);
      this.#met.set(value, { size: this.#size - before, height: this.#deepest - this.#ancestors.length });
    }
    this.#deepest = Math.max(above, this.#deepest);
  }

  #checkDepth(depth: number): void {
    if (depth > MAX_DEPTH) this.refuse(`it nests deeper than ${MAX_DEPTH} levels`);
  }

  #inside(value: object): void {
    this.#grow(2);
    if (Array.isArray(value)) this.#array(value);
    else if (isPlain(value)) this.#named(value);
    else this.#builtIn(value);
  }

  #array(array: unknown[]): void {
    if (!isThatOf(Object.getPrototypeOf(array), Array.prototype)) this.refuse(NOT_DATA);
    // So that an array which cannot fit is not asked for more keys than the engine can list.
    if (array.length * 2 + 1 > MAX_ITEM_BYTES) throw itemTooLarge(this.#index);
    // The indexes come first, in order, then `length`, then anything else.
    const keys = Reflect.ownKeys(array);
    if (keys.length !== array.length + 1) this.refuse('an array with holes or named properties is not data');
    for (let at = 0; at < array.length; at++) {
      this.#path.push(at);
      this.value(this.#property(array, keys[at]!));
      this.#path.pop();
    }
  }

  #named(owner: object): void {
    for (const key of Object.getOwnPropertyNames(owner)) {
      this.#path.push(key);
      const value = this.#property(owner, key);
      if (value !== undefined) this.value(value);
      this.#grow(key.length);
      this.#path.pop();
    }
    // Names and symbols apart are several times faster than all keys at once.
    if (Object.getOwnPropertySymbols(owner).length > 0)
      this.refuse('a property named by a symbol cannot be kept');
  }

  #property(owner: object, key: string | symbol): unknown {
    const property = Object.getOwnPropertyDescriptor(owner, key);
    if (!property || !('value' in property)) this.refuse('an accessor is not data');
    if (!property.enumerable) this.refuse('a hidden property cannot be kept');
    return property.value;
  }

  #builtIn(value: object): void {
    this.form = 'rich';
    const prototype = Object.getPrototypeOf(value) as object;
    if (has(kindOfArray, value)) {
      const name = kindOfArray.call(value) as string;
      // Not every supported platform can read them back.
      if (name === 'Float16Array') this.refuse('an array of half floats cannot be kept');
      const own = (globalThis as unknown as Record<string, Kind>)[name]!;
      if (!isThatOf(prototype, own.prototype) && !isNodeBuffer(value)) this.refuse(NOT_DATA);
      this.#bytes(partOf.buffer.call(value) as ArrayBuffer, partOf.byteLength.call(value) as number);
      return;
    }
    const kind = kindOf(value);
    if (!kind || !isThatOf(prototype, kind.prototype)) this.refuse(NOT_DATA);
    if (Reflect.ownKeys(value).length > 0) this.refuse('a named property on it cannot be kept');
    if (kind === ArrayBuffer || kind === DataView) {
      const { buffer, byteLength } = value as DataView;
      this.#bytes(kind === DataView ? buffer : (value as ArrayBuffer), byteLength);
    } else if (kind !== Date) {
      let at = 0;
      for (const entry of value as Iterable<unknown>) {
        this.#path.push(at++);
        if (kind === Set) this.value(entry);
        else for (const part of entry as [unknown, unknown]) this.value(part);
        this.#path.pop();
      }
    }
  }

  #bytes(buffer: ArrayBufferLike, length: number): void {
    if (has(isDetached, buffer) && isDetached.call(buffer)) this.refuse('its bytes were transferred');
    this.#grow(length);
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > MAX_ITEM_BYTES) throw itemTooLarge(this.#index);
  }
}

/** A constructor, of which the prototype is what counts. */
interface Kind {
  readonly prototype: object;
}

// biome-ignore lint/suspicious/noExplicitAny: the engine's getters are called with whatever there is, which is the point
type Getter = (this: any) => any;

/** The getter, for {@link has}: where an engine does not know it, no object has it. */
function getterOf({ prototype }: Kind, name: string | symbol): Getter {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get as Getter;
}

function has(brand: Getter, value: object): boolean {
  try {
    return brand.call(value) !== undefined;
  } catch {
    return false;
  }
}

/** Where the bytes of a checked view are, by the engine's own account: properties of the caller's may hide it. */
export function visiblePart(view: ArrayBufferView) {
  const { buffer, byteOffset, byteLength, length } = partOf;
  if (!has(length, view)) {
    // A checked DataView has no properties of its own, and its length is in bytes.
    return {
      buffer: view.buffer as ArrayBuffer,
      byteOffset: view.byteOffset,
      byteLength: view.byteLength,
      length: view.byteLength,
    };
  }
  return {
    buffer: buffer.call(view) as ArrayBuffer,
    byteOffset: byteOffset.call(view) as number,
    byteLength: byteLength.call(view) as number,
    length: length.call(view) as number,
  };
}

/** A literal's prototype, of this realm or another, or none, with nothing behind it. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype !== null) return isThatOf(prototype, Object.prototype);
  const isRaw = (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON?.(value);
  return !isRaw && !kindOf(value) && !OTHERS.some((brand) => has(brand, value));
}

/** The constructor of a built-in object, by what the engine says of it. */
function kindOf(value: object): Kind | undefined {
  return KINDS.find(([, brand]) => has(brand, value))?.[0];
}

/** Whether a prototype is a built-in one, or the same of another realm: with all that it has, and nothing else. */
function isThatOf(prototype: object, builtIn: object): boolean {
  if (prototype === builtIn) return true;
  if (prototypesOf(prototype) !== prototypesOf(builtIn)) return false;
  const keys = Reflect.ownKeys(builtIn);
  return (
    keys.length === Reflect.ownKeys(prototype).length && keys.every((key) => Object.hasOwn(prototype, key))
  );
}

/** How long the chain of prototypes is; that of a proxy, whose code would run, is not followed. */
function prototypesOf(value: object): number {
  let count = 0;
  for (let next: object | null = value; next !== null; next = Object.getPrototypeOf(next)) {
    if (isProxy?.(next)) return Number.POSITIVE_INFINITY;
    count++;
  }
  return count;
}

/** Node's `Buffer` is the one subclass that items really hold; structured clone keeps its bytes too. */
function isNodeBuffer(value: object): boolean {
  const { Buffer } = globalThis as { Buffer?: { isBuffer(value: unknown): boolean } };
  return Buffer?.isBuffer(value) === true;
}

const LONGEST_PATH = 200;

function pathText(path: readonly (string | number)[]): string {
  const text = path
    .map((step) => {
      if (typeof step === 'number') return `[${step}]`;
      return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join('');
  return text.length > LONGEST_PATH ? `${text.slice(0, LONGEST_PATH)}…` : text;
}
