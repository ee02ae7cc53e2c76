import { KodaError } from '#contract/errors.ts';
import type { Render } from '#contract/render.ts';
import type { Database } from './database.ts';
import { and, asc, count, desc, eq, inArray, lt, sql } from './drizzle.ts';
import { eventsOf } from './event-kinds.ts';
import { selectProject, selectRenders } from './project-rows.ts';
import { events, renders } from './schema.ts';

/** Reads and deletes renders. Only events write their rows (`projection.ts`). */
export interface RenderStore {
  get(renderId: string): Promise<Render>;
  list(projectId: string): Promise<Render[]>;
  /** Lists the newest complete renders of all projects, newest first. */
  recentComplete(limit: number): Promise<Render[]>;
  /** Lists queued and running renders in all projects, oldest first. At startup, these are the interrupted ones. */
  listUnfinished(): Promise<Render[]>;
  /** Counts a render's `render.queued` events: 1 means that it was never restarted. */
  timesQueued(renderId: string): Promise<number>;
  /** Lists previews (`settings.kind`) that finished before `before` (ISO 8601). */
  previewsFinishedBefore(before: string): Promise<Render[]>;
  existing(renderIds: readonly string[]): Promise<ReadonlySet<string>>;
  delete(renderId: string): Promise<void>;
}

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
      `There is no render ${renderId}. It may have been deleted. List the renders to see which exist.`,
      {
        recovery: 'list_renders',
      },
    );
  }

  async list(projectId: string): Promise<Render[]> {
    return this.#database.read((tx) => {
      selectProject(tx, projectId);
      return selectRenders(tx, projectId);
    });
  }

  /** Unlike `list`, returns nothing for a project that is only being created. */
  async idsOf(projectId: string): Promise<{ id: string }[]> {
    return this.#database.read((tx) => tx.select({ id: renders.id }).from(renders).where(eq(renders.projectId, projectId)).all());
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
      const queued = and(inArray(events.projectId, project), eventsOf.queuedRenders, ofRender);
      return tx.select({ times: count() }).from(events).where(queued).get()?.times ?? 0;
    });
  }

  async previewsFinishedBefore(before: string): Promise<Render[]> {
    const isPreview = sql`json_extract(${renders.settings}, '$.kind') = 'preview'`;
    return this.#database.read((tx) =>
      tx
        .select()
        .from(renders)
        .where(and(isPreview, lt(renders.finishedAt, before)))
        .all(),
    );
  }

  async existing(renderIds: readonly string[]): Promise<ReadonlySet<string>> {
    // One parameter, because a list may exceed SQLite's limit on parameters per statement.
    const requested = sql`(SELECT value FROM json_each(${JSON.stringify(renderIds)}))`;
    const rows = this.#database.read((tx) =>
      tx.select({ id: renders.id }).from(renders).where(inArray(renders.id, requested)).all(),
    );
    return new Set(rows.map((row) => row.id));
  }

  async delete(renderId: string): Promise<void> {
    this.#database.write((tx) => tx.delete(renders).where(eq(renders.id, renderId)).run());
  }
}
