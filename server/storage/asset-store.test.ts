import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { assetSchema } from '#contract/project.ts';
import { newProject, tempDir, tempStores } from '../../test/fixtures/storage.ts';
import { openDatabase } from './database.ts';
import { createStores } from './stores.ts';

const signal = new AbortController().signal;
const ascii = (text: string) => Buffer.from(text, 'latin1');
const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height }));

/** Minimal file headers by which each format is recognised. */
const samples: Record<string, Buffer> = {
  png: png(3, 2),
  jpg: jpeg.encode({ width: 5, height: 4, data: Buffer.alloc(80) }, 80).data,
  gif: Buffer.concat([ascii('GIF89a'), Buffer.from([7, 0, 6, 0, 0, 0, 0])]),
  webp: Buffer.concat([
    ascii('RIFF'),
    Buffer.from([30, 0, 0, 0]),
    ascii('WEBPVP8X'),
    Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 9, 0, 0, 0, 0]),
  ]),
  svg: ascii('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>'),
  wav: Buffer.concat([ascii('RIFF'), Buffer.from([36, 0, 0, 0]), ascii('WAVEfmt '), Buffer.alloc(24)]),
  mp3: Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(500)]),
  m4a: Buffer.concat([Buffer.from([0, 0, 0, 20]), ascii('ftypM4A '), Buffer.alloc(8)]),
  ogg: Buffer.concat([ascii('OggS'), Buffer.alloc(24), Buffer.from([1, 0x76, 0x6f, 0x72, 0x62, 0x69, 0x73]), Buffer.alloc(30)]),
  ttf: Buffer.concat([Buffer.from([0, 1, 0, 0, 0]), Buffer.alloc(40)]),
  otf: Buffer.concat([ascii('OTTO'), Buffer.alloc(40)]),
  woff: Buffer.concat([ascii('wOFF'), Buffer.from([0, 1, 0, 0]), Buffer.alloc(40)]),
  woff2: Buffer.concat([ascii('wOF2'), Buffer.from([0, 1, 0, 0]), Buffer.alloc(40)]),
};
const sizes: Record<string, [number, number]> = { png: [3, 2], jpg: [5, 4], gif: [7, 6], webp: [9, 10], svg: [20, 10] };

async function* stream(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function withProject() {
  const stores = tempStores();
  const { id } = await stores.projects.create(newProject());
  const add = (name: string, ...parts: Uint8Array[]) => stores.assets.add(id, { name, content: stream(...parts), signal });
  const files = () => readdirSync(join(stores.dataDir, 'assets', id));
  return { stores, id, add, files, [Symbol.dispose]: () => stores[Symbol.dispose]() };
}

describe('asset store', () => {
  it.each(Object.entries(samples))(
    'A25: %s is known by its bytes, whatever it is called, and reads back the same',
    async (extension, bytes) => {
      using project = await withProject();
      const asset = await project.add('upload.exe', bytes.subarray(0, 3), bytes.subarray(3));
      const [width, height] = sizes[extension] ?? [null, null];
      expect(assetSchema.parse(asset)).toEqual(asset);
      expect(asset).toMatchObject({
        name: `upload.${extension}`,
        path: `public/assets/upload.${extension}`,
        sizeBytes: bytes.length,
        width,
        height,
      });
      const { asset: again, open } = await project.stores.assets.read(project.id, asset.id);
      expect(again).toEqual(asset);
      expect((await buffer(open())).equals(bytes)).toBe(true);
      expect((await buffer(open({ start: 1, end: 2 }))).equals(bytes.subarray(1, 3))).toBe(true);
      expect((await project.stores.projects.state(project.id)).assets).toEqual([asset]);
      const kept = project.stores.database.sqlite.prepare('SELECT sha256 FROM assets').pluck().get();
      expect(kept).toBe(createHash('sha256').update(bytes).digest('hex'));
    },
  );

  it.each([
    ['a program', ascii('\x7fELF\x02\x01\x01')],
    ['an archive', Buffer.concat([ascii('PK\x03\x04'), Buffer.alloc(40)])],
    ['text', ascii('hello')],
    ['a page', ascii('<!doctype html><html><svg></svg></html>')],
    ['nothing', Buffer.alloc(0)],
    ['an SVG with a script', ascii('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
    ['a truncated image', png(3, 2).subarray(0, 18)],
    ['a video', Buffer.concat([Buffer.from([0, 0, 0, 20]), ascii('ftypisom'), Buffer.alloc(8)])],
  ])('A25: %s is refused with what may be uploaded instead, and nothing stays behind', async (_, bytes) => {
    using project = await withProject();
    await expect(project.add('a.png', bytes)).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE', recovery: 'convert_file' });
    expect(project.files()).toEqual([]);
    expect(await project.stores.assets.list(project.id)).toEqual([]);
  });

  it('A25: rejects an image over 25 MB and accepts audio up to 100 MB', async () => {
    using project = await withProject();
    const padding = Buffer.alloc(26 * 1024 * 1024);
    await expect(project.add('a.png', png(3, 2), padding)).rejects.toMatchObject({
      code: 'TOO_LARGE',
      details: { maxBytes: 25 * 1024 * 1024 },
    });
    await expect(project.add('a.wav', samples['wav'] ?? Buffer.alloc(0), padding)).resolves.toMatchObject({ kind: 'audio' });
    expect(project.files()).toHaveLength(1);
  });

  it('A25: concurrent uploads of the same name get different names', async () => {
    using project = await withProject();
    const made = await Promise.all([1, 2, 3].map((size) => project.add('Logo.png', png(size, size))));
    expect(made.map((asset) => asset.name).toSorted()).toEqual(['logo-2.png', 'logo-3.png', 'logo.png']);
  });

  it('A25: rejects an upload to an unknown project before writing anything', async () => {
    using project = await withProject();
    const unknown = 'prj_00000000000000000000';
    await expect(project.stores.assets.add(unknown, { name: 'a', content: stream(png(1, 1)), signal })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(project.stores.assets.add('../../x', { name: 'a', content: stream(png(1, 1)), signal })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(readdirSync(project.stores.dataDir).filter((name) => name.startsWith('assets'))).toEqual([]);
  });

  it('A25: an asset is accessible only through its own project', async () => {
    using project = await withProject();
    const other = await project.stores.projects.create(newProject());
    const asset = await project.add('a.png', png(1, 1));
    await expect(project.stores.assets.read(other.id, asset.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(project.stores.assets.remove(other.id, asset.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await project.stores.assets.list(project.id)).toHaveLength(1);
  });

  it('A24: removing an asset, or all of a project, deletes their files', async () => {
    using project = await withProject();
    const first = await project.add('a.png', png(1, 1));
    await project.add('b.png', png(1, 1));
    await project.stores.assets.remove(project.id, first.id);
    expect(project.files()).toHaveLength(1);
    await project.stores.assets.removeAll(project.id);
    expect(readdirSync(join(project.stores.dataDir, 'assets'))).toEqual([]);
    await project.stores.assets.removeAll(project.id);
  });

  it('A25: reports a missing file', async () => {
    using project = await withProject();
    const asset = await project.add('a.png', png(1, 1));
    const file = join(project.stores.dataDir, 'assets', project.id, project.files()[0] ?? '');
    expect(readFileSync(file).equals(png(1, 1))).toBe(true);
    rmSync(file);
    await expect(project.stores.assets.read(project.id, asset.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      recovery: 'upload_again',
    });
  });

  it('A24: the sweep removes orphaned files, and leaves stored assets and running uploads', async () => {
    using project = await withProject();
    const { files, add, stores, id } = project;
    await add('kept.png', png(1, 1));
    const kept = files();
    const folder = join(stores.dataDir, 'assets');
    // A partial upload, a file without a row, and a deleted project's folder.
    writeFileSync(join(folder, id, '.incoming-0000-1'), '');
    writeFileSync(join(folder, id, `${newId('ast')}.png`), '');
    const gone = newId('prj');
    mkdirSync(join(folder, gone));
    const { promise: rest, resolve } = Promise.withResolvers<Uint8Array>();
    async function* slowly(): AsyncGenerator<Uint8Array> {
      yield png(1, 1);
      yield await rest;
    }
    const coming = stores.assets.add(id, { name: 'coming.png', content: slowly(), signal });
    await vi.waitFor(() => expect(files()).toHaveLength(4));
    expect(await stores.assets.sweep()).toBe(3);
    expect(readdirSync(folder)).toEqual([id]);
    resolve(Buffer.alloc(1));
    const asset = await coming;
    expect(await stores.assets.sweep()).toBe(0);
    expect(files().toSorted()).toEqual([...kept, `${asset.id}.png`].toSorted());
  });

  it('H8: an upload ends in the middle when its project reaches the limit, and leaves nothing', async () => {
    using folder = tempDir();
    const database = openDatabase(folder.path);
    const { assets, projects } = createStores(database, {
      limitBytes: null,
      projectLimitBytes: 10 * 1024 * 1024,
      reserveBytes: 0,
    });
    const { id } = await projects.create(newProject());
    const files = () => readdirSync(join(folder.path, 'assets', id));
    const kept = await assets.add(id, { name: 'kept.png', content: stream(png(1, 1)), signal });
    let pieces = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield png(1, 1);
      for (;;) yield Buffer.alloc(1024 * 1024, ++pieces);
    }
    await expect(assets.add(id, { name: 'endless.png', content: endless(), signal })).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message: expect.stringContaining('KODA_PROJECT_DISK_MB'),
    });
    expect(pieces).toBeLessThanOrEqual(10);
    expect(files()).toEqual([`${kept.id}.png`]);
    database.close();
  });
});
