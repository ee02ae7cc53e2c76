import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { errorMessage, isCancelled } from '#contract/errors.ts';
import type { Finding, FindingKind, VerifyProgress, VerifyReport } from '#contract/maintenance.ts';
import { git } from '../history/git.ts';
import { dataPaths } from '../storage/data-paths.ts';
import { isMissing, namesIn } from '../storage/durable-file.ts';
import { checkDatabase } from './check-database.ts';
import { type AssetRow, type CheckpointRow, DataRows, type RenderRow } from './data-rows.ts';

interface Options {
  readonly sqlite: BetterSqlite3.Database;
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerifyProgress) => void;
}

/**
 * Verifies everything in a data folder without changing it: the database's pages and references, repositories and every
 * checkpoint's commit, the content of uploads, finished renders, and unreferenced files. Can run beside an active server:
 * data deleted together with its row does not count as damage, and long reads are split. Throws CANCELLED or an AbortError if
 * the signal aborts.
 */
export async function verifyData(options: Options): Promise<VerifyReport> {
  const check = new Check(options);
  return await check.run();
}

interface FileProblem {
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
    await this.#unreferencedFiles();
    return {
      checked: { ...checked, projects: projects.length, assets: assets.length, renders: renders.length },
      damage: this.#damage,
      warnings: this.#warnings,
    };
  }

  *#each<T>(step: VerifyProgress['step'], items: readonly T[], projectOf: (item: T) => string): Generator<T, void, void> {
    for (const [done, item] of items.entries()) {
      this.#onProgress({ step, done, total: items.length, projectId: projectOf(item) });
      yield item;
    }
  }

  async #database(): Promise<boolean> {
    this.#onProgress({ step: 'database', done: 0, total: 1, projectId: null });
    const subject = 'koda.db';
    const found = (kind: FindingKind, message: string) => this.#damage.push({ kind, projectId: null, subject, message });
    try {
      const { errors, brokenReferences } = await checkDatabase(this.#sqlite.name, { kind: 'full', signal: this.#signal });
      for (const error of errors) found('database-damaged', error.replace(/\s+/g, ' '));
      if (errors.length > 0) return false;
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

  async #history(projectId: string, checkpoints: readonly CheckpointRow[]): Promise<boolean> {
    const repository = dataPaths(this.#dataDir).repository(projectId);
    const subject = relative(this.#dataDir, repository);
    const found = (kind: FindingKind, message: string, about = subject) => {
      // The project may have been deleted during the check.
      if (this.#rows.hasProject(projectId)) this.#damage.push({ kind, projectId, subject: about, message });
    };
    const sizeBytes = await sizeOf(repository);
    if (sizeBytes === null) {
      if (checkpoints.length > 0) found('repository-missing', `The history with ${checkpoints.length} checkpoints is missing.`);
      return false;
    }
    const options = { repository, signal: this.#signal };
    try {
      await git(['fsck', '--full', '--no-dangling', '--no-progress'], { ...options, input: null });
    } catch (error) {
      if (isCancelled(error)) throw error;
      found('repository-damaged', gitMessage(error));
    }
    try {
      const missing = await missingCommits(checkpoints, options);
      for (const { id, commitId } of missing) {
        found('checkpoint-missing', `Its commit ${commitId} is not in ${subject}.`, id);
      }
      const present = checkpoints.filter((checkpoint) => !missing.includes(checkpoint));
      // fsck follows the branches; this command follows the commits in the rows.
      const args = ['rev-list', '--objects', '--quiet', '--stdin'];
      if (present.length > 0) await git(args, { ...options, input: lines(present.map(({ commitId }) => commitId)) });
    } catch (error) {
      if (isCancelled(error)) throw error;
      const known = this.#damage.some((finding) => finding.kind === 'repository-damaged' && finding.projectId === projectId);
      if (!known) found('repository-damaged', gitMessage(error));
    }
    return true;
  }

  async #asset(asset: AssetRow): Promise<void> {
    const path = join(dataPaths(this.#dataDir).assets(asset.projectId), asset.file);
    const problem = (await this.#fileProblem(path, asset.sizeBytes)) ?? (await this.#contentProblem(path, asset.sha256));
    if (!this.#rows.hasAsset(asset.id)) return;
    const about = { projectId: asset.projectId, subject: asset.id };
    if (problem !== null) {
      const kind = problem.missing ? 'asset-missing' : 'asset-damaged';
      this.#damage.push({ kind, ...about, message: `“${asset.name}”: ${problem.message}` });
    } else if (asset.sha256 === null) {
      const message = `“${asset.name}” has the right size, but there is no hash to compare its content with.`;
      this.#warnings.push({ kind: 'asset-without-hash', ...about, message });
    }
  }

  async #render({ id, projectId, file, sizeBytes }: RenderRow): Promise<void> {
    const problem = await this.#fileProblem(join(dataPaths(this.#dataDir).render(id), file), sizeBytes);
    if (problem === null || !this.#rows.hasRender(id)) return;
    this.#damage.push({
      kind: problem.missing ? 'render-missing' : 'render-damaged',
      projectId,
      subject: id,
      message: problem.message,
    });
  }

  /** Compares a file's content with its hash. Returns `null` if no hash is stored. */
  async #contentProblem(path: string, expectedSha256: string | null): Promise<FileProblem | null> {
    if (expectedSha256 === null) return null;
    const subject = relative(this.#dataDir, path);
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(path), hash, { signal: this.#signal });
    } catch (error) {
      if (isMissing(error)) return { missing: true, message: `${subject} is missing.` };
      this.#signal.throwIfAborted();
      return { missing: false, message: `${subject} cannot be read: ${errorMessage(error)}` };
    }
    if (hash.digest('hex') === expectedSha256) return null;
    return { missing: false, message: `${subject} does not match the uploaded file.` };
  }

  async #fileProblem(path: string, expectedBytes: number | null): Promise<FileProblem | null> {
    this.#signal.throwIfAborted();
    const subject = relative(this.#dataDir, path);
    const sizeBytes = await sizeOf(path);
    if (sizeBytes === null) return { missing: true, message: `${subject} is missing.` };
    if (expectedBytes === null || sizeBytes === expectedBytes) return null;
    return { missing: false, message: `${subject} is ${sizeBytes} bytes instead of ${expectedBytes}.` };
  }

  /** Reports unreferenced files in the histories, uploads and videos folders. */
  async #unreferencedFiles(): Promise<void> {
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
  const types = (await git(['cat-file', '--batch-check=%(objecttype)'], { ...options, input })).split('\n');
  return checkpoints.filter((_, index) => types[index] !== 'commit');
}

async function* lines(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(`${text}\n`);
}

/** Returns git's own error message, even if git's error is only the cause of another one. */
function gitMessage(error: unknown): string {
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
