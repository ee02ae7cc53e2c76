import { copyFileSync, linkSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import type { ApplyCheck } from '#contract/sandbox/answers.ts';
import { parentsOf } from '../files/tar-stage.ts';
import { walkTree } from '../files/walk.ts';
import { FolderCursor, openFolder } from '../files/workspace.ts';
import { execStreamed } from '../processes/exec.ts';
import type { ApplyFolders } from './journal.ts';
import type { Step } from './validate-changes.ts';

/** Larger files (images, videos) are hard-linked, because no check writes to them and copying takes time. */
const maxCopiedBytes = 1024 * 1024;
const maxOutputCharacters = 64 * 1024;

export interface CheckRequest {
  readonly command: string;
  readonly timeoutMs: number;
}

/**
 * Runs a command in a temporary copy of the project that contains the staged files. Leaves the project unchanged. Throws
 * AbortError; errors from `execStreamed` propagate.
 */
export async function checkCopy(
  workspace: string,
  { folders, steps }: { folders: ApplyFolders; steps: readonly Step[] },
  { command, timeoutMs }: CheckRequest,
  signal: AbortSignal,
): Promise<ApplyCheck> {
  await copyProject(workspace, folders);
  for (const [index, { path, content }] of steps.entries()) {
    const target = folders.at(`tree/${path}`);
    rmSync(target, { force: true });
    for (const folder of content === null ? [] : parentsOf(path)) mkdirSync(folders.at(`tree/${folder}`), { recursive: true });
    if (content !== null) copyFileSync(folders.staged(index), target);
  }
  let output = '';
  let check: ApplyCheck = { exitCode: null, timedOut: false, output };
  const request = { command, cwd: '.koda/apply/tree', env: {}, timeoutMs };
  await execStreamed(
    workspace,
    request,
    async (event) => {
      signal.throwIfAborted();
      if (event.type === 'stdout' || event.type === 'stderr')
        output += event.text.slice(0, Math.max(0, maxOutputCharacters - output.length));
      else if (event.type === 'exit') check = { exitCode: event.exitCode, timedOut: event.timedOut, output };
    },
    signal,
  );
  return check;
}

async function copyProject(workspace: string, folders: ApplyFolders): Promise<void> {
  using cursor = new FolderCursor(workspace, { create: false });
  mkdirSync(folders.at('tree'));
  for await (const { path, stats } of walkTree(workspace, [], { recursive: true })) {
    const copy = folders.at(`tree/${path}`);
    if (stats.isDirectory()) mkdirSync(copy);
    else if (stats.isSymbolicLink()) symlinkSync(readlinkSync(cursor.resolve(path)), copy);
    else if (stats.isFile()) (Number(stats.size) > maxCopiedBytes ? linkSync : copyFileSync)(cursor.resolve(path), copy);
  }
  using root = openFolder(workspace, [], { create: false, links: 'never' });
  if (lstatSync(root.at('node_modules'), { throwIfNoEntry: false }))
    symlinkSync('../../../node_modules', folders.at('tree/node_modules'));
}
