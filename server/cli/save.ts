import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Session } from './connection.ts';

/** Downloads beside the target and renames, so that an interrupted download never looks like the whole file. */
export async function saveDownload(
  path: string,
  target: string,
  { client, signal }: Pick<Session, 'client' | 'signal'>,
): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.partial`;
  try {
    const body = await client.download(path, { signal });
    await pipeline(Readable.fromWeb(body), createWriteStream(partial), { signal });
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}
