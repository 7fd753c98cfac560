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

const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype) as object;

/** The engine's own answers, which no object can forge and which hold for objects of other realms too. */
const brandOf = {
  date: Date.prototype.getTime,
  map: getterOf(Map.prototype, 'size'),
  set: getterOf(Set.prototype, 'size'),
  buffer: getterOf(ArrayBuffer.prototype, 'byteLength'),
  view: getterOf(DataView.prototype, 'byteLength'),
  array: getterOf(TYPED_ARRAY, Symbol.toStringTag),
};

const partOf = {
  buffer: getterOf(TYPED_ARRAY, 'buffer'),
  byteOffset: getterOf(TYPED_ARRAY, 'byteOffset'),
  byteLength: getterOf(TYPED_ARRAY, 'byteLength'),
  length: getterOf(TYPED_ARRAY, 'length'),
};

/** Arrays of half floats are left out: not every supported platform can read them back. */
const TYPED_ARRAYS = new Set(
  'Int8 Uint8 Uint8Clamped Int16 Uint16 Int32 Uint32 Float32 Float64 BigInt64 BigUint64'
    .split(' ')
    .map((name) => `${name}Array`),
);

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
    if (!isArrayPrototype(Object.getPrototypeOf(array))) this.refuse('an instance of a class is not data');
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
    const depth = prototypesOf(value);
    if (has(brandOf.array, value)) {
      if (depth !== 3 && !isNodeBuffer(value)) this.refuse('an instance of a class is not data');
      if (!TYPED_ARRAYS.has(brandOf.array.call(value)))
        this.refuse('this kind of typed array cannot be kept');
      this.#grow(partOf.byteLength.call(value) as number);
      return;
    }
    if (depth !== 2) this.refuse('an instance of a class is not data');
    if (Reflect.ownKeys(value).length > 0) this.refuse('a named property on it cannot be kept');
    if (has(brandOf.buffer, value) || has(brandOf.view, value)) {
      this.#grow((value as ArrayBuffer).byteLength);
    } else if (has(brandOf.map, value)) {
      let at = 0;
      for (const [key, entry] of value as Map<unknown, unknown>) {
        this.#path.push(at++);
        this.value(key);
        this.value(entry);
        this.#path.pop();
      }
    } else if (has(brandOf.set, value)) {
      let at = 0;
      for (const entry of value as Set<unknown>) {
        this.#path.push(at++);
        this.value(entry);
        this.#path.pop();
      }
    } else if (!has(brandOf.date, value)) {
      this.refuse('an instance of a class is not data');
    }
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > MAX_ITEM_BYTES) throw itemTooLarge(this.#index);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the engine's getters are called with whatever there is, which is the point
type Getter = (this: any) => any;

function getterOf(prototype: object, name: string | symbol): Getter {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
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

/** A literal's prototype, of this realm or another, or none. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || isThatOf(prototype, Object.prototype);
}

function isArrayPrototype(prototype: object): boolean {
  return isThatOf(prototype, Array.prototype);
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

function prototypesOf(value: object): number {
  let count = 0;
  for (let next: unknown = Object.getPrototypeOf(value); next !== null; next = Object.getPrototypeOf(next)) {
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
