import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { errorMessage, isCancelled } from '../contract/errors.ts';
import type { Finding, FindingKind, VerifyProgress, VerifyReport } from '../contract/upkeep.ts';
import { git } from '../history/git.ts';
import { dataPaths } from '../storage/data-paths.ts';
import { isMissing, namesIn } from '../storage/durable-file.ts';
import { checkDatabase } from './check-database.ts';
import { type AssetRow, type CheckpointRow, DataRows, type RenderRow } from './data-rows.ts';

interface Options {
  /** An open connection: the server's own, or one on a folder that no server works with. */
  readonly sqlite: BetterSqlite3.Database;
  readonly dataDir: string;
  readonly signal: AbortSignal;
  /** Called before each part. */
  readonly onProgress: (progress: VerifyProgress) => void;
}

/**
 * Looks at everything that a data folder holds, and changes nothing: the database's pages and references, every
 * repository and the commit of every checkpoint, the bytes of every upload, every finished render; and what nothing
 * refers to.
 * May run beside a server at work: what vanishes with its row meanwhile is no damage, and nothing is read in one piece
 * that takes long. Throws CANCELLED or an AbortError when the signal fires.
 */
export async function verifyData(options: Options): Promise<VerifyReport> {
  const check = new Check(options);
  return await check.run();
}

interface Fault {
  readonly missing: boolean;
  readonly message: string;
}

class Check {
  readonly #rows: DataRows;
  readonly #sqlite: BetterSqlite3.Database;
  readonly #dataDir: string;
  readonly #signal: AbortSignal;
  readonly #onProgress: Options['onProgress'];
  readonly #damage: Finding[] = [];
  readonly #warnings: Finding[] = [];

  constructor({ sqlite, dataDir, signal, onProgress }: Options) {
    this.#rows = new DataRows(sqlite);
    this.#sqlite = sqlite;
    this.#dataDir = dataDir;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  async run(): Promise<VerifyReport> {
    const checked = { projects: 0, repositories: 0, checkpoints: 0, assets: 0, renders: 0 };
    if (!(await this.#database())) return { checked, damage: this.#damage, warnings: [] };
    const projects = this.#rows.projects();
    for (const projectId of this.#each('histories', projects, (id) => id)) {
      const checkpoints = this.#rows.checkpoints(projectId);
      if (await this.#history(projectId, checkpoints)) checked.repositories++;
      checked.checkpoints += checkpoints.length;
    }
    const assets = this.#rows.assets();
    for (const asset of this.#each('uploads', assets, (row) => row.projectId)) await this.#asset(asset);
    const renders = this.#rows.finishedRenders();
    for (const render of this.#each('videos', renders, (row) => row.projectId)) await this.#render(render);
    await this.#leftovers();
    return {
      checked: { ...checked, projects: projects.length, assets: assets.length, renders: renders.length },
      damage: this.#damage,
      warnings: this.#warnings,
    };
  }

  /** Tells of each before it is handed out. */
  *#each<T>(step: VerifyProgress['step'], items: readonly T[], projectOf: (item: T) => string): Generator<T, void, void> {
    for (const [done, item] of items.entries()) {
      this.#onProgress({ step, done, total: items.length, projectId: projectOf(item) });
      yield item;
    }
  }

  /** False when nothing more can be read of it. */
  async #database(): Promise<boolean> {
    this.#onProgress({ step: 'database', done: 0, total: 1, projectId: null });
    const subject = 'koda.db';
    const found = (kind: FindingKind, message: string) => this.#damage.push({ kind, projectId: null, subject, message });
    try {
      const { faults, brokenReferences } = await checkDatabase(this.#sqlite.name, { signal: this.#signal });
      for (const fault of faults) found('database-damaged', fault.replace(/\s+/g, ' '));
      if (faults.length > 0) return false;
      for (const { table, rowid, parent } of brokenReferences) {
        found('reference-broken', `Row ${rowid} of the table ${table} refers to a row of ${parent} that does not exist.`);
      }
      for (const { projectId, checkpointId } of this.#rows.lostLastCheckpoints()) {
        const message = `The last checkpoint of project ${projectId} is ${checkpointId}, which does not exist.`;
        this.#damage.push({ kind: 'reference-broken', projectId, subject: checkpointId, message });
      }
      return true;
    } catch (error) {
      if (isCancelled(error)) throw error;
      found('database-damaged', errorMessage(error));
      return false;
    }
  }

  /** True when there is a repository. */
  async #history(projectId: string, checkpoints: readonly CheckpointRow[]): Promise<boolean> {
    const repository = dataPaths(this.#dataDir).repository(projectId);
    const subject = relative(this.#dataDir, repository);
    const found = (kind: FindingKind, message: string, about = subject) => {
      // The project may have been deleted while it was looked at.
      if (this.#rows.hasProject(projectId)) this.#damage.push({ kind, projectId, subject: about, message });
    };
    const there = await sizeOf(repository);
    if (there === null) {
      if (checkpoints.length > 0) found('repository-missing', `The history with ${checkpoints.length} checkpoints is gone.`);
      return false;
    }
    const options = { repository, signal: this.#signal };
    try {
      await git(['fsck', '--full', '--no-dangling', '--no-progress'], { ...options, input: null });
    } catch (error) {
      if (isCancelled(error)) throw error;
      found('repository-damaged', words(error));
    }
    try {
      const missing = await missingCommits(checkpoints, options);
      for (const { id, commitId } of missing) {
        found('checkpoint-missing', `Its commit ${commitId} is not in ${subject}.`, id);
      }
      const present = checkpoints.filter((checkpoint) => !missing.includes(checkpoint));
      // fsck follows the branches; this follows what the rows name.
      const args = ['rev-list', '--objects', '--quiet', '--stdin'];
      if (present.length > 0) await git(args, { ...options, input: lines(present.map(({ commitId }) => commitId)) });
    } catch (error) {
      if (isCancelled(error)) throw error;
      const known = this.#damage.some((finding) => finding.kind === 'repository-damaged' && finding.projectId === projectId);
      if (!known) found('repository-damaged', words(error));
    }
    return true;
  }

  async #asset(asset: AssetRow): Promise<void> {
    const path = join(dataPaths(this.#dataDir).assets(asset.projectId), asset.file);
    const fault = (await this.#fileFault(path, asset.sizeBytes)) ?? (await this.#contentFault(path, asset.sha256));
    if (!this.#rows.hasAsset(asset.id)) return;
    const about = { projectId: asset.projectId, subject: asset.id };
    if (fault !== null) {
      const kind = fault.missing ? 'asset-missing' : 'asset-damaged';
      this.#damage.push({ kind, ...about, message: `“${asset.name}”: ${fault.message}` });
    } else if (asset.sha256 === null) {
      const message = `“${asset.name}” has its size; its bytes cannot be compared.`;
      this.#warnings.push({ kind: 'asset-without-hash', ...about, message });
    }
  }

  async #render({ id, projectId, file, sizeBytes }: RenderRow): Promise<void> {
    const fault = await this.#fileFault(join(dataPaths(this.#dataDir).render(id), file), sizeBytes);
    if (fault === null || !this.#rows.hasRender(id)) return;
    this.#damage.push({
      kind: fault.missing ? 'render-missing' : 'render-damaged',
      projectId,
      subject: id,
      message: fault.message,
    });
  }

  /** Reads all of a file; nothing to compare it with is no fault. */
  async #contentFault(path: string, wantedSha256: string | null): Promise<Fault | null> {
    if (wantedSha256 === null) return null;
    const subject = relative(this.#dataDir, path);
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(path), hash, { signal: this.#signal });
    } catch (error) {
      if (isMissing(error)) return { missing: true, message: `${subject} is not there.` };
      this.#signal.throwIfAborted();
      return { missing: false, message: `${subject} cannot be read: ${errorMessage(error)}` };
    }
    if (hash.digest('hex') === wantedSha256) return null;
    return { missing: false, message: `${subject} has other bytes than those that were uploaded.` };
  }

  async #fileFault(path: string, wantedBytes: number | null): Promise<Fault | null> {
    this.#signal.throwIfAborted();
    const subject = relative(this.#dataDir, path);
    const sizeBytes = await sizeOf(path);
    if (sizeBytes === null) return { missing: true, message: `${subject} is not there.` };
    if (wantedBytes === null || sizeBytes === wantedBytes) return null;
    return { missing: false, message: `${subject} has ${sizeBytes} bytes instead of ${wantedBytes}.` };
  }

  /** Files in the folders of histories, uploads and videos that no row refers to. */
  async #leftovers(): Promise<void> {
    this.#onProgress({ step: 'leftovers', done: 0, total: 1, projectId: null });
    const warn = (path: string): void => {
      const message = 'Nothing refers to it.';
      this.#warnings.push({ kind: 'unreferenced', projectId: null, subject: path, message });
    };
    for (const name of (await namesIn(join(this.#dataDir, 'projects'))).toSorted()) {
      const [, projectId = ''] = /^(prj_[a-z0-9]+)\.git$/.exec(name) ?? [];
      if (!this.#rows.hasProject(projectId)) warn(join('projects', name));
    }
    for (const projectId of (await namesIn(join(this.#dataDir, 'assets'))).toSorted()) {
      if (!this.#rows.hasProject(projectId)) {
        warn(join('assets', projectId));
        continue;
      }
      for (const name of (await namesIn(join(this.#dataDir, 'assets', projectId))).toSorted()) {
        const [, assetId = ''] = /^(ast_[a-z0-9]+)\.[a-z0-9]+$/.exec(name) ?? [];
        if (!this.#rows.hasAsset(assetId)) warn(join('assets', projectId, name));
      }
    }
    for (const name of (await namesIn(join(this.#dataDir, 'renders'))).toSorted()) {
      if (!this.#rows.hasRender(name)) warn(join('renders', name));
    }
  }
}

async function missingCommits(
  checkpoints: readonly CheckpointRow[],
  options: { repository: string; signal: AbortSignal },
): Promise<CheckpointRow[]> {
  if (checkpoints.length === 0) return [];
  const input = lines(checkpoints.map(({ commitId }) => commitId));
  const answers = (await git(['cat-file', '--batch-check=%(objecttype)'], { ...options, input })).split('\n');
  return checkpoints.filter((_, index) => answers[index] !== 'commit');
}

async function* lines(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(`${text}\n`);
}

/** git's own words, also below an error that explains them. */
function words(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorMessage(cause).replace(/\s+/g, ' ').slice(0, 500);
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
