import { isDeepStrictEqual } from 'node:util';
import type { Exports, Manifest, Package } from './workspace.ts';

/** What is missing or wrong in the `package.json` of a published package, as it is in the repository. */
export function manifestProblems({ name, directory, manifest }: Package, root: Manifest): string[] {
  const problems: string[] = [];
  const expect = (field: string, is: unknown, should: unknown) => {
    if (!isDeepStrictEqual(is, should)) {
      problems.push(`\`${field}\` is ${JSON.stringify(is)} and should be ${JSON.stringify(should)}`);
    }
  };
  const repository = root.repository!;
  const web = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  expect('repository', manifest.repository, { ...repository, directory });
  expect('homepage', manifest.homepage, `${web}/tree/main/${directory}#readme`);
  expect('bugs', manifest.bugs, `${web}/issues`);
  expect('license', manifest.license, root.license);
  expect('type', manifest.type, 'module');
  expect('sideEffects', manifest.sideEffects, false);
  expect('engines', manifest.engines, { node: '>=22' });
  expect('files', manifest.files, ['dist', 'src']);
  // Packing here leaves scripts out, having built before; more than that must not hang on them.
  expect('scripts.prepack', manifest.scripts?.prepack, 'pnpm build');
  if (!manifest.description) problems.push('`description` is missing');
  if (!manifest.keywords?.includes('session')) problems.push('`keywords` do not say `session`');
  const { exports = {}, publishConfig = {} } = manifest;
  if (!exports['.'] && !publishConfig.bin)
    problems.push('`exports` has no entry point, and there is no command');
  for (const [path, file] of Object.entries(exports)) {
    if (path === './package.json') expect(`exports["${path}"]`, file, path);
    else expect(`exports["${path}"]`, Object.keys(file), ['@sessions/source', 'types', 'default']);
  }
  expect('publishConfig.exports', publishConfig.exports ?? exports, withoutSources(exports));
  if (!name.startsWith('@sessions/')) problems.push('`name` is outside `@sessions`');
  return problems;
}

/** As published: there the sources are for reading only. */
function withoutSources(exports: Exports): Exports {
  return Object.fromEntries(
    Object.entries(exports).map(([path, file]) => {
      if (typeof file === 'string') return [path, file];
      const { '@sessions/source': _, ...published } = file;
      return [path, published];
    }),
  );
}
