import type BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { assetIdSchema, projectIdSchema, renderIdSchema } from '#contract/ids.ts';
import { renderFiles, renderFormatSchema } from '#contract/render.ts';

const checkpointRowSchema = z.object({ id: z.string(), commitId: z.string().regex(/^[0-9a-f]{40,64}$/) });
export type CheckpointRow = z.output<typeof checkpointRowSchema>;

const assetRowSchema = z.object({
  id: assetIdSchema,
  projectId: projectIdSchema,
  name: z.string(),
  file: z.string().regex(/^ast_[a-z0-9]+\.[a-z0-9]+$/),
  sizeBytes: z.int(),
  /** Recorded hash; `null` if there is none. */
  sha256: z.string().nullable(),
});
export type AssetRow = z.output<typeof assetRowSchema>;

const renderRowSchema = z
  .object({
    id: renderIdSchema,
    projectId: projectIdSchema,
    format: renderFormatSchema,
    sizeBytes: z.int().nullable(),
  })
  .transform(({ format, ...row }) => ({ ...row, file: renderFiles[format].name }));
export type RenderRow = z.output<typeof renderRowSchema>;

/**
 * Lists the files that a database references. Uses plain SQL on columns that exist in every version, because the database may
 * be a snapshot, or damaged so that Koda cannot open it normally. Validates values before using them in a path.
 */
export class DataRows {
  readonly #sqlite: BetterSqlite3.Database;

  constructor(sqlite: BetterSqlite3.Database) {
    this.#sqlite = sqlite;
  }

  projects(): string[] {
    return z.array(projectIdSchema).parse(this.#sqlite.prepare('SELECT id FROM projects ORDER BY id').pluck().all());
  }

  checkpoints(projectId: string): CheckpointRow[] {
    const select = this.#sqlite.prepare('SELECT id, commit_id AS commitId FROM checkpoints WHERE project_id = ? ORDER BY seq');
    return z.array(checkpointRowSchema).parse(select.all(projectId));
  }

  assets(): AssetRow[] {
    // Older versions lack this column.
    const columns = this.#sqlite.prepare("SELECT name FROM pragma_table_info('assets')").pluck().all();
    const sha256 = columns.includes('sha256') ? 'sha256' : 'NULL';
    const select = this.#sqlite.prepare(
      `SELECT id, project_id AS projectId, name, file, size_bytes AS sizeBytes, ${sha256} AS sha256
       FROM assets ORDER BY project_id, id`,
    );
    return z.array(assetRowSchema).parse(select.all());
  }

  finishedRenders(): RenderRow[] {
    const select = this.#sqlite.prepare(
      `SELECT id, project_id AS projectId, json_extract(settings, '$.format') AS format,
         json_extract(probe, '$.sizeBytes') AS sizeBytes
       FROM renders WHERE status = 'complete' ORDER BY id`,
    );
    return z.array(renderRowSchema).parse(select.all());
  }

  hasProject(id: string): boolean {
    return this.#has('projects', id);
  }

  hasAsset(id: string): boolean {
    return this.#has('assets', id);
  }

  hasRender(id: string): boolean {
    return this.#has('renders', id);
  }

  /** Returns sessions whose last checkpoint does not exist. No foreign key enforces this reference. */
  lostLastCheckpoints(): { projectId: string; checkpointId: string }[] {
    const select = this.#sqlite.prepare(
      `SELECT project_id AS projectId, last_checkpoint_id AS checkpointId FROM sessions
       WHERE last_checkpoint_id IS NOT NULL AND last_checkpoint_id NOT IN (SELECT id FROM checkpoints)`,
    );
    return z.array(z.object({ projectId: z.string(), checkpointId: z.string() })).parse(select.all());
  }

  #has(table: 'projects' | 'assets' | 'renders', id: string): boolean {
    return this.#sqlite.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).get(id) !== undefined;
  }
}
