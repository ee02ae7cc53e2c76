import { and, desc, eq } from 'drizzle-orm';
import type { CheckpointEntry } from '../contract/http.ts';
import type { Database } from './database.ts';
import { selectProject } from './project-rows.ts';
import type { SqliteProjectStore } from './project-store.ts';
import { checkpoints, projects, sessions } from './schema.ts';

/** What of a checkpoint is in the database: which commit of the project's repository it is. */
export interface CheckpointRecord {
  readonly id: string;
  readonly trigger: string;
  readonly commitId: string;
  readonly treeId: string;
}

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

  /** Row and event in one transaction. */
  async add(projectId: string, checkpoint: CheckpointRecord): Promise<void> {
    const event = { type: 'checkpoint.saved', checkpointId: checkpoint.id, trigger: checkpoint.trigger } as const;
    await this.#projects.recordWith(projectId, [event], {
      extra: {},
      alongside: (tx, [recorded]) => {
        if (recorded === undefined) return;
        const { seq, at } = recorded;
        tx.insert(checkpoints)
          .values({ ...checkpoint, projectId, seq, at })
          .run();
      },
    });
  }

  async restored(projectId: string, checkpointId: string): Promise<void> {
    await this.#projects.record(projectId, [{ type: 'checkpoint.restored', checkpointId }]);
  }

  /** Newest first. */
  async list(projectId: string): Promise<CheckpointEntry[]> {
    const { id, trigger, at } = checkpoints;
    return this.#database.read((tx) =>
      tx
        .select({ id, trigger, at })
        .from(checkpoints)
        .where(eq(checkpoints.projectId, projectId))
        .orderBy(desc(checkpoints.seq))
        .all(),
    );
  }
}
