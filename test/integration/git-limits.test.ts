import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { git, gitOutput } from '../../server/history/git.ts';

const { signal } = new AbortController();
const mebibyte = 1024 ** 2;
let folder: string;
let repository: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'koda-git-'));
  repository = join(folder, 'history.git');
  execFileSync('git', ['init', '--quiet', '--bare', repository]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Encodes a size as in a delta (gitformat-pack(5)). */
function deltaSize(size: number): number[] {
  return size < 128 ? [size] : [(size & 127) | 128, ...deltaSize(Math.floor(size / 128))];
}

function entry(type: number, prefix: Buffer, content: Buffer): Buffer {
  const head = [(type << 4) | (content.length & 15)];
  for (let rest = content.length >> 4; rest > 0; rest >>= 7) {
    head[head.length - 1] = (head.at(-1) ?? 0) | 128;
    head.push(rest & 127);
  }
  return Buffer.concat([Buffer.from(head), prefix, deflateSync(content)]);
}

/** Adds a pack of two kilobytes with a blob of this many MiB, as a delta that repeats another blob. Returns the blob's id. */
function addDeltaBomb(mebibytes: number): string {
  const base = Buffer.alloc(mebibyte);
  const baseId = createHash('sha1').update(`blob ${base.length}\0`).update(base).digest();
  const copyAll = Buffer.from([0x80 | 0x40, 0x10]);
  const sizes = Buffer.from([...deltaSize(base.length), ...deltaSize(mebibytes * mebibyte)]);
  const delta = Buffer.concat([sizes, ...Array.from({ length: mebibytes }, () => copyAll)]);
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(2, 8);
  const body = Buffer.concat([head, entry(3, Buffer.alloc(0), base), entry(7, baseId, delta)]);
  const input = Buffer.concat([body, createHash('sha1').update(body).digest()]);
  execFileSync('git', ['--git-dir', repository, 'index-pack', '--stdin'], { input });
  const id = createHash('sha1').update(`blob ${mebibytes * mebibyte}\0`);
  for (let index = 0; index < mebibytes; index += 1) id.update(base);
  return id.digest('hex');
}

async function sizeOf(args: readonly string[], input: string | null = null): Promise<number> {
  let bytes = 0;
  const source =
    input === null
      ? {}
      : {
          input: (async function* () {
            yield Buffer.from(input);
          })(),
        };
  for await (const piece of gitOutput(args, { repository, signal, ...source })) bytes += (piece as Uint8Array).byteLength;
  return bytes;
}

function commitOf(tree: string, parent: string | null): string {
  const author = { GIT_AUTHOR_NAME: 'k', GIT_AUTHOR_EMAIL: 'k@k', GIT_COMMITTER_NAME: 'k', GIT_COMMITTER_EMAIL: 'k@k' };
  const args = ['--git-dir', repository, 'commit-tree', tree, '-m', 'x', ...(parent === null ? [] : ['-p', parent])];
  return execFileSync('git', args, { env: { ...process.env, ...author }, encoding: 'utf8' }).trim();
}

describe('limits of git', () => {
  it('M11: a delta bomb fails with a clear error, whatever reads it', async () => {
    const blob = addDeltaBomb(900);
    const tree = execFileSync('git', ['--git-dir', repository, 'mktree'], {
      input: `100644 blob ${blob}\tbomb.bin\n`,
      encoding: 'utf8',
    }).trim();
    const commit = commitOf(tree, null);
    for (const args of [
      ['cat-file', 'blob', blob],
      ['archive', '--format=tar', commit],
      ['archive', '--format=zip', commit],
    ]) {
      await expect(sizeOf(args), args[0]).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        message: expect.stringContaining('more than 512 MiB of memory'),
      });
    }
  });

  it('M11: a command that takes too much CPU time is stopped', async () => {
    const limits = { memoryBytes: 512 * mebibyte, cpuSeconds: 1 };
    const endless = (async function* () {
      for (;;) yield Buffer.alloc(mebibyte);
    })();
    await expect(git(['hash-object', '--stdin'], { repository, signal, limits, input: endless })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('1 s of CPU time'),
    });
  });

  it('M11: a history of 3,000 files and 40 checkpoints is read, packed and checked within the limits', async () => {
    const lines: string[] = [];
    for (let commit = 1; commit <= 40; commit += 1) {
      lines.push(`commit refs/heads/main\ncommitter k <k@k> ${1_700_000_000 + commit} +0000\ndata 1\nx`);
      const files = commit === 1 ? 3_000 : 400;
      for (let file = 0; file < files; file += 1) {
        const text = Array.from(
          { length: 40 },
          (_, line) => `line ${line} of ${file}, ${line === commit % 40 ? commit : 0}`,
        ).join('\n');
        lines.push(`M 100644 inline src/${file % 50}/file-${file}.ts\ndata ${text.length}\n${text}`);
      }
      // A film's image or sound.
      const asset = Buffer.alloc(3 * mebibyte, `${commit}`).toString('latin1');
      lines.push(`M 100644 inline public/asset.bin\ndata ${asset.length}\n${asset}`);
    }
    execFileSync('git', ['--git-dir', repository, 'fast-import', '--quiet'], {
      input: `${lines.join('\n')}\n`,
      maxBuffer: 1024 ** 3,
    });
    const options = { repository, signal, input: null };
    const commits = (await git(['rev-list', 'main'], options)).trim().split('\n');
    expect(commits).toHaveLength(40);
    const renames = ['-M', '-l400', '--root', '-r', '-z'];
    expect(await sizeOf(['diff-tree', '--stdin', ...renames, '--name-status'], `${commits.join('\n')}\n`)).toBeGreaterThan(
      300_000,
    );
    expect(await sizeOf(['diff-tree', '-p', ...renames, 'main'])).toBeGreaterThan(10_000);
    expect(await sizeOf(['archive', '--format=tar', 'main'])).toBeGreaterThan(3 * mebibyte);
    expect(await sizeOf(['archive', '--format=zip', 'main'])).toBeGreaterThan(300_000);
    expect(await sizeOf(['pack-objects', '--revs', '--stdout', '-q'], 'main\n')).toBeGreaterThan(300_000);
    await git(['repack', '-a', '-d', '-q', '-f'], options);
    await git(['fsck', '--full', '--strict', '--no-dangling'], options);
  });
});
