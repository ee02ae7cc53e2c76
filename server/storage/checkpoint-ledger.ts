import { z } from 'zod';
import { KodaError } from '../contract/errors.ts';
import type { EventBody, ProjectEvent } from '../contract/events.ts';
import { checkpointTitle } from '../contract/history.ts';
import type { Database, Transaction } from './database.ts';
import { and, desc, eq, lt, sql } from './drizzle.ts';
import { selectProject } from './project-rows.ts';
import type { NewProject, SqliteProjectStore } from './project-store.ts';
import { checkpoints, events, projects, renders, sessions } from './schema.ts';

/** What of a checkpoint is in the database: which commit of the project's repository it is. */
export interface CheckpointRecord {
  readonly id: string;
  readonly trigger: string;
  readonly commitId: string;
  readonly treeId: string;
}

/** What is recorded of a checkpoint beside its files. */
export interface CheckpointLabel {
  /** What happened, in one line. */
  readonly title: string;
  /** Given by the user. */
  readonly name: string | null;
  /** Of a restore: the checkpoint whose files it brought back. */
  readonly restoredFrom: string | null;
}

/** A checkpoint as it is listed; the state of its moment is what the events up to `seq` made. */
export interface KeptCheckpoint extends CheckpointRecord, CheckpointLabel {
  readonly seq: number;
  readonly at: string;
  /** Of the newest render that was there by then. */
  readonly thumbnailUrl: string | null;
}

const cursorSchema = z.coerce.number().int().min(1);

/** Rows and events of checkpoints. A commit counts from the moment its row is here. */
export class CheckpointLedger {
  readonly #database: Database;
  readonly #projects: SqliteProjectStore;

  constructor({ database, projects }: { database: Database; projects: SqliteProjectStore }) {
    this.#database = database;
    this.#projects = projects;
  }

  /** The last checkpoint; null when there is none yet. Throws NOT_FOUND when the project is gone. */
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

  /** Throws NOT_FOUND when the project is gone, or has no such checkpoint. */
  async find(projectId: string, checkpointId: string): Promise<KeptCheckpoint> {
    const found = this.#database.read((tx) => {
      selectProject(tx, projectId);
      const where = and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, checkpointId));
      return selectKept(tx).where(where).get();
    });
    if (found !== undefined) return toKept(found);
    throw new KodaError(
      'NOT_FOUND',
      `The project has no checkpoint ${checkpointId}. List its checkpoints to see what is there.`,
      {
        recovery: 'list_checkpoints',
      },
    );
  }

  /** Row and event in one transaction; `alongside` are further events that become visible with them. */
  async add(
    projectId: string,
    checkpoint: CheckpointRecord & CheckpointLabel,
    alongside: readonly EventBody[] = [],
  ): Promise<void> {
    await this.#projects.recordWith(projectId, [savedEvent(checkpoint), ...alongside], {
      extra: {},
      alongside: (tx, [saved]) => insertCheckpoint(tx, checkpoint, saved),
    });
  }

  /**
   * A new project whose files are there already: its rows, its first checkpoint and its events in one transaction, at the
   * end of which `place` gives the files their name. Neither is visible without the other.
   */
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

  async restored(projectId: string, checkpointId: string): Promise<void> {
    await this.#projects.record(projectId, [{ type: 'checkpoint.restored', checkpointId }]);
  }

  /** Newest first. Throws NOT_FOUND when the project is gone, BAD_REQUEST for a cursor of something else. */
  async list(
    projectId: string,
    query: { cursor: string | null; limit: number },
  ): Promise<{ items: KeptCheckpoint[]; nextCursor: string | null }> {
    const before = query.cursor === null ? null : parseCursor(query.cursor);
    const rows = this.#database.read((tx) => {
      selectProject(tx, projectId);
      return selectKept(tx)
        .where(and(eq(checkpoints.projectId, projectId), before === null ? undefined : lt(checkpoints.seq, before)))
        .orderBy(desc(checkpoints.seq))
        .limit(query.limit + 1)
        .all();
    });
    const items = rows.slice(0, query.limit).map(toKept);
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

/** When files became others than those of a checkpoint; null = they have not. */
const changedAt = sql`(SELECT later.at FROM ${checkpoints} AS later WHERE later.project_id = ${checkpoints.projectId}
  AND later.seq > ${checkpoints.seq} AND later.tree_id <> ${checkpoints.treeId} ORDER BY later.seq LIMIT 1)`;

const pictures = sql`SELECT ${renders.thumbnailUrl} FROM ${renders} WHERE ${renders.projectId} = ${checkpoints.projectId}
  AND ${renders.thumbnailUrl} IS NOT NULL`;

/** The newest picture that was made of a checkpoint's files; without one, the newest that there was by then. */
const thumbnailAt = sql<string | null>`COALESCE(
  (${pictures} AND ${renders.createdAt} >= ${checkpoints.at} AND ${renders.createdAt} < COALESCE(${changedAt}, '9999')
    ORDER BY ${renders.finishedAt} DESC LIMIT 1),
  (${pictures} AND ${renders.finishedAt} <= ${checkpoints.at} ORDER BY ${renders.finishedAt} DESC LIMIT 1))`;

/** Title, name and origin stand in the event of the checkpoint alone. */
function selectKept(tx: Transaction) {
  const { id, trigger, commitId, treeId, seq, at } = checkpoints;
  return tx
    .select({ id, trigger, commitId, treeId, seq, at, body: events.body, thumbnailUrl: thumbnailAt })
    .from(checkpoints)
    .innerJoin(events, and(eq(events.projectId, checkpoints.projectId), eq(events.seq, checkpoints.seq)));
}

function toKept({ body, ...row }: Omit<KeptCheckpoint, keyof CheckpointLabel> & { body: string }): KeptCheckpoint {
  // Written by `savedEvent` alone.
  const event = JSON.parse(body) as EventBody & { type: 'checkpoint.saved' };
  const title = event.title ?? checkpointTitle(row.trigger, event.name ?? null);
  return { ...row, title, name: event.name ?? null, restoredFrom: event.restoredFrom ?? null };
}

function parseCursor(cursor: string): number {
  const parsed = cursorSchema.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new KodaError('BAD_REQUEST', 'The cursor is not one that a list of checkpoints gave out. Start again without a cursor.', {
    recovery: 'drop_cursor',
  });
}
