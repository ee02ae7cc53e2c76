import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { providerKinds, shell, signal, type TestProvider, testProvider } from '../fixtures/sandbox.ts';

type Entry = Partial<Header> & Pick<Header, 'name'> & { readonly content?: string | Buffer };

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { content, ...header } of entries) archive.entry(header, content ?? '');
  archive.finalize();
  return await buffer(Readable.from(archive, { objectMode: false }));
}

async function namesIn(archive: Buffer): Promise<string[]> {
  const reader = extract();
  Readable.from([archive]).pipe(reader as unknown as NodeJS.WritableStream);
  const names: string[] = [];
  for await (const entry of reader) {
    names.push(entry.header.name);
    entry.resume();
  }
  return names.sort();
}

/** Lists everything tracked in a workspace: path, kind, permissions and contents. */
const manifest = (sandbox: Sandbox) =>
  shell(
    sandbox,
    `find . \\( -name node_modules -o -name .koda -o -name .git \\) -prune -o \\( -type f -printf '%P %M ' -exec sha256sum {} \\; \\) -o \\( -type l -printf '%P -> %l\\n' \\) | sed 's| ./.*||' | sort`,
  );

describe.each(providerKinds)('archives and changes: %s', (kind) => {
  let place: TestProvider;
  let sandbox: Sandbox;

  beforeAll(async () => {
    place = testProvider(kind);
    ({ sandbox } = await place.create());
  });
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
  });

  const write = (path: string, content: string | Buffer) => sandbox.writeFile(path, Buffer.from(content), { signal });
  const put = (archive: Buffer | Readable, clear = false, into = sandbox) =>
    into.importTar(Buffer.isBuffer(archive) ? Readable.from([archive]) : archive, { clear, signal });
  const take = async (since = 0, from = sandbox) => await buffer(await from.exportTar({ since, signal }));

  it('A22: a round trip preserves modes, links, unicode, empty and binary files, long names and deep folders', async () => {
    await write('src/App.tsx', 'export {};\n');
    await write('public/empty', '');
    await write('public/noise.bin', randomBytes(2_500_000));
    await write('public/Ünï côdé 🎬 名前.txt', 'ünï');
    await write(`public/${'long-'.repeat(25)}name/${'n'.repeat(180)}.txt`, 'far');
    await write(`${'deep/'.repeat(15)}file.txt`, 'down');
    await shell(
      sandbox,
      `mkdir -p scripts src/sub && echo '#!/bin/sh' > scripts/run.sh && chmod 755 scripts/run.sh && ln -s ../public/empty src/link && ln -s ../src scripts/folder-link && ln -s /etc/passwd src/bad-link && ln -s ../../../x src/sub/bad && printf 'nfd' > "public/$(printf 'cafe\\xcc\\x81').txt" && mkdir -p node_modules/x .git dist && touch node_modules/x/y .git/z dist/w`,
    );
    const archive = await take();
    const names = await namesIn(archive);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /node_modules|\.git|dist|\.koda|bad/.test(name))).toEqual([]);

    const { sandbox: other } = await place.create();
    const result = await put(archive, true, other);
    expect(result.files).toBe(names.length);
    const expected = (await manifest(sandbox)).split('\n').filter((line) => !/bad|^dist/.test(line));
    expect((await manifest(other)).split('\n')).toEqual(expected);
    expect(expected.some((line) => line.startsWith('scripts/run.sh -rwxr-xr-x'))).toBe(true);
    // Equal projects produce equal archives.
    const again = await take(0, other);
    expect(createHash('sha256').update(again).digest('hex')).toBe(createHash('sha256').update(archive).digest('hex'));
    await place.provider.destroy(other.id, { signal });
  });

  it('A22: transfers 1,000 files and a file of 30 MB', async () => {
    await shell(
      sandbox,
      'mkdir -p public/bulk && cd public/bulk && for i in $(seq 1 1000); do echo $i > f$i.txt; done; head -c 30000000 /dev/urandom > big.bin',
    );
    const { sandbox: other } = await place.create();
    const result = await put(await sandbox.exportTar({ since: 0, signal }), false, other);
    expect(result.bytes).toBeGreaterThan(30_000_000);
    const sums = 'cd public/bulk && sha256sum * | sha256sum';
    expect(await shell(other, sums)).toBe(await shell(sandbox, sums));
    await place.provider.destroy(other.id, { signal });
    await shell(sandbox, 'rm -r public/bulk');
  });

  it('with clear, deletes only tracked files that are not in the archive', async () => {
    const { sandbox: other } = await place.create();
    await shell(
      other,
      'mkdir -p src/old public/was-folder node_modules/pkg src/keep.d/node_modules && touch src/old/a src/old/b public/was-folder/x node_modules/pkg/i.js src/keep.d/node_modules/k top.txt was-file && ln -s top.txt old-link',
    );
    const archive = await tarOf([
      { name: 'src/new.txt', content: 'new' },
      { name: 'public/was-folder', content: 'a file now' },
      { name: 'was-file/inside.txt', content: 'a folder now' },
      { name: 'kept-empty/', type: 'directory' },
    ]);
    expect(await put(archive, true, other)).toEqual({ files: 3, bytes: 25 });
    const left = await shell(other, 'find . -path ./.koda -prune -o -mindepth 1 -print | sort');
    expect(left.split('\n')).toEqual(
      [
        './kept-empty',
        './node_modules',
        './node_modules/pkg',
        './node_modules/pkg/i.js',
        './public',
        './public/was-folder',
        './src',
        './src/keep.d',
        './src/keep.d/node_modules',
        './src/keep.d/node_modules/k',
        './src/new.txt',
        './was-file',
        './was-file/inside.txt',
      ].sort(),
    );
    await place.provider.destroy(other.id, { signal });
  });

  it('without clear, keeps other files', async () => {
    await write('public/stays.txt', 'stays');
    await put(
      await tarOf([
        { name: 'public/comes.txt', content: 'comes' },
        { name: './public/dotted.txt', content: 'x', mode: 0o777 },
      ]),
    );
    expect(await shell(sandbox, 'cat public/stays.txt public/comes.txt; stat -c %a public/dotted.txt')).toBe('stayscomes755');
  });

  const long = 'd/'.repeat(17);
  const hostile: [string, () => Promise<Buffer> | Buffer][] = [
    [
      'a path with ..',
      () =>
        tarOf([
          { name: 'fine.txt', content: 'x' },
          { name: '../evil.txt', content: 'x' },
        ]),
    ],
    ['a path with .. inside', () => tarOf([{ name: 'src/../../evil.txt', content: 'x' }])],
    ['an absolute path', () => tarOf([{ name: '/tmp/evil.txt', content: 'x' }])],
    ['a backslash', () => tarOf([{ name: 'src\\..\\..\\evil.txt', content: 'x' }])],
    ['a control character', () => tarOf([{ name: 'src/a\nb', content: 'x' }])],
    ['a reserved name', () => tarOf([{ name: 'src/nul.txt', content: 'x' }])],
    ['an untracked folder', () => tarOf([{ name: 'node_modules/x/index.js', content: 'x' }])],
    ['git configuration', () => tarOf([{ name: '.git/config', content: 'x' }])],
    ['an absolute link', () => tarOf([{ name: 'link', type: 'symlink', linkname: '/etc/passwd' }])],
    ['a link that leads up', () => tarOf([{ name: 'link', type: 'symlink', linkname: '../x' }])],
    ['a link that leads up from a folder', () => tarOf([{ name: 'a/b/link', type: 'symlink', linkname: '../../../x' }])],
    ['a link that leads up later', () => tarOf([{ name: 'link', type: 'symlink', linkname: 'a/../../x' }])],
    [
      'a file behind a link of the archive',
      () =>
        tarOf([
          { name: 'link', type: 'symlink', linkname: 'public' },
          { name: 'link/x', content: 'x' },
        ]),
    ],
    [
      'a file behind a file',
      () =>
        tarOf([
          { name: 'one', content: 'x' },
          { name: 'one/two', content: 'x' },
        ]),
    ],
    [
      'a link and a file of one name',
      () =>
        tarOf([
          { name: 'twice', type: 'symlink', linkname: 'public' },
          { name: 'twice', content: 'x' },
        ]),
    ],
    [
      'the same file twice',
      () =>
        tarOf([
          { name: 'twice', content: 'x' },
          { name: './twice', content: 'y' },
        ]),
    ],
    ['a hard link', () => tarOf([{ name: 'hard', type: 'link', linkname: 'package.json' }])],
    ['a hard link out', () => tarOf([{ name: 'hard', type: 'link', linkname: '/etc/passwd' }])],
    ['a character device', () => tarOf([{ name: 'dev', type: 'character-device', devmajor: 1, devminor: 3 }])],
    ['a block device', () => tarOf([{ name: 'dev', type: 'block-device', devmajor: 8, devminor: 0 }])],
    ['a named pipe', () => tarOf([{ name: 'pipe', type: 'fifo' }])],
    ['a folder too deep', () => tarOf([{ name: `${long}x`, content: 'x' }])],
    ['a name too long', () => tarOf([{ name: `${'n'.repeat(600)}`, content: 'x' }])],
    [
      'an archive that is cut in a file',
      async () => (await tarOf([{ name: 'cut.txt', content: 'x'.repeat(5_000) }])).subarray(0, 3_000),
    ],
    [
      'an archive that is cut between files',
      async () =>
        (
          await tarOf([
            { name: 'one.txt', content: 'x' },
            { name: 'two.txt', content: 'x' },
          ])
        ).subarray(0, 1_024),
    ],
    ['an archive without its end', async () => (await tarOf([{ name: 'one.txt', content: 'x' }])).subarray(0, -1_024)],
    ['nothing at all', () => Buffer.alloc(0)],
    ['noise', () => randomBytes(10_240)],
    ['text', () => Buffer.from('this is no archive'.repeat(1_000))],
    ['a compressed archive', async () => gzipSync(await tarOf([{ name: 'a', content: 'x' }]))],
  ];

  it.each(hostile)('G2: refuses an archive with %s, and changes nothing', async (_, make) => {
    const archive = await make();
    const before = await manifest(sandbox);
    for (const clear of [false, true]) {
      await expect(put(archive, clear)).rejects.toMatchObject({
        name: 'SandboxdError',
        code: expect.stringMatching(/^(INVALID_PATH|INVALID_ARCHIVE|TOO_LARGE)$/),
      });
    }
    expect(await manifest(sandbox)).toBe(before);
    expect(await shell(sandbox, 'ls -A .koda/tmp | wc -l')).toBe('0');
  });

  it('G2: refuses an archive with too many entries', async () => {
    const entries = Array.from({ length: 20_001 }, (_, index) => ({ name: `f/${index}`, content: '' }));
    const before = await manifest(sandbox);
    await expect(put(await tarOf(entries), false)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(await manifest(sandbox)).toBe(before);
  });

  it('G2: writes nothing through a link in the project', async () => {
    const outside = '/tmp/koda-outside-archive';
    await shell(sandbox, `rm -rf ${outside} && mkdir -p ${outside} && ln -sfn ${outside} public/exit`);
    await expect(put(await tarOf([{ name: 'public/exit/planted.txt', content: 'x' }]))).rejects.toMatchObject({
      code: 'INVALID_PATH',
    });
    expect(await shell(sandbox, `ls -A ${outside}; rm -r ${outside} public/exit`)).toBe('');
  });

  it('an aborted upload changes nothing', async () => {
    const archive = await tarOf([{ name: 'public/half.bin', content: randomBytes(500_000) }]);
    const before = await manifest(sandbox);
    const broken = Readable.from(
      (async function* () {
        yield archive.subarray(0, 300_000);
        throw new Error('the upload broke');
      })(),
    );
    await expect(put(broken, true)).rejects.toThrow('the upload broke');
    expect(await manifest(sandbox)).toBe(before);
  });

  it('A21: detects changes by shell commands exactly like changes over the protocol', async () => {
    await shell(sandbox, 'mkdir -p src/t && for n in a b c d e; do echo $n > src/t/$n; done');
    let { revision } = await sandbox.changes({ since: 0, signal });
    const since = async () => {
      const changes = await sandbox.changes({ since: revision, signal });
      ({ revision } = changes);
      return [changes.changed.map((entry) => entry.path).sort(), changes.deleted];
    };
    expect(await since()).toEqual([[], []]);
    await shell(
      sandbox,
      'echo new > src/t/new; echo longer > src/t/a; rm src/t/b; mv src/t/c src/t/moved; chmod +x src/t/d; mkdir src/t/empty-folder; touch node_modules/ignored',
    );
    expect(await since()).toEqual([
      ['src/t/a', 'src/t/d', 'src/t/moved', 'src/t/new'],
      ['src/t/b', 'src/t/c'],
    ]);
    expect(await since()).toEqual([[], []]);

    // Size and modification time are equal, and only the inode's change time differs.
    await shell(
      sandbox,
      'touch -r src/t/e /tmp/koda-stamp-e; printf "E\\n" > src/t/e; touch -r /tmp/koda-stamp-e src/t/e; rm /tmp/koda-stamp-e',
    );
    expect(await since()).toEqual([['src/t/e'], []]);
    await shell(sandbox, 'ln -sfn new src/t/link');
    expect(await since()).toEqual([['src/t/link'], []]);
    await shell(sandbox, 'ln -sfn moved src/t/link; rm src/t/new; echo back > src/t/b');
    expect(await since()).toEqual([['src/t/b', 'src/t/link'], ['src/t/new']]);
    await write('src/t/over-protocol', 'x');
    await sandbox.deleteFile('src/t/moved', { signal });
    expect(await since()).toEqual([['src/t/over-protocol'], ['src/t/moved']]);
  });

  it('A21: detects writes of the same size at the same time', async () => {
    await write('src/quick', '0');
    let { revision } = await sandbox.changes({ since: 0, signal });
    for (let round = 1; round <= 30; round++) {
      await write('src/quick', String(round % 10));
      const changes = await sandbox.changes({ since: revision, signal });
      expect(
        changes.changed.map((entry) => entry.path),
        `round ${round}`,
      ).toEqual(['src/quick']);
      ({ revision } = changes);
    }
    await shell(sandbox, 'for i in $(seq 1 9); do printf $i > src/quick; done');
    expect((await sandbox.changes({ since: revision, signal })).changed).toHaveLength(1);
  });

  it('A21: exports only changes since a revision, and everything for an unknown revision', async () => {
    const { revision } = await sandbox.changes({ since: 0, signal });
    expect(await namesIn(await take(revision))).toEqual([]);
    await write('src/later.txt', 'later');
    expect(await namesIn(await take(revision))).toEqual(['src/later.txt']);
    const all = await namesIn(await take(0));
    expect(all.length).toBeGreaterThan(5);
    // Invalid revisions, from an earlier or a future sandbox.
    for (const unknown of [1, revision - 1_000_000, revision + 1_000_000]) {
      expect(await namesIn(await take(unknown))).toEqual(all);
    }
  });
});
