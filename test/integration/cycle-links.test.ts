import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Folder } from '../../server/kinds/cycle/cli/folder.ts';

const swapFolder = fileURLToPath(new URL('../fixtures/swap-folder.ts', import.meta.url));
const attempts = 300;

/** Returns whether the action succeeded. */
function tries(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

it.runIf(process.platform === 'linux')(
  'C1: a link that replaces a folder at any moment leads neither reads nor writes outside',
  async () => {
    const temporary = mkdtempSync(join(tmpdir(), 'koda-links-'));
    const root = join(temporary, 'root');
    const outside = join(temporary, 'outside');
    for (const folder of [join(root, 'dir'), outside]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(root, 'dir/file'), 'own');
    writeFileSync(join(outside, 'file'), 'foreign');
    symlinkSync(outside, join(root, 'link'));
    const folder = new Folder(root);
    const child = spawn(process.execPath, [swapFolder, root], { stdio: 'ignore' });
    try {
      // The control: the same race with plain paths does lead outside.
      const reached = () => readdirSync(outside).includes('plain');
      while (!reached()) tries(() => writeFileSync(join(root, 'dir/plain'), ''));
      rmSync(join(outside, 'plain'));

      const done = { read: 0, moved: 0, removed: 0 };
      const isDone = () => Math.min(...Object.values(done)) > 0;
      // Everything fails as long as the link is there, and a busy machine may stop the other process for a while.
      for (let count = 0; count < attempts || (!isDone() && count < 100 * attempts); count += 1) {
        const path = `dir/${count}`;
        if (tries(() => expect(folder.read('dir/file').content.toString()).toBe('own'))) done.read += 1;
        const staged = `staged-${count}`;
        folder.create(staged, { content: Buffer.from('x'), executable: false });
        if (tries(() => folder.move(staged, path))) done.moved += 1;
        if (tries(() => folder.remove(path))) done.removed += 1;
      }
      expect(isDone()).toBe(true);
      expect(readdirSync(outside)).toEqual(['file']);
      expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('foreign');
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);
