import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import type { KodaError } from '#contract/errors.ts';
import { type CommitSource, fastImportStream } from './fast-import.ts';

type EntryHeader = Parameters<ReturnType<typeof pack>['entry']>[0];
type Entry = [header: EntryHeader, content?: string | Buffer];

async function tarOf(...entries: Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const [header, content] of entries) archive.entry(header, content ?? '');
  archive.finalize();
  const pieces: Uint8Array[] = [];
  for await (const piece of archive) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

/** Returns a tar header without the content that it announces. */
function headerOf(name: string, sizeBytes: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.fill(' ', 148, 156);
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function sourceOf(tar: Buffer, overrides: Partial<CommitSource> = {}): CommitSource {
  return {
    ref: 'refs/koda/incoming',
    parent: null,
    message: 'todo',
    at: new Date(1_700_000_000_123),
    complete: true,
    deleted: [],
    tar: inPieces(tar, 700),
    ...overrides,
  };
}

async function print(source: CommitSource): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of fastImportStream(source)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

describe('fast-import stream', () => {
  it('X4: writes a first commit with every kind of entry', async () => {
    const tar = await tarOf(
      [{ name: 'src', type: 'directory' }],
      [{ name: 'src/a.txt', mode: 0o644 }, 'hello'],
      [{ name: 'run.sh', mode: 0o755 }, '#!/bin/sh\n'],
      [{ name: 'empty', mode: 0o644 }, ''],
      [{ name: 'src/link', type: 'symlink', linkname: '../run.sh' }],
    );
    expect(await print(sourceOf(tar))).toBe(
      [
        'commit refs/koda/incoming',
        'mark :1',
        'committer Koda <koda@localhost> 1700000000 +0000',
        'data 4',
        'todo',
        'deleteall',
        'M 100644 inline "src/a.txt"',
        'data 5',
        'hello',
        'M 100755 inline "run.sh"',
        'data 10',
        '#!/bin/sh\n',
        'M 100644 inline "empty"',
        'data 0',
        '',
        'M 120000 inline "src/link"',
        'data 9',
        '../run.sh',
        '',
        'get-mark :1',
        'ls :1 ""',
        'done',
        '',
      ].join('\n'),
    );
  });

  it('X4: a further commit names its parent, deletes first and keeps other files', async () => {
    const tar = await tarOf([{ name: 'a/b', mode: 0o644 }, 'x']);
    const text = await print(sourceOf(tar, { parent: 'f'.repeat(40), complete: false, deleted: ['a', 'ü "q".txt'] }));
    expect(text).toContain(`data 4\ntodo\nfrom ${'f'.repeat(40)}\nD "a"\nD "ü \\"q\\".txt"\nM 100644 inline "a/b"\n`);
    expect(text).not.toContain('deleteall');
  });

  it('X4: gives lengths in bytes, for messages and names', async () => {
    const name = `${'ä'.repeat(60)}/${'猫'.repeat(30)} 🎈.txt`;
    const text = await print(sourceOf(await tarOf([{ name, mode: 0o644 }, 'ü']), { message: 'größer' }));
    expect(text).toContain('data 8\ngrößer\n');
    expect(text).toContain(`M 100644 inline "${name}"\ndata 2\nü\n`);
  });

  it('X4: keeps the Unicode form of names', async () => {
    const decomposed = 'a\u0308.txt';
    expect(await print(sourceOf(await tarOf([{ name: decomposed, mode: 0o644 }])))).toContain(`"${decomposed}"`);
  });

  it.each([
    ['a path out of the project', { name: '../x' }],
    ['an absolute path', { name: '/etc/passwd' }],
    ['a git folder', { name: 'a/.git/config' }],
    ['a git folder in capitals', { name: '.GIT/config' }],
    ['a line break that would be a command', { name: 'x\nD src' }],
    ['a link out of the project', { name: 'a/l', type: 'symlink', linkname: '../../x' }],
    ['an absolute link', { name: 'l', type: 'symlink', linkname: '/etc/passwd' }],
    ['a hard link', { name: 'l', type: 'link', linkname: 'a' }],
    ['a device', { name: 'd', type: 'character-device' }],
  ] satisfies [string, EntryHeader][])('G2: %s is refused, and git gets no end of the commit', async (_, header) => {
    const pieces: Uint8Array[] = [];
    const reading = (async () => {
      for await (const piece of fastImportStream(sourceOf(await tarOf([header])))) pieces.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'INVALID_PATH' });
    expect(Buffer.concat(pieces).toString()).not.toContain('done\n');
  });

  it('G2: validates deleted paths as well', async () => {
    await expect(print(sourceOf(await tarOf(), { deleted: ['../x'] }))).rejects.toMatchObject({ code: 'INVALID_PATH' });
  });

  it.each([
    ['4 MiB long', 'a'.repeat(4 * 1024 ** 2 - 100)],
    ['4 MiB of marks that have to be sorted', `a${'\u0315\u0300'.repeat(1024 ** 2 - 100)}`],
    ['1,600 folders deep', 'a/'.repeat(1600)],
    ['in a git folder', '.git/'],
  ])('G2: a name that is %s is refused before it is held against any pattern', async (_, name) => {
    const asked: string[] = [];
    const isLeftOut = async (path: string) => asked.push(path) > 0;
    const printed = print(sourceOf(await tarOf([{ name: `${name}x`, mode: 0o644 }]), { isLeftOut }));
    const error = await printed.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'INVALID_PATH' });
    expect(JSON.stringify((error as KodaError).toEnvelope()).length).toBeLessThan(2000);
    expect(asked).toEqual([]);
  });

  it('A22: an archive truncated at any point yields no complete commit', async () => {
    const whole = await tarOf([{ name: 'a', mode: 0o644 }, 'x'.repeat(600)], [{ name: 'b', mode: 0o644 }, 'y']);
    for (let length = 0; length < whole.length; length += 256) {
      const pieces: Uint8Array[] = [];
      const reading = (async () => {
        for await (const piece of fastImportStream(sourceOf(whole.subarray(0, length)))) pieces.push(piece);
      })();
      await expect(reading, `${length} bytes`).rejects.toThrow();
      expect(Buffer.concat(pieces).toString()).not.toContain('done\n');
    }
    await expect(print(sourceOf(whole))).resolves.toContain('done\n');
  });

  it('A22: passes on errors from the source', async () => {
    async function* broken() {
      yield* inPieces(await tarOf([{ name: 'a', mode: 0o644 }, 'x'.repeat(5000)]), 1000);
      throw new Error('connection reset');
    }
    await expect(print(sourceOf(Buffer.alloc(0), { tar: broken() }))).rejects.toThrow('connection reset');
  });

  it('X4: streams contents in chunks', async () => {
    const size = 8 * 1024 * 1024;
    const tar = await tarOf([{ name: 'big', mode: 0o644 }, Buffer.alloc(size)]);
    let largest = 0;
    for await (const piece of fastImportStream(sourceOf(tar, { tar: inPieces(tar, 64 * 1024) })))
      largest = Math.max(largest, piece.byteLength);
    expect(largest).toBeLessThanOrEqual(64 * 1024);
  });

  describe('X4: archives from sandboxes are limited', () => {
    const limits = { fileBytes: 100, contentBytes: 250, entries: 4, historyBytes: 1 };
    const file = (name: string, sizeBytes: number): Entry => [{ name, mode: 0o644 }, Buffer.alloc(sizeBytes)];

    it('accepts an archive within the limits', async () => {
      const tar = await tarOf(file('a', 100), file('b', 100), file('c', 50));
      expect(await print(sourceOf(tar, { limits }))).toContain('done');
    });

    it('rejects a file that declares too large a size before reading its content', async () => {
      let taken = 0;
      const endless = (async function* () {
        yield headerOf('huge', 8 * 1024 ** 3 - 1);
        for (;;) {
          taken += 65_536;
          yield Buffer.alloc(65_536);
        }
      })();
      await expect(print(sourceOf(Buffer.alloc(0), { tar: endless }))).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: expect.stringContaining('"huge"'),
      });
      expect(taken).toBeLessThan(10 * 1024 ** 2);
    });

    it('rejects too large a total and too many entries', async () => {
      const much = await tarOf(file('a', 100), file('b', 100), file('c', 51));
      await expect(print(sourceOf(much, { limits }))).rejects.toMatchObject({ code: 'TOO_LARGE' });
      const many = await tarOf(...['a', 'b', 'c', 'd', 'e'].map((name): Entry => [{ name, type: 'directory' }]));
      await expect(print(sourceOf(many, { limits }))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    });
  });
});
