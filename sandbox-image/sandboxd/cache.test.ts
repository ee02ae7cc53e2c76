import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCache } from './cache.ts';

let root: string;
const warnings: string[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'koda-cache-'));
  warnings.length = 0;
  await install('three 1');
});
afterEach(() => rm(root, { recursive: true }));

async function install(packages: string): Promise<void> {
  await mkdir(join(root, 'templates/film/node_modules'), { recursive: true });
  await writeFile(join(root, 'templates/film/node_modules/.package-lock.json'), packages);
}

const open = (configured: string | null) =>
  openCache({
    configured,
    workspace: join(root, 'workspace'),
    templatesDir: join(root, 'templates'),
    warn: (line) => warnings.push(line),
  });

describe('openCache', () => {
  it('returns a folder of the workspace if none is configured', async () => {
    expect(await open(null)).toBe(join(root, 'workspace/.koda'));
    expect(warnings).toEqual([]);
  });

  it('falls back to the workspace with a warning if the configured folder is not writable', async () => {
    await writeFile(join(root, 'file'), '');
    expect(await open(join(root, 'file/cache'))).toBe(join(root, 'workspace/.koda'));
    expect(warnings).toEqual([
      expect.stringMatching(/^The cache .*file\/cache cannot be used \(ENOTDIR.*\), so nothing is cached/),
    ]);
  });

  it('X6: keeps the frames of an earlier sandbox', async () => {
    const place = join(root, 'cache');
    const frames = join(await open(place), 'frames/key');
    await mkdir(frames, { recursive: true });
    await writeFile(join(frames, '0'), 'frame');
    expect(join(await open(place), 'frames/key')).toBe(frames);
    expect(await readFile(join(frames, '0'), 'utf8')).toBe('frame');
    expect(warnings).toEqual([]);
  });

  it('X6: deletes frames that were rendered with other packages', async () => {
    const place = join(root, 'cache');
    const before = await open(place);
    await mkdir(join(before, 'frames/key'), { recursive: true });
    await install('three 2');
    const after = await open(place);
    expect(after).not.toBe(before);
    expect(await readdir(place, { recursive: true })).toEqual([basename(after)]);
  });

  it('deletes links and unexpected files of an earlier sandbox', async () => {
    const place = join(root, 'cache');
    const folder = await open(place);
    await mkdir(join(folder, 'frames/key/deep'), { recursive: true });
    await writeFile(join(folder, 'frames/key/0'), 'frame');
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere/1'), 'other data');
    await symlink(join(root, 'elsewhere/1'), join(folder, 'frames/key/1'));
    await symlink(join(root, 'elsewhere'), join(folder, 'frames/other'));
    await symlink(join(root, 'elsewhere'), join(place, 'linked'));
    for (const stray of ['frames/file', 'file', '../file']) await writeFile(join(folder, stray), '');
    expect(await open(place)).toBe(folder);
    expect(await readdir(place)).toEqual([basename(folder)]);
    expect(await readdir(folder, { recursive: true })).toEqual(['frames', 'frames/key', 'frames/key/0']);
    expect(await readdir(join(root, 'elsewhere'))).toEqual(['1']);
    await rm(folder, { recursive: true });
    await symlink(join(root, 'elsewhere'), folder);
    expect(await open(place)).toBe(folder);
    expect(await readdir(folder)).toEqual([]);
    expect(await readdir(join(root, 'elsewhere'))).toEqual(['1']);
  });
});
