import { KodaError } from '../contract/errors.ts';
import type { Render } from '../contract/render.ts';
import type { Database } from './database.ts';
import { and, asc, count, desc, eq, inArray, lt, sql } from './drizzle.ts';
import { selectProject, selectRenders } from './project-rows.ts';
import { events, renders } from './schema.ts';

/**
 * The renders as they are kept. Rows are written by events alone: `render.queued`, `render.complete` and
 * `render.failed` carry the whole render and replace the row, `render.progress` sets status, percent and stage.
 */
export interface RenderStore {
  /** Throws NOT_FOUND. */
  get(renderId: string): Promise<Render>;
  /** Newest first. */
  list(projectId: string): Promise<Render[]>;
  /** The newest complete ones of all projects, at most that many, newest first. */
  recentComplete(limit: number): Promise<Render[]>;
  /** Queued and running ones of all projects, oldest first: what was left when the server stopped. */
  listUnfinished(): Promise<Render[]>;
  /** How many `render.queued` events there are of a render: 1 = it never had to begin again. */
  timesQueued(renderId: string): Promise<number>;
  /** Finished previews (`settings.kind`) whose `finishedAt` is earlier than that moment (ISO 8601). */
  previewsFinishedBefore(moment: string): Promise<Render[]>;
  /** Which of these renders exist. */
  existing(renderIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the row; fine when it is gone. */
  delete(renderId: string): Promise<void>;
}

/** Renders in SQLite, as the projection of their events left them. */
export class SqliteRenderStore implements RenderStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async get(renderId: string): Promise<Render> {
    const render = this.#database.read((tx) => tx.select().from(renders).where(eq(renders.id, renderId)).get());
    if (render !== undefined) return render;
    throw new KodaError(
      'NOT_FOUND',
      `There is no render ${renderId}. It may have been deleted; list the renders to see what is there.`,
      {
        recovery: 'list_renders',
      },
    );
  }

  /** Throws NOT_FOUND when there is no such project. */
  async list(projectId: string): Promise<Render[]> {
    return this.#database.read((tx) => {
      selectProject(tx, projectId);
      return selectRenders(tx, projectId);
    });
  }

  async recentComplete(limit: number): Promise<Render[]> {
    return this.#database.read((tx) =>
      tx
        .select()
        .from(renders)
        .where(eq(renders.status, 'complete'))
        .orderBy(desc(renders.finishedAt), desc(renders.id))
        .limit(limit)
        .all(),
    );
  }

  async listUnfinished(): Promise<Render[]> {
    return this.#database.read((tx) =>
      tx
        .select()
        .from(renders)
        .where(inArray(renders.status, ['queued', 'running']))
        .orderBy(asc(renders.createdAt), asc(renders.id))
        .all(),
    );
  }

  async timesQueued(renderId: string): Promise<number> {
    const ofRender = sql`json_extract(${events.body}, '$.render.id') = ${renderId}`;
    return this.#database.read((tx) => {
      const project = tx.select({ id: renders.projectId }).from(renders).where(eq(renders.id, renderId));
      const queued = and(inArray(events.projectId, project), eq(events.type, 'render.queued'), ofRender);
      return tx.select({ times: count() }).from(events).where(queued).get()?.times ?? 0;
    });
  }

  async previewsFinishedBefore(moment: string): Promise<Render[]> {
    const isPreview = sql`json_extract(${renders.settings}, '$.kind') = 'preview'`;
    return this.#database.read((tx) =>
      tx
        .select()
        .from(renders)
        .where(and(isPreview, lt(renders.finishedAt, moment)))
        .all(),
    );
  }

  async existing(renderIds: readonly string[]): Promise<ReadonlySet<string>> {
    // As one parameter: a list may be longer than the number of parameters that a statement may have.
    const asked = sql`(SELECT value FROM json_each(${JSON.stringify(renderIds)}))`;
    const rows = this.#database.read((tx) => tx.select({ id: renders.id }).from(renders).where(inArray(renders.id, asked)).all());
    return new Set(rows.map((row) => row.id));
  }

  async delete(renderId: string): Promise<void> {
    this.#database.write((tx) => tx.delete(renders).where(eq(renders.id, renderId)).run());
  }
}
