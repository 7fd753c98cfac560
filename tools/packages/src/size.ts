import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Expected, ExpectedSize } from './expected.ts';

/** What some imports come to, minified and gzipped, in bytes. */
export interface Size extends ExpectedSize {
  /** Without drivers and, but for the core itself, without the core. */
  readonly own: number;
  readonly withCore: number;
}

export async function measure(name: string, folder: string, { drivers, sizes }: Expected): Promise<Size[]> {
  const core = name === '@sessions/core' ? [] : ['@sessions/core'];
  const measured: Size[] = [];
  for (const size of sizes) {
    const own = await bundled(folder, size.source, [...drivers, ...core]);
    measured.push({ ...size, own, withCore: await bundled(folder, size.source, drivers) });
  }
  return measured;
}

export function sizeProblems(sizes: readonly Size[]): string[] {
  return sizes
    .filter(({ own, limit }) => limit !== undefined && own > limit)
    .map(({ of, own, limit }) => `${of} comes to ${own} bytes, minified and gzipped; ${limit} is the most`);
}

async function bundled(folder: string, source: string, external: readonly string[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'es2024',
    external: [...external],
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}
