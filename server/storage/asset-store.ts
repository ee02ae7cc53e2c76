import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KodaError } from '#contract/errors.ts';
import { assetIdSchema, newId, projectIdSchema } from '#contract/ids.ts';
import type { Asset } from '#contract/project.ts';
import { maxAssetBytes } from '#contract/uploads.ts';
import { failpoint } from '../lib/failpoint.ts';
import { safeAssetName, sniffAsset } from './asset-type.ts';
import { type DataPaths, dataPaths } from './data-paths.ts';
import type { Database } from './database.ts';
import { type DiskUsage, ticketed } from './disk-usage.ts';
import { and, eq } from './drizzle.ts';
import { isStaleTempFile, namesIn, stageFile } from './durable-file.ts';
import { selectAssets, selectProject, toAsset } from './project-rows.ts';
import { assets, projects } from './schema.ts';

export type OpenBytes = (part?: { readonly start: number; readonly end: number }) => AsyncIterable<Uint8Array>;

export interface AssetStore {
  /** Detects the type, checks the limits and stores the file durably. Throws UNSUPPORTED_TYPE, TOO_LARGE or STORAGE_FULL. */
  add(
    projectId: string,
    upload: { id?: string; name: string; content: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ): Promise<Asset>;
  list(projectId: string): Promise<Asset[]>;
  /**
   * Finds an asset. `open` reads all of its bytes, or those from `start` to `end` (both inclusive). It opens the file on the
   * first read.
   */
  read(projectId: string, assetId: string): Promise<{ asset: Asset; open: OpenBytes }>;
  remove(projectId: string, assetId: string): Promise<void>;
  removeAll(projectId: string): Promise<void>;
}

/** Stores uploads. A file is durable under its final name before its row is written, so every row has its file. */
export class FileAssetStore implements AssetStore {
  readonly #database: Database;
  readonly #disk: DiskUsage;
  readonly #paths: DataPaths;
  /** Files with their final name whose row has not been written yet. */
  readonly #adding = new Set<string>();

  constructor(database: Database, disk: DiskUsage) {
    this.#database = database;
    this.#disk = disk;
    this.#paths = dataPaths(database.dataDir);
  }

  async add(
    projectId: string,
    upload: { id?: string; name: string; content: AsyncIterable<Uint8Array>; signal: AbortSignal },
  ): Promise<Asset> {
    this.#database.read((tx) => selectProject(tx, projectId));
    const folder = this.#paths.assets(projectId);
    const hash = createHash('sha256');
    const limits = { maxBytes: maxAssetBytes, signal: upload.signal };
    using ticket = await this.#disk.reserve({ projectId });
    await using staged = await stageFile(folder, hashed(ticketed(upload.content, ticket), hash), limits);
    const sha256 = hash.digest('hex');
    failpoint('upload.after-staged');
    const { extension, ...type } = await sniffAsset(staged.path, staged.sizeBytes);
    const id = upload.id ?? newId('ast');
    const file = `${id}.${extension}`;
    this.#adding.add(file);
    try {
      await staged.publish(file);
      failpoint('upload.after-publish');
      return this.#database.write((tx) => {
        const taken = new Set(selectAssets(tx, projectId).map((asset) => asset.name));
        const name = safeAssetName(upload.name, { extension, fallback: type.kind, taken });
        const at = new Date().toISOString();
        const row = { id, projectId, name, file, ...type, sizeBytes: staged.sizeBytes, sha256, at };
        return toAsset(tx.insert(assets).values(row).returning().get());
      });
    } catch (error) {
      await rm(join(folder, file), { force: true });
      throw error;
    } finally {
      this.#adding.delete(file);
    }
  }

  async list(projectId: string): Promise<Asset[]> {
    return this.#database.read((tx) => {
      selectProject(tx, projectId);
      return selectAssets(tx, projectId);
    });
  }

  async read(projectId: string, assetId: string): Promise<{ asset: Asset; open: OpenBytes }> {
    const row = this.#database.read((tx) =>
      tx
        .select()
        .from(assets)
        .where(and(eq(assets.projectId, projectId), eq(assets.id, assetId)))
        .get(),
    );
    if (row === undefined) throw assetNotFound(assetId);
    const path = join(this.#paths.assets(projectId), row.file);
    await requireFile(path, assetId);
    return { asset: toAsset(row), open: (part) => readLazily(path, part) };
  }

  async remove(projectId: string, assetId: string): Promise<void> {
    const row = this.#database.write((tx) =>
      tx
        .delete(assets)
        .where(and(eq(assets.projectId, projectId), eq(assets.id, assetId)))
        .returning()
        .get(),
    );
    if (row === undefined) throw assetNotFound(assetId);
    failpoint('upload-delete.after-row');
    await rm(join(this.#paths.assets(projectId), row.file), { force: true });
  }

  /** Removes partial uploads and orphaned files, except uploads in progress. Returns the number of removed items. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const projectId of await namesIn(this.#paths.allAssets)) {
      if (!projectIdSchema.safeParse(projectId).success) continue;
      const folder = this.#paths.assets(projectId);
      const names = await namesIn(folder);
      // Queried after listing: by now, every listed file has its row, or its name is in `#adding`.
      const known = this.#filesOf(projectId);
      const orphans =
        known === null ? [folder] : names.filter((name) => this.#isOrphan(name, known)).map((name) => join(folder, name));
      for (const path of orphans) await rm(path, { recursive: true, force: true });
      removed += orphans.length;
    }
    return removed;
  }

  #isOrphan(name: string, known: ReadonlySet<string>): boolean {
    if (isStaleTempFile(name)) return true;
    const isUpload = assetIdSchema.safeParse(name.split('.')[0]).success;
    return isUpload && !known.has(name) && !this.#adding.has(name);
  }

  #filesOf(projectId: string): ReadonlySet<string> | null {
    return this.#database.read((tx) => {
      const project = tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).get();
      if (project === undefined) return null;
      const rows = tx.select({ file: assets.file }).from(assets).where(eq(assets.projectId, projectId)).all();
      return new Set(rows.map(({ file }) => file));
    });
  }

  async removeAll(projectId: string): Promise<void> {
    this.#database.write((tx) => tx.delete(assets).where(eq(assets.projectId, projectId)).run());
    await rm(this.#paths.assets(projectId), { recursive: true, force: true });
  }
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

/** Opens the file on the first read, so that a caller that never reads does not leave a file open. */
async function* readLazily(path: string, part?: Parameters<OpenBytes>[0]): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, part);
}

async function requireFile(path: string, assetId: string): Promise<void> {
  try {
    await access(path);
  } catch (cause) {
    throw new KodaError('NOT_FOUND', `The file for asset ${assetId} is missing from the data folder. Upload it again.`, {
      recovery: 'upload_again',
      cause,
    });
  }
}

function assetNotFound(assetId: string): KodaError {
  return new KodaError(
    'NOT_FOUND',
    `The project has no asset ${assetId}. It may have been deleted. List the assets to see which exist.`,
    {
      recovery: 'list_assets',
    },
  );
}
