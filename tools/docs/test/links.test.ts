import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, brokenLinks } from '../src/links.ts';
import { documents, ROOT } from '../src/repository.ts';

test('each link of a document leads somewhere', () => {
  expect(documents().flatMap((document) => brokenLinks(document, ROOT))).toEqual([]);
});

test('links that lead nowhere are found, with their lines', () => {
  const root = mkdtempSync(join(tmpdir(), 'links-'));
  try {
    mkdirSync(join(root, 'docs/deep'), { recursive: true });
    writeFileSync(join(root, 'docs/other.md'), '# One title\n<a id="here"></a>\n');
    writeFileSync(join(root, 'code.ts'), '');
    const lines = [
      '# Self',
      '[a](other.md) [b](other.md#one-title "t") [c](other.md#here) [d](../code.ts) [e](#self) [f](deep/)',
      '[g](https://example.com/x#y) `[h](code.md)` <img src="../code.ts"> [i][ref]',
      '```sh',
      '[j](in-code.md)',
      '```',
      '[k](gone.md) and [l](other.md#gone)',
      '[m](#gone) [n](../code.ts#L1) [o](/code.ts) [p](../../outside.md)',
      '<a href="gone.html">q</a>',
      '[ref]: gone.txt',
    ];
    expect(brokenLinks({ path: 'docs/self.md', text: lines.join('\n') }, root)).toEqual([
      'docs/self.md:7: gone.md',
      'docs/self.md:7: other.md#gone',
      'docs/self.md:8: #gone',
      'docs/self.md:8: ../code.ts#L1',
      'docs/self.md:8: /code.ts',
      'docs/self.md:8: ../../outside.md',
      'docs/self.md:10: gone.txt',
      'docs/self.md:9: gone.html',
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('anchors are those that GitHub gives', () => {
  const lines = [
    '# What a call costs',
    '## `getItems(limit?)`: reads, in *one* call',
    '## <a id="txn"></a>TXN ◇: twice',
    '## Twice',
    '## Twice ##',
    '### [A link](a.md) and more',
    '```',
    '# a comment',
    '```',
  ];
  expect(anchorsOf(lines.join('\n')).sort()).toEqual(
    [
      ...['txn', 'what-a-call-costs', 'getitemslimit-reads-in-one-call', 'txn--twice'],
      ...['twice', 'twice-1', 'a-link-and-more'],
    ].sort(),
  );
});
