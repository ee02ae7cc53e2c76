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

/** Makes the only template of these tests have these packages. */
async function install(packages: string): Promise<void> {
  await mkdir(join(root, 'templates/animation/node_modules'), { recursive: true });
  await writeFile(join(root, 'templates/animation/node_modules/.package-lock.json'), packages);
}

const open = (configured: string | null) =>
  openCache({
    configured,
    workspace: join(root, 'workspace'),
    templatesDir: join(root, 'templates'),
    warn: (line) => warnings.push(line),
  });

describe('the cache', () => {
  it('is in the workspace when no other place is named', async () => {
    expect(await open(null)).toBe(join(root, 'workspace/.koda'));
    expect(warnings).toEqual([]);
  });

  it('is in the workspace, and says why, when the other place cannot be written', async () => {
    await writeFile(join(root, 'file'), '');
    expect(await open(join(root, 'file/cache'))).toBe(join(root, 'workspace/.koda'));
    expect(warnings).toEqual([expect.stringMatching(/^The cache .*file\/cache cannot be used \(ENOTDIR.*\), so nothing will/)]);
  });

  it('X6: keeps the pictures of an earlier sandbox', async () => {
    const place = join(root, 'cache');
    const frames = join(await open(place), 'frames/key');
    await mkdir(frames, { recursive: true });
    await writeFile(join(frames, '0'), 'picture');
    expect(join(await open(place), 'frames/key')).toBe(frames);
    expect(await readFile(join(frames, '0'), 'utf8')).toBe('picture');
    expect(warnings).toEqual([]);
  });

  it('X6: keeps nothing that was made with other packages', async () => {
    const place = join(root, 'cache');
    const before = await open(place);
    await mkdir(join(before, 'frames/key'), { recursive: true });
    await install('three 2');
    const after = await open(place);
    expect(after).not.toBe(before);
    expect(await readdir(place, { recursive: true })).toEqual([basename(after)]);
  });

  it('clears away what the programs of an earlier sandbox left in it', async () => {
    const place = join(root, 'cache');
    const folder = await open(place);
    await mkdir(join(folder, 'frames/key/deep'), { recursive: true });
    await writeFile(join(folder, 'frames/key/0'), 'picture');
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere/1'), 'of somebody else');
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
