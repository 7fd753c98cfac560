import { Random as RandomNumbers } from '../../../../conformance/src/races/random.ts';

/** Random values from a seed, so that a failure can be repeated. */
export class Random extends RandomNumbers {
  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  /** Any UTF-16 code units: controls, markup, lone surrogates and pairs among them. */
  text(): string {
    const unit = () =>
      this.pick([
        () => String.fromCharCode(this.below(0x80)),
        () => String.fromCharCode(this.below(0x10000)),
        () => String.fromCharCode(0xd800 + this.below(0x800)),
        () =>
          this.pick(['\0', '\u2028', '\u2029', '"', '\\', '<', '%', ';', ':', '{', '}', '*', '.', '$', '/']),
        () => String.fromCodePoint(0x10000 + this.below(0x100000)),
      ])();
    return this.list(8, unit).join('');
  }

  key(): string {
    return this.next() < 0.5 ? this.text() : this.pick(ODD_KEYS);
  }

  number(): number {
    const finite = new DataView(new ArrayBuffer(8));
    finite.setUint32(0, this.below(2 ** 32));
    finite.setUint32(4, this.below(2 ** 32));
    const anyDouble = finite.getFloat64(0);
    const number = this.pick([
      0,
      1,
      -1,
      0.1,
      1e-7,
      1.23e40,
      9007199254740991,
      5e-324,
      this.below(1e6),
      anyDouble,
    ]);
    return Number.isFinite(number) ? number : 0;
  }

  json(depth = 4): unknown {
    const leaves = [() => this.text(), () => this.number(), () => this.next() < 0.5, () => null];
    if (depth === 0) return this.pick(leaves)();
    const nested = () => this.json(depth - 1);
    return this.pick<() => unknown>([...leaves, () => this.list(4, nested), () => this.object(nested)])();
  }

  rich(depth = 4): unknown {
    const leaves: (() => unknown)[] = [
      () => this.json(0),
      () => this.pick([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0]),
      () => BigInt(this.below(2 ** 32)) ** BigInt(this.below(5)) * this.pick([1n, -1n]),
      () => new Date(this.pick([Number.NaN, 0, this.below(2 ** 32) * 1000])),
      () => this.view(),
    ];
    if (depth === 0) return this.pick(leaves)();
    const nested = () => this.rich(depth - 1);
    return this.pick<() => unknown>([
      ...leaves,
      () => this.list(4, () => (this.next() < 0.1 ? undefined : nested())),
      () => this.object(nested),
      () => new Map(this.list(4, () => [nested(), nested()] as const)),
      () => new Set(this.list(4, nested)),
    ])();
  }

  /** Defined rather than assigned, so that `__proto__` becomes a property like any other. */
  object(value: () => unknown): object {
    return Object.fromEntries(this.list(4, () => [this.key(), value()]));
  }

  view(): unknown {
    const bytes = Uint8Array.from({ length: 16 }, () => this.below(256));
    const { buffer } = bytes;
    return this.pick<() => unknown>([
      () => bytes.subarray(this.below(8), 8 + this.below(8)),
      () => new Uint16Array(buffer, 2, this.below(7)),
      () => new Float64Array(buffer),
      () => new BigInt64Array(buffer, 8),
      () => new DataView(buffer, this.below(8), this.below(8)),
      () => buffer,
    ])();
  }
}

const ODD_KEYS = [
  '',
  'a.b',
  '$set',
  '__proto__',
  'constructor',
  '_bsontype',
  'toString',
  '0',
  '10',
  'Entries',
  'a',
];
