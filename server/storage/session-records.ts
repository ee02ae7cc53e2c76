import type { Database } from './database.ts';
import { and, eq, inArray, isNotNull, lt } from './drizzle.ts';
import { projects, runMessages, runs, sessions, toolCalls } from './schema.ts';

/** Sessions are active with a sandbox, suspended without one, and closed after inactivity. */
export class SessionRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Closes suspended sessions of idle projects whose last activity was before that time (ISO 8601). Returns their number. */
  async closeIdle(before: string): Promise<number> {
    return this.#database.write((tx) => {
      const idle = tx.select({ id: projects.id }).from(projects).where(eq(projects.running, false));
      return tx
        .update(sessions)
        .set({ status: 'closed' })
        .where(and(eq(sessions.status, 'suspended'), lt(sessions.lastActivityAt, before), inArray(sessions.projectId, idle)))
        .run().changes;
    });
  }

  /** Deletes agent transcripts of closed sessions last active before that time (ISO 8601). Returns the number of rows. */
  async removeClosed(before: string): Promise<number> {
    return this.#database.write((tx) => {
      const closed = tx
        .select({ id: sessions.projectId })
        .from(sessions)
        .where(and(eq(sessions.status, 'closed'), lt(sessions.lastActivityAt, before)));
      const ended = tx
        .select({ id: runs.id })
        .from(runs)
        .where(and(isNotNull(runs.finishedAt), inArray(runs.projectId, closed)));
      const { changes } = tx.delete(runMessages).where(inArray(runMessages.runId, ended)).run();
      return changes + tx.delete(toolCalls).where(inArray(toolCalls.runId, ended)).run().changes;
    });
  }
}
