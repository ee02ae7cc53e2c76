import { randomBytes } from 'node:crypto';
import { chmod, opendir, rename, rmdir, unlink } from 'node:fs/promises';
import { isMissing } from '../storage/durable-file.ts';

/**
 * Removes a folder that a sandbox has written, with all that is in it: folders that are nested deeper than a path may be
 * long, folders that are closed to their owner, and names that are no text, at each of which a recursive `rm` gives up.
 * Nothing may write to it any more. Fine when it is not there.
 */
export async function removeHostileFolder(folder: string): Promise<void> {
  const root = Buffer.from(folder);
  const mark = randomBytes(8).toString('hex');
  let lifted = 0;
  // What lies deeper is lifted to the top, so that no path becomes longer than two names below it.
  const lift = async (path: Buffer): Promise<void> => {
    await chmod(path, 0o700);
    await rename(path, within(root, Buffer.from(`.${mark}-${lifted++}`)));
  };
  const dissolve = async (path: Buffer): Promise<void> => {
    await chmod(path, 0o700);
    await empty(path, lift);
    await rmdir(path);
  };
  try {
    await chmod(root, 0o700);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await empty(root, dissolve);
  await rmdir(root);
}

/** Deletes what is in a folder; `onFolder` takes the folders in it away. */
async function empty(folder: Buffer, onFolder: (path: Buffer) => Promise<void>): Promise<void> {
  // A listing that is read while things go and come may leave some out.
  for (let found = true; found; ) {
    found = false;
    // One byte a letter: every name comes back as it is on the disk.
    for await (const entry of await opendir(folder, { encoding: 'latin1' })) {
      found = true;
      const path = within(folder, Buffer.from(entry.name, 'latin1'));
      await (entry.isDirectory() ? onFolder(path) : unlink(path));
    }
  }
}

function within(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}
