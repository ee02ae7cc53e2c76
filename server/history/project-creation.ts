import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import { checkpointTitle } from '#contract/history.ts';
import { newId } from '#contract/ids.ts';
import type { CheckpointLedger } from '../storage/checkpoint-ledger.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { type DiskTicket, type DiskUsage, ticketed } from '../storage/disk-usage.ts';
import { makeDirectory, stageFile, tempName } from '../storage/durable-file.ts';
import { fetchBundle, readText } from './bundle-import.ts';
import type { ProjectCreator, ProjectSeed } from './checkpoints.ts';
import { fastImportStream, treeCommitStream } from './fast-import.ts';
import { git, gitOutput } from './git.ts';
import { importLimits, unusable } from './import-limits.ts';
import {
  type CommittedFiles,
  commitMessage,
  ensureRepository,
  importCommit,
  incomingRef,
  moveBranch,
  requireCommit,
} from './repository.ts';
import { tarOfZip } from './zip-import.ts';

/** Uploads are recognised by their first bytes, because their names and types are unreliable. */
const bundleStart = /^# v[23] git bundle\n/;
const zipStart = 'PK';
const maxReadBytes = 1024 * 1024;
/** A crafted pack could keep git busy forever. */
const importTimeoutMs = 10 * 60_000;

/** Repository under construction. Renamed to the project's repository once it is complete. */
interface Draft {
  readonly repository: string;
  readonly message: string;
  readonly ticket: DiskTicket;
  readonly signal: AbortSignal;
}

interface ImportDraft extends Draft {
  readonly requiredFiles: readonly string[];
}

/** Renames the repository in the transaction that writes the rows. After a crash, the sweep removes it. */
export class GitProjectCreator implements ProjectCreator {
  readonly #paths: DataPaths;
  readonly #ledger: CheckpointLedger;
  readonly #disk: DiskUsage;

  constructor({ dataDir, ledger, disk }: { dataDir: string; ledger: CheckpointLedger; disk: DiskUsage }) {
    this.#paths = dataPaths(dataDir);
    this.#ledger = ledger;
    this.#disk = disk;
  }

  async branch(
    source: { projectId: string; checkpointId: string },
    seed: ProjectSeed,
    { id, signal }: { id: string; signal: AbortSignal },
  ): Promise<void> {
    const { commitId, treeId, title } = await this.#ledger.find(source.projectId, source.checkpointId);
    const origin = this.#paths.repository(source.projectId);
    await requireCommit(origin, commitId, signal);
    using ticket = await this.#disk.reserve({ projectId: id });
    const label = { projectId: id, trigger: 'branch', title: `Branched from “${title}”` };
    await this.#create(label, { ticket, signal }, async (draft) => {
      await copyHistory(origin, commitId, draft);
      return { seed, files: await commitTree(draft, { commitId, treeId }) };
    });
  }

  async import(
    content: AsyncIterable<Uint8Array>,
    seedFrom: (read: (path: string) => Promise<string | null>) => Promise<ProjectSeed>,
    options: { id: string; requiredFiles: readonly string[]; signal: AbortSignal },
  ): Promise<void> {
    const { requiredFiles } = options;
    const folder = dirname(this.#paths.repository(newId('prj')));
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(importTimeoutMs)]);
    using ticket = await this.#disk.reserve({ projectId: options.id });
    await using upload = await stageFile(folder, ticketed(content, ticket), { maxBytes: importLimits.uploadBytes, signal });
    const kind = await kindOf(upload.path);
    // git unpacks a bundle into a pack and an index that are about as large.
    if (kind === 'bundle') await ticket.take(2 * upload.sizeBytes);
    await this.#create({ projectId: options.id, trigger: 'import', title: null }, { ticket, signal }, async (draft) => {
      const files = await (kind === 'zip' ? importZip : importBundle)(upload.path, { ...draft, requiredFiles });
      return { files, seed: await seedFrom((path) => readText(draft, files.commitId, path, { maxBytes: maxReadBytes })) };
    });
  }

  async #create(
    label: { projectId: string; trigger: string; title: string | null },
    { ticket, signal }: Pick<Draft, 'ticket' | 'signal'>,
    fill: (draft: Draft) => Promise<{ seed: ProjectSeed; files: CommittedFiles }>,
  ): Promise<void> {
    const id = newId('chk');
    const { projectId, trigger } = label;
    const title = checkpointTitle(trigger, label.title);
    const final = this.#paths.repository(projectId);
    const repository = join(dirname(final), tempName());
    if (await this.#ledger.hasProject(projectId)) throw new KodaError('CONFLICT', `The project ${projectId} already exists.`);
    // An earlier attempt with this id may have crashed before writing its rows.
    await rm(final, { recursive: true, force: true });
    try {
      await makeDirectory(dirname(final));
      await ensureRepository(repository, { signal });
      const { seed, files } = await fill({ repository, message: commitMessage(title, id), ticket, signal });
      const { events, ...project } = seed;
      await moveBranch(repository, files.commitId);
      const checkpoint = { id, trigger, title, ...files, name: null, restoredFrom: null };
      const place = () => {
        renameSync(repository, final);
        syncNow(dirname(final));
      };
      await this.#ledger.createProject({ ...project, id: projectId }, checkpoint, { events, place });
    } catch (error) {
      await rm(repository, { recursive: true, force: true });
      await rm(final, { recursive: true, force: true });
      throw error;
    }
  }
}

/** Copies a commit and its ancestors to another repository. The two share no objects afterwards. */
async function copyHistory(origin: string, commitId: string, { repository, ticket, signal }: Draft): Promise<void> {
  const wanted = Readable.from([Buffer.from(`${commitId}\n`)]);
  const objects = gitOutput(['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset'], {
    repository: origin,
    signal,
    input: wanted,
  });
  await git(['index-pack', '--stdin'], { repository, signal, input: ticketed(objects, ticket) });
}

/** Commits the project's initial state on top of the copied history. */
async function commitTree({ repository, message, signal }: Draft, { commitId, treeId }: CommittedFiles): Promise<CommittedFiles> {
  const source = treeCommitStream({ ref: incomingRef, parent: commitId, message, at: new Date(), treeId });
  return await importCommit(repository, source, signal);
}

async function importZip(
  path: string,
  { repository, message, ticket, signal, requiredFiles }: ImportDraft,
): Promise<CommittedFiles> {
  const tar = ticketed(tarOfZip(path, requiredFiles), ticket);
  const source = { ref: incomingRef, parent: null, message, at: new Date(), complete: true, deleted: [], tar };
  return await importCommit(repository, fastImportStream(source), signal);
}

async function importBundle(path: string, draft: ImportDraft): Promise<CommittedFiles> {
  const { repository, signal } = draft;
  const commitId = await fetchBundle(path, draft);
  const treeId = (await git(['rev-parse', `${commitId}^{tree}`], { repository, signal, input: null })).trim();
  return await commitTree(draft, { commitId, treeId });
}

function syncNow(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

async function kindOf(path: string): Promise<'zip' | 'bundle'> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0);
  const start = buffer.toString('latin1', 0, bytesRead);
  if (bundleStart.test(start)) return 'bundle';
  if (start.startsWith(zipStart)) return 'zip';
  if (bytesRead === 0) throw unusable('it is empty');
  throw new KodaError('UNSUPPORTED_TYPE', 'The file was not imported: it is neither a zip nor a git bundle.', {
    details: { field: 'file' },
    recovery: 'send_other_file',
  });
}
