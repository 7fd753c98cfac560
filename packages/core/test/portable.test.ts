import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleForBrowser, webScope } from './support/browser.ts';

const CORE = fileURLToPath(new URL('..', import.meta.url));

describe('the package on the web, on edge runtimes, in Deno and Bun', () => {
  it.each(['src/index.ts', 'src/store.ts'])(
    'VAL-5 imports nothing that only Node has, in %s',
    async (entry) => {
      const { metafile, outputFiles } = await build({
        entryPoints: [`${CORE}/${entry}`],
        bundle: true,
        write: false,
        metafile: true,
        platform: 'browser',
        format: 'esm',
        target: 'es2024',
        conditions: ['@sessions/source'],
        logLevel: 'silent',
      });
      const inputs = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
      const outputs = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
      expect(inputs.length).toBeGreaterThan(0);
      expect([...inputs, ...outputs].filter(({ external }) => external)).toEqual([]);
      expect(outputFiles[0]!.text).not.toMatch(/\brequire\(|\bfrom ["']node:/);
    },
  );

  it('VAL-5 does not pull the store side into the protocol', async () => {
    const { metafile } = await bundleForBrowser("export * from '../src/index.ts'");
    expect(Object.keys(metafile.inputs).filter((input) => /devalue|src\/store/.test(input))).toEqual([]);
  });

  it('VAL-5 does not ship the log with sessions on other stores', async () => {
    const { metafile } = await bundleForBrowser("export { StoredSession } from '../src/store.ts'");
    const shipped = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
    const log = shipped.filter(
      ([input, { bytesInOutput }]) => input.includes('src/log') && bytesInOutput > 0,
    );
    expect(log).toEqual([]);
  });
});

describe('the bundle in a scope without Node', () => {
  let run: (code: string) => unknown;

  beforeAll(async () => {
    const { code } = await bundleForBrowser(`
      export * from '../src/index.ts';
      export * from '../src/store.ts';
      export { ScriptedStore } from './support/scripted-store.ts';
    `);
    run = webScope();
    run(code);
  });

  /** Runs the body of an async function there, and brings its result over as text. */
  async function inScope(body: string): Promise<unknown> {
    const text = await (run(
      `(async () => JSON.stringify(await (async () => {${body}})()))()`,
    ) as Promise<string>);
    return JSON.parse(text) as unknown;
  }

  it('VAL-5 has nothing of Node in that scope', () => {
    expect(run('[typeof process, typeof Buffer, typeof require, typeof setImmediate].join()')).toBe(
      'undefined,undefined,undefined,undefined',
    );
  });

  it('VAL-5 ADD-1 POP-1 TXN-2 RWR-1 CLR-1 LIFE-2 is a whole session', async () => {
    const result = await inScope(`
      const store = new bundle.ScriptedStore();
      const session = new bundle.StoredSession({ adapter: 'web', sessionId: 'a', open: () => store });
      const seen = [];
      await session.addItems([{ n: 1 }, { n: 2 }, { type: 'function_call', callId: 'c', name: 'old' }]);
      seen.push(await session.getItems(2));
      const replacement = { type: 'function_call', callId: 'c', name: 'new' };
      await session.applyHistoryMutations({ mutations: [{ type: 'replace_function_call', callId: 'c', replacement }] });
      seen.push(await session.popItem());
      const once = { operationId: 'op', transaction: { type: 'append_items', items: [{ n: 3 }] } };
      await session.applyHistoryTransaction(once);
      await session.applyHistoryTransaction(once);
      seen.push(await session.getItems());
      await session.clearSession();
      seen.push(await session.getItems());
      await session.close();
      seen.push(await session.getItems().catch((error) => error.code));
      return seen;
    `);
    expect(result).toEqual([
      [{ n: 2 }, { type: 'function_call', callId: 'c', name: 'old' }],
      { type: 'function_call', callId: 'c', name: 'new' },
      [{ n: 1 }, { n: 2 }, { n: 3 }],
      [],
      'CLOSED',
    ]);
  });

  it('VAL-2 VAL-5 keeps values beyond JSON, and writes them as Node does', async () => {
    const item = `({ b: new Uint8Array([9, 1, 2]).subarray(1), d: new Date(5), m: new Map([['a', new Set([1n])]]), z: -0 })`;
    const [there] = (await inScope(`return bundle.encodeItems([${item}])`)) as string[];
    const { encodeItems } = await import('../src/store.ts');
    const here = { b: new Uint8Array([1, 2]), d: new Date(5), m: new Map([['a', new Set([1n])]]), z: -0 };
    expect(encodeItems([here])).toEqual([there]);
    const back = await inScope(`
      const { b, d, m, z } = bundle.decodeRecord(bundle.encodeItems([${item}])[0]);
      return [b instanceof Uint8Array, [...b], d.getTime(), [...m.get('a')].map(String), Object.is(z, -0)];
    `);
    expect(back).toEqual([true, [1, 2], 5, ['1'], true]);
  });

  it.each([
    ['an object', 'new Proxy({ a: 1 }, {})'],
    ['an array', '{ deep: [new Proxy([1], {})] }'],
    ['a function that pretends to be data', 'new Proxy(() => 1, {})'],
    ['a Map', 'new Map([["a", new Proxy({}, {})]])'],
    [
      'an object whose traps lie',
      'new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true, writable: true }) })',
    ],
  ])('VAL-3 refuses a proxy of %s, though nobody there can tell one', async (_, item) => {
    const refusal = await inScope(`
      try {
        return bundle.encodeItems([1, ${item}]);
      } catch (error) {
        return [error.code, error.index];
      }
    `);
    expect(refusal).toEqual(['INVALID_ITEM', 1]);
  });

  it('VAL-3 refuses an accessor there without calling it', async () => {
    const refusal = await inScope(`
      let calls = 0;
      try {
        bundle.encodeItems([{ get a() { return calls++; } }]);
      } catch (error) {
        return [error.code, error.path, calls];
      }
    `);
    expect(refusal).toEqual(['INVALID_ITEM', '.a', 0]);
  });

  it('FLT-2 LIFE-4 keeps time and signals there', async () => {
    const result = await inScope(`
      const store = new bundle.ScriptedStore();
      const session = new bundle.StoredSession({ adapter: 'web', sessionId: 'a', open: () => store, options: { timeoutMs: 30 } });
      store.everyRead = () => new Promise(() => {});
      const late = await session.getItems().catch((error) => error.code);
      const aborted = await session.getItems(1, { signal: AbortSignal.abort('given up') }).catch((reason) => reason);
      return [late, aborted];
    `);
    expect(result).toEqual(['UNAVAILABLE', 'given up']);
  });
});
