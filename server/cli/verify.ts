import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { KodaError } from '../contract/errors.ts';
import type { FindingKind, VerifyProgress, VerifyReport } from '../contract/upkeep.ts';
import { errorOf, type StudioClient } from './client.ts';
import type { Session } from './connection.ts';
import { counted } from './counted.ts';

/** What to do about each kind of finding. */
const advice: Record<FindingKind, string> = {
  'database-damaged': 'Stop Koda, keep a copy of the data folder, and restore a back-up (koda restore <file> --force).',
  'reference-broken': 'Something wrote to the database that is not Koda. Restore a back-up (koda restore <file> --force).',
  'repository-missing':
    'Put the folder back from a back-up, or open the project while its sandbox runs: it begins a new history.',
  'repository-damaged': 'Stop Koda and put this repository back from a back-up; other projects are not concerned.',
  'checkpoint-missing': 'Put the repository back from a back-up. Other checkpoints of the project can be restored.',
  'asset-missing': 'Delete the upload in the studio and upload it again, or put the file back from a back-up.',
  'asset-damaged': 'Delete the upload in the studio and upload it again, or put the file back from a back-up.',
  'render-missing': 'Delete the video in the studio and render it again: the same frames come out.',
  'render-damaged': 'Delete the video in the studio and render it again: the same frames come out.',
  'asset-without-hash':
    'It was uploaded before Koda kept hashes, so only its size was compared. Upload it again to have every byte watched.',
  unreferenced: 'No harm but the space it takes. Koda removes what is left of its own work by itself.',
};

/**
 * Checks everything that a studio keeps: through the running one, or, with `dataDir`, in the folder of one that is
 * stopped. True when nothing is damaged.
 */
export async function verify(
  options: { dataDir: string | null; json: boolean },
  { client, terminal, signal }: Session,
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

interface Watched {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerifyProgress) => void;
}

async function verifyStudio(client: StudioClient, { signal, onProgress }: Watched): Promise<VerifyReport> {
  for await (const line of client.verify({ signal })) {
    if (line.type === 'report') return line.report;
    if (line.type === 'error') throw errorOf(line);
    onProgress(line.progress);
  }
  throw new KodaError('SERVICE_UNAVAILABLE', 'The studio ended the check without a report. Its log says why.', {
    recovery: 'retry',
  });
}

const stepWords: Record<VerifyProgress['step'], string> = {
  database: 'the database',
  histories: 'histories',
  uploads: 'uploads',
  videos: 'videos',
  leftovers: 'for what nothing refers to',
};

function describeProgress({ step, done, total, projectId }: VerifyProgress): string {
  const part = projectId === null ? '' : `: ${done + 1} of ${total} (${projectId})`;
  return `Checking ${stepWords[step]}${part} …`;
}

async function verifyFolder(dataDir: string, { signal, onProgress }: Watched): Promise<VerifyReport> {
  // Loaded when they are wanted: the other commands work without SQLite on this machine.
  const [{ default: BetterSqlite3 }, { verifyData }, { lockDataFolder }] = await Promise.all([
    import('better-sqlite3'),
    import('../backup/verify.ts'),
    import('../storage/data-lock.ts'),
  ]);
  const file = join(dataDir, 'koda.db');
  try {
    // Before the lock, which would make the folder.
    await access(file);
  } catch (cause) {
    throw new KodaError('NOT_FOUND', `There is no database in ${dataDir}. Name the data folder of a studio with --data.`, {
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

/** The report as lines for a person: what was found, grouped by kind with what to do, and what was looked at. */
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
    `Checked ${parts.join(', ')}: ${damage.length === 0 ? 'all is whole' : `${damage.length} damaged`}${warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning')}`}.`,
  );
  return lines;
}
