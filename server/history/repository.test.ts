import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moveBranch } from './repository.ts';

const commitId = 'a'.repeat(40);

let repository: string;
beforeEach(async () => {
  repository = await mkdtemp(join(tmpdir(), 'koda-branch-'));
  await mkdir(join(repository, 'refs/heads'), { recursive: true });
});
afterEach(() => rm(repository, { recursive: true, force: true }));

const heads = () => readdir(join(repository, 'refs/heads'));
const main = () => readFile(join(repository, 'refs/heads/main'), 'utf8');

describe('moveBranch', () => {
  it('X4: a failed move removes its lock, so the next one succeeds', async () => {
    // A file cannot replace a folder that has content.
    const inTheWay = join(repository, 'refs/heads/main');
    await mkdir(join(inTheWay, 'x'), { recursive: true });
    await expect(moveBranch(repository, commitId)).rejects.toMatchObject({ syscall: 'rename' });
    expect(await heads()).toEqual(['main']);
    await rm(inTheWay, { recursive: true });
    await moveBranch(repository, commitId);
    expect(await main()).toBe(`${commitId}\n`);
    expect(await heads()).toEqual(['main']);
  });

  it("X4: another process's lock is respected and kept", async () => {
    await writeFile(join(repository, 'refs/heads/main.lock'), '');
    await expect(moveBranch(repository, commitId)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await heads()).toEqual(['main.lock']);
  });
});
