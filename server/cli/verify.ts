import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, hasCode, KodaError } from '#contract/errors.ts';
import type { FindingKind, VerifyProgress, VerifyReport } from '#contract/maintenance.ts';
import { type CommandContext, errorOf, type StudioClient } from './client.ts';
import { counted } from './output-text.ts';

const advice: Record<FindingKind, string> = {
  'database-damaged': 'Stop Koda, copy the data folder, and restore a backup (koda restore <file> --force).',
  'reference-broken': 'Another program changed the database. Restore a backup (koda restore <file> --force).',
  'repository-missing':
    'Restore the folder from a backup, or open the project while its sandbox is running to start a new history.',
  'repository-damaged': 'Stop Koda and restore this repository from a backup. Other projects are not affected.',
  'checkpoint-missing': 'Restore the repository from a backup. Other checkpoints of the project still work.',
  'asset-missing': 'Delete the upload in the studio and upload it again, or restore the file from a backup.',
  'asset-damaged': 'Delete the upload in the studio and upload it again, or restore the file from a backup.',
  'render-missing': 'Delete the video in the studio and render it again. The result will be the same.',
  'render-damaged': 'Delete the video in the studio and render it again. The result will be the same.',
  'asset-without-hash':
    'It was uploaded before Koda stored hashes, so only its size was checked. Upload it again to check its content in the future.',
  unreferenced: 'It only takes up space. Koda removes its own orphaned files automatically.',
};

/**
 * Verifies all data in the running studio, or in a stopped studio's folder if `dataDir` is set. Returns whether it is
 * undamaged.
 */
export async function verify(
  options: { dataDir: string | null; json: boolean },
  { client, terminal, signal }: CommandContext,
): Promise<boolean> {
  const onProgress = (progress: VerifyProgress): void => terminal.progress(describeProgress(progress));
  const report =
    options.dataDir === null
      ? await verifyStudio(client, { signal, onProgress })
      : await verifyFolder(options.dataDir, { signal, onProgress });
  if (options.json) terminal.result(JSON.stringify(report, null, 2));
  else for (const line of printReport(report)) terminal.result(line);
  return report.damage.length === 0;
}

interface ProgressOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerifyProgress) => void;
}

async function verifyStudio(client: StudioClient, { signal, onProgress }: ProgressOptions): Promise<VerifyReport> {
  for await (const line of client.verify({ signal })) {
    if (line.type === 'report') return line.report;
    if (line.type === 'error') throw errorOf(line);
    onProgress(line.progress);
  }
  throw new KodaError(
    'SERVICE_UNAVAILABLE',
    'The check stopped before it produced a report. See the studio’s log for the cause, then try again.',
    {
      recovery: 'retry',
    },
  );
}

const stepLabels: Record<VerifyProgress['step'], string> = {
  database: 'the database',
  histories: 'histories',
  uploads: 'uploads',
  videos: 'videos',
  leftovers: 'unreferenced files',
};

function describeProgress({ step, done, total, projectId }: VerifyProgress): string {
  const part = projectId === null ? '' : `: ${done + 1} of ${total} (${projectId})`;
  return `Checking ${stepLabels[step]}${part} …`;
}

async function verifyFolder(dataDir: string, { signal, onProgress }: ProgressOptions): Promise<VerifyReport> {
  // Loaded on demand, so that other commands work without SQLite.
  const [{ default: BetterSqlite3 }, { verifyData }, { lockDataFolder }] = await Promise.all([
    import('better-sqlite3'),
    import('../backup/verify.ts'),
    import('../storage/data-lock.ts'),
  ]);
  const file = join(dataDir, 'koda.db');
  try {
    // Checked before locking, which would create the folder.
    await access(file, constants.R_OK);
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT', 'ENOTDIR'))
      throw new KodaError(
        'FORBIDDEN',
        `The database in ${dataDir} cannot be read: ${errorMessage(cause)}. Run this command as the user who owns that folder.`,
        { cause, recovery: 'run_as_owner' },
      );
    throw new KodaError('NOT_FOUND', `There is no database in ${dataDir}. Specify a studio’s data folder with --data.`, {
      cause,
      recovery: 'name_data_folder',
    });
  }
  const lock = lockDataFolder(dataDir);
  try {
    const sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
    try {
      return await verifyData({ sqlite, dataDir, signal, onProgress });
    } finally {
      sqlite.close();
    }
  } finally {
    lock.release();
  }
}

/** Formats the report as text: findings by kind with advice, and what was checked. */
export function printReport({ checked, damage, warnings }: VerifyReport): string[] {
  const lines: string[] = [];
  for (const [title, findings] of [
    ['DAMAGED', damage],
    ['warning', warnings],
  ] as const) {
    const kinds = [...new Set(findings.map(({ kind }) => kind))];
    for (const kind of kinds) {
      lines.push(`${title}  ${kind}`);
      for (const { kind: of, subject, projectId, message } of findings) {
        if (of !== kind) continue;
        const owner = projectId === null || subject.includes(projectId) ? '' : `  (project ${projectId})`;
        lines.push(`  ${subject}${owner}  ${message}`);
      }
      lines.push(`  → ${advice[kind]}`, '');
    }
  }
  const { projects, repositories, checkpoints, assets, renders } = checked;
  const parts = [
    counted(projects, 'project'),
    counted(repositories, 'history', 'histories'),
    counted(checkpoints, 'checkpoint'),
    counted(assets, 'upload'),
    counted(renders, 'video'),
  ];
  lines.push(
    `Checked ${parts.join(', ')}: ${damage.length === 0 ? 'no damage' : `${damage.length} damaged`}${warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning')}`}.`,
  );
  return lines;
}
