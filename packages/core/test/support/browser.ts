import { createContext, runInContext } from 'node:vm';
import { build, type Metafile } from 'esbuild';

const CORE = new URL('../..', import.meta.url).pathname;

export interface Bundle {
  readonly code: string;
  readonly metafile: Metafile;
}

/** What a bundler makes of some source for the web; anything that only Node has fails the build. */
export async function bundleForBrowser(source: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: `${CORE}/test`, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    target: 'es2024',
    format: 'iife',
    globalName: 'bundle',
    conditions: ['@sessions/source'],
    logLevel: 'silent',
  });
  return { code: outputFiles[0]!.text, metafile };
}

/** A global scope with what every web runtime has, and nothing of Node's. */
export function webScope(): (code: string) => unknown {
  const { AbortController, AbortSignal, DOMException, TextDecoder, TextEncoder, URL } = globalThis;
  const { atob, btoa, clearTimeout, crypto, performance, queueMicrotask, setTimeout, structuredClone } =
    globalThis;
  const context = createContext({
    AbortController,
    AbortSignal,
    DOMException,
    TextDecoder,
    TextEncoder,
    URL,
    atob,
    btoa,
    clearTimeout,
    crypto,
    performance,
    queueMicrotask,
    setTimeout,
    structuredClone,
  });
  return (code) => runInContext(code, context) as unknown;
}
