import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { KodaError } from '#contract/errors.ts';
import { routes, routeUrl } from '#contract/routes.ts';
import { checkArchiveEnd } from '../history/fast-import.ts';
import { sync } from '../storage/durable-file.ts';
import type { CommandContext } from './client.ts';
import { counted } from './output-text.ts';

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Saves all data to a file, or to standard output for `-`. The file appears only when it is complete and on disk. */
export async function backup(
  file: string,
  options: { renders: boolean },
  { client, terminal, signal }: CommandContext,
): Promise<void> {
  const path = routeUrl(routes.backup, { query: { renders: options.renders ? 'true' : 'false' } });
  const content = await client.download(path, { method: 'POST', signal });
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      bytes += piece.byteLength;
      terminal.progress(`Saving: ${megabytes(bytes)}`);
      yield piece;
    }
  }
  const whole = checkArchiveEnd(counted());
  if (file === '-') {
    await orConnectionError(pipeline(whole, process.stdout, { signal }), signal);
    terminal.note(`Saved ${megabytes(bytes)}.`);
    return;
  }
  const target = resolve(file);
  const tempPath = `${target}.partial-${randomBytes(4).toString('hex')}`;
  try {
    const output = createWriteStream(tempPath, { flags: 'wx', mode: 0o600 });
    const isZipped = /\.(gz|tgz)$/i.test(target);
    const written = isZipped ? pipeline(whole, createGzip(), output, { signal }) : pipeline(whole, output, { signal });
    await orConnectionError(written, signal);
    await sync(tempPath);
    await rename(tempPath, target);
    await sync(dirname(target));
  } finally {
    await rm(tempPath, { force: true });
  }
  const { size } = await stat(target);
  terminal.note(`Restore it with: koda restore ${file}`);
  terminal.result(`Saved ${file} (${megabytes(size)}).`);
}

/** Maps errors during the transfer to studio or connection errors, except system errors on this machine. */
async function orConnectionError(work: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await work;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new KodaError(
      'SERVICE_UNAVAILABLE',
      'The backup was interrupted, and nothing was saved. See the studio’s log for the cause, then try again.',
      {
        cause: error,
        recovery: 'retry',
      },
    );
  }
}

/** Restores a stopped studio from a backup (a file, or `-` for standard input). Returns whether the data is undamaged. */
export async function restore(
  file: string,
  options: { dataDir: string; force: boolean },
  { terminal, signal }: CommandContext,
): Promise<boolean> {
  // Loaded on demand, so that other commands work without SQLite.
  const { restoreBackup } = await import('../backup/restore-backup.ts');
  if (file !== '-') await requireFile(file);
  const source = file === '-' ? process.stdin : createReadStream(file);
  const { counts, missing, movedTo, report } = await restoreBackup(source, {
    ...options,
    signal,
    onProgress: (bytes) => terminal.progress(`Restoring: ${megabytes(bytes)}`),
  });
  if (movedTo !== null) terminal.note(`The previous data folder is now in ${movedTo}`);
  terminal.note('Access tokens are not restored. Create new ones with: koda token create');
  for (const path of missing) terminal.note(`Missing since before the backup: ${path}`);
  for (const { subject, message } of report.damage) terminal.note(`Damaged: ${subject}: ${message}`);
  const { projects, checkpoints, assets, renders } = counts;
  terminal.result(
    `Restored ${counted(projects, 'project')}, ${counted(checkpoints, 'checkpoint')}, ${counted(assets, 'upload')} and ${counted(renders, 'video')} to ${options.dataDir}. Start the studio with: npm start`,
  );
  return report.damage.length === 0;
}

async function requireFile(file: string): Promise<void> {
  try {
    await access(file);
  } catch (cause) {
    throw new KodaError('NOT_FOUND', `The file ${file} does not exist or cannot be read. Check its path.`, {
      cause,
      recovery: 'name_backup',
    });
  }
}
