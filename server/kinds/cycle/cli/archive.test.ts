import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { textFile, treeOf } from '../../../../test/fixtures/cycle-trees.ts';
import { readResult, zipOf } from './archive.ts';
import type { Tree } from './tree.ts';

const empty = treeOf({});

async function read(content: Uint8Array, before: Tree = empty): Promise<Tree> {
  const folder = mkdtempSync(join(tmpdir(), 'koda-zip-'));
  try {
    writeFileSync(join(folder, 'a.zip'), content);
    return await readResult(join(folder, 'a.zip'), before);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function zip(entries: Readonly<Record<string, { text?: string; mode?: number }>>): Promise<Buffer> {
  const file = new ZipFile();
  for (const [path, { text = 'x', mode = 0o100644 }] of Object.entries(entries))
    file.addBuffer(Buffer.from(text), path, { mode });
  file.end();
  return await buffer(file.outputStream);
}

/** Replaces a name by one of the same length, which yazl would refuse to write. */
const withName = (content: Buffer, from: string, to: string) =>
  Buffer.from(content.toString('latin1').replaceAll(from, to), 'latin1');

describe('the archive of a result', () => {
  it('C1: reads back as the files that were sent, without the specification', async () => {
    const name = fc.stringMatching(/^[a-zä漢][a-z0-9_]{0,8}$/u);
    const file = fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, file, { maxKeys: 8, noNullPrototype: true }), async (found) => {
        const files = Object.entries(found).map(([path, [content, executable]]) => [
          `src/${path}.ts`,
          { content: Buffer.from(content), executable },
        ]);
        const tree: Tree = treeOf(Object.fromEntries(files));
        expect((await read(await zipOf(tree, '# Specification'))).files).toEqual(tree.files);
      }),
      { numRuns: 100 },
    );
  });

  it('C1: leaves out everything outside src/', async () => {
    const result = await read(await zip({ 'SPEC.md': {}, 'srcs/a': {}, 'package.json': {}, 'src/a': {}, 'lib/src/a': {} }));
    expect([...result.files.keys()]).toEqual(['src/a']);
  });

  it('C1: is refused with a name that leads elsewhere', async () => {
    const content = await zip({ 'src/aa/evil.ts': {} });
    for (const path of ['src/../evil.ts', '/tmp/aaevil.ts', 'src\\..\\evilts', 'C:/aaa/evil.ts'])
      await expect(read(withName(content, 'src/aa/evil.ts', path)), path).rejects.toThrow(/was not applied|could not be read/);
  });

  it('C1: may contain the links that were sent, and no others', async () => {
    const before: Tree = { files: new Map(), links: new Map([['src/link', 'a.ts']]) };
    const link = 0o120777;
    expect((await read(await zip({ 'src/link': { text: 'a.ts', mode: link } }), before)).links).toEqual(before.links);
    for (const [path, text] of [
      ['src/link', '/etc/passwd'],
      ['src/other', 'a.ts'],
      ['src/other', 'x'.repeat(5_000)],
    ] as const)
      await expect(read(await zip({ [path]: { text, mode: link } }), before)).rejects.toThrow('was not applied');
  });

  it('C1: is refused with a device, or if it is no archive or incomplete', async () => {
    await expect(read(await zip({ 'src/device': { mode: 0o020644 } }))).rejects.toThrow('not a regular file');
    const content = await zipOf(treeOf({ 'src/a.ts': textFile('a') }), '# One');
    for (const broken of [Buffer.alloc(0), Buffer.from('no archive'), content.subarray(0, content.length - 10)])
      await expect(read(broken)).rejects.toThrow('Nothing was applied');
  });
});
