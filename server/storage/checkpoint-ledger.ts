import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import { checkpointTitle } from '#contract/history.ts';
import { koda, type Principal } from '#contract/principal.ts';
import type { Database, Transaction } from './database.ts';
import { and, desc, eq, lt, sql } from './drizzle.ts';
import { principalIn } from './event-log.ts';
import { selectProject } from './project-rows.ts';
import type { NewProject, SqliteProjectStore } from './project-store.ts';
import { checkpoints, events, projects, renders, sessions } from './schema.ts';

export interface CheckpointRecord {
  readonly id: string;
  readonly trigger: string;
  readonly commitId: string;
  readonly treeId: string;
}

export interface CheckpointLabel {
  readonly title: string;
  readonly name: string | null;
  /** Checkpoint that was restored; `null` if this checkpoint is not a restore. */
  readonly restoredFrom: string | null;
}

/** Checkpoint as listed. The project state at that time results from the events up to `seq`. */
export interface StoredCheckpoint extends CheckpointRecord, CheckpointLabel {
  readonly seq: number;
  readonly at: string;
  /** Who saved it. `null`: unknown. */
  readonly by: Principal | null;
  /** Thumbnail from a render of these files, or otherwise from the newest earlier render. */
  readonly thumbnailUrl: string | null;
}

const cursorSchema = z.coerce.number().int().min(1);

/** Stores the rows and events of checkpoints. A commit takes effect once its row exists. */
export class CheckpointLedger {
  readonly #database: Database;
  readonly #projects: SqliteProjectStore;

  constructor({ database, projects }: { database: Database; projects: SqliteProjectStore }) {
    this.#database = database;
    this.#projects = projects;
  }

  async latest(projectId: string): Promise<CheckpointRecord | null> {
    return this.#database.read((tx) => {
      selectProject(tx, projectId);
      const { id, trigger, commitId, treeId } = checkpoints;
      const row = tx
        .select({ id, trigger, commitId, treeId })
        .from(checkpoints)
        .innerJoin(sessions, eq(sessions.lastCheckpointId, checkpoints.id))
        .where(and(eq(checkpoints.projectId, projectId), eq(sessions.projectId, projectId)))
        .get();
      return row ?? null;
    });
  }

  async hasProject(projectId: string): Promise<boolean> {
    return this.#database.read((tx) => tx.select().from(projects).where(eq(projects.id, projectId)).get() !== undefined);
  }

  async find(projectId: string, checkpointId: string): Promise<StoredCheckpoint> {
    const found = this.#database.read((tx) => {
      selectProject(tx, projectId);
      const where = and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, checkpointId));
      return selectStored(tx).where(where).get();
    });
    if (found !== undefined) return toStored(found);
    throw new KodaError('NOT_FOUND', `The project has no checkpoint ${checkpointId}. List its checkpoints to see which exist.`, {
      recovery: 'list_checkpoints',
    });
  }

  /** Returns the commits of all checkpoints. */
  async commits(projectId: string): Promise<string[]> {
    const rows = this.#database.read((tx) =>
      tx.select({ commitId: checkpoints.commitId }).from(checkpoints).where(eq(checkpoints.projectId, projectId)).all(),
    );
    return rows.map(({ commitId }) => commitId);
  }

  /** Writes the row and its event in one transaction, together with `extraEvents`. */
  async add(
    projectId: string,
    checkpoint: CheckpointRecord & CheckpointLabel,
    { by, extraEvents = [] }: { by: Principal; extraEvents?: readonly EventBody[] },
  ): Promise<void> {
    await this.#projects.recordWith(projectId, [savedEvent(checkpoint), ...extraEvents], {
      extra: { by },
      writeRows: (tx, [saved]) => insertCheckpoint(tx, checkpoint, saved),
    });
  }

  /** Writes a project's rows, first checkpoint and events in one transaction. As its last step, `place` renames the files. */
  async createProject(
    project: NewProject,
    checkpoint: CheckpointRecord & CheckpointLabel,
    { events, place }: { events: readonly EventBody[]; place: () => void },
  ): Promise<void> {
    await this.#projects.createWith(project, [savedEvent(checkpoint), ...events], (tx, [saved]) => {
      insertCheckpoint(tx, checkpoint, saved);
      place();
    });
  }

  /** Records that a new sandbox has the files of a checkpoint. */
  async restored(projectId: string, checkpointId: string): Promise<void> {
    await this.#projects.record(projectId, [{ type: 'checkpoint.restored', checkpointId }], { by: koda('sandbox') });
  }

  /** Lists checkpoints, newest first. Throws NOT_FOUND if the project does not exist, and BAD_REQUEST for an invalid cursor. */
  async list(
    projectId: string,
    query: { cursor: string | null; limit: number },
  ): Promise<{ items: StoredCheckpoint[]; nextCursor: string | null }> {
    const before = query.cursor === null ? null : parseCursor(query.cursor);
    const rows = this.#database.read((tx) => {
      selectProject(tx, projectId);
      return selectStored(tx)
        .where(and(eq(checkpoints.projectId, projectId), before === null ? undefined : lt(checkpoints.seq, before)))
        .orderBy(desc(checkpoints.seq))
        .limit(query.limit + 1)
        .all();
    });
    const items = rows.slice(0, query.limit).map(toStored);
    const last = items.at(-1);
    return { items, nextCursor: rows.length > query.limit && last !== undefined ? String(last.seq) : null };
  }
}

function savedEvent({ id, trigger, title, name, restoredFrom }: CheckpointRecord & CheckpointLabel): EventBody {
  return {
    type: 'checkpoint.saved',
    checkpointId: id,
    trigger,
    title,
    ...(name === null ? {} : { name }),
    ...(restoredFrom === null ? {} : { restoredFrom }),
  };
}

function insertCheckpoint(tx: Transaction, checkpoint: CheckpointRecord, saved: ProjectEvent | undefined): void {
  if (saved === undefined) return;
  const { id, trigger, commitId, treeId } = checkpoint;
  const { seq, at, projectId } = saved;
  tx.insert(checkpoints).values({ id, trigger, commitId, treeId, projectId, seq, at }).run();
}

/** Time of the first later checkpoint with different files, or `null` if there is none. */
const changedAt = sql`(SELECT later.at FROM ${checkpoints} AS later WHERE later.project_id = ${checkpoints.projectId}
  AND later.seq > ${checkpoints.seq} AND later.tree_id <> ${checkpoints.treeId} ORDER BY later.seq LIMIT 1)`;

const thumbnails = sql`SELECT ${renders.thumbnailUrl} FROM ${renders} WHERE ${renders.projectId} = ${checkpoints.projectId}
  AND ${renders.thumbnailUrl} IS NOT NULL`;

/** Newest thumbnail of these files, or otherwise the newest one that existed at that time. */
const thumbnailAt = sql<string | null>`COALESCE(
  (${thumbnails} AND ${renders.createdAt} >= ${checkpoints.at} AND ${renders.createdAt} < COALESCE(${changedAt}, '9999')
    ORDER BY ${renders.finishedAt} DESC LIMIT 1),
  (${thumbnails} AND ${renders.finishedAt} <= ${checkpoints.at} ORDER BY ${renders.finishedAt} DESC LIMIT 1))`;

/** Only the event contains title, name and origin. */
function selectStored(tx: Transaction) {
  const { id, trigger, commitId, treeId, seq, at } = checkpoints;
  return tx
    .select({ id, trigger, commitId, treeId, seq, at, body: events.body, by: events.by, thumbnailUrl: thumbnailAt })
    .from(checkpoints)
    .innerJoin(events, and(eq(events.projectId, checkpoints.projectId), eq(events.seq, checkpoints.seq)));
}

type StoredRow = Omit<StoredCheckpoint, keyof CheckpointLabel | 'by'> & { body: string; by: string | null };

function toStored({ body, by, ...row }: StoredRow): StoredCheckpoint {
  const event = JSON.parse(body) as EventBody & { type: 'checkpoint.saved' };
  const title = event.title ?? checkpointTitle(row.trigger, event.name ?? null);
  return { ...row, by: principalIn(by), title, name: event.name ?? null, restoredFrom: event.restoredFrom ?? null };
}

function parseCursor(cursor: string): number {
  const parsed = cursorSchema.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new KodaError('BAD_REQUEST', 'This cursor is not from a checkpoint list. Request the list again without a cursor.', {
    recovery: 'drop_cursor',
  });
}
