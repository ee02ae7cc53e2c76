import type { Database } from './database.ts';
import { and, eq, inArray, isNotNull, lt } from './drizzle.ts';
import { projects, runMessages, runs, sessions, toolCalls } from './schema.ts';

/**
 * Manages sessions (A23, A24): active with a sandbox, suspended without one, closed after a period of inactivity. Starting the
 * project's sandbox reactivates its session.
 */
export class SessionRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Closes suspended sessions of idle projects whose last activity was before that time (ISO 8601). Returns their number. */
  async closeIdle(before: string): Promise<number> {
    return this.#database.write((tx) => {
      const atRest = tx.select({ id: projects.id }).from(projects).where(eq(projects.running, false));
      return tx
        .update(sessions)
        .set({ status: 'closed' })
        .where(and(eq(sessions.status, 'suspended'), lt(sessions.lastActivityAt, before), inArray(sessions.projectId, atRest)))
        .run().changes;
    });
  }

  /**
   * Deletes transcripts and tool calls of closed sessions last active before that time (ISO 8601), because only a running agent
   * needs them. Keeps conversation, plan, events, history and run costs. Returns the number of deleted rows.
   */
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
