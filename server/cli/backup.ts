import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { KodaError } from '../contract/errors.ts';
import { routes, routeUrl } from '../contract/routes.ts';
import { checkArchiveEnd } from '../history/tar-end.ts';
import { sync } from '../storage/durable-file.ts';
import type { Session } from './connection.ts';
import { counted } from './counted.ts';

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/**
 * Saves everything that the studio keeps to a file (gzip when its name ends in `.gz` or `.tgz`), or to standard output
 * for `-`. The file appears under its name when it is complete and on disk.
 */
export async function backup(file: string, options: { renders: boolean }, { client, terminal, signal }: Session): Promise<void> {
  const content = await client.download(routeUrl(routes.backup, { query: { renders: options.renders ? 'true' : 'false' } }), {
    signal,
  });
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
    await orBroken(pipeline(whole, process.stdout, { signal }), signal);
    terminal.note(`Saved ${megabytes(bytes)}.`);
    return;
  }
  const target = resolve(file);
  const draft = `${target}.partial-${randomBytes(4).toString('hex')}`;
  try {
    const output = createWriteStream(draft, { flags: 'wx', mode: 0o600 });
    const isZipped = /\.(gz|tgz)$/i.test(target);
    const written = isZipped ? pipeline(whole, createGzip(), output, { signal }) : pipeline(whole, output, { signal });
    await orBroken(written, signal);
    await sync(draft);
    await rename(draft, target);
    await sync(dirname(target));
  } finally {
    await rm(draft, { force: true });
  }
  const { size } = await stat(target);
  terminal.note(`Put it back with: koda restore ${file}`);
  terminal.result(`Saved ${file} (${megabytes(size)}).`);
}

/** What breaks while bytes flow was the studio's end or the connection, unless this machine says otherwise. */
async function orBroken(work: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await work;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new KodaError('SERVICE_UNAVAILABLE', 'The back-up broke off, and nothing was saved. The log of the studio says why.', {
      cause: error,
      recovery: 'retry',
    });
  }
}

/** Puts a back-up (a file, or `-` for standard input) in the place of a stopped studio's data folder. */
export async function restore(
  file: string,
  options: { dataDir: string; force: boolean },
  { terminal, signal }: Session,
): Promise<boolean> {
  // Loaded when it is wanted: the other commands work without SQLite on this machine.
  const { restoreBackup } = await import('../backup/restore-backup.ts');
  if (file !== '-') await requireFile(file);
  const source = file === '-' ? process.stdin : createReadStream(file);
  const { counts, missing, movedTo, report } = await restoreBackup(source, {
    ...options,
    signal,
    onProgress: (bytes) => terminal.progress(`Restoring: ${megabytes(bytes)}`),
  });
  if (movedTo !== null) terminal.note(`What was there before is now in ${movedTo}`);
  for (const path of missing) terminal.note(`Was missing when the back-up was made: ${path}`);
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
    throw new KodaError('NOT_FOUND', `There is no file ${file} that can be read.`, { cause, recovery: 'name_backup' });
  }
}
