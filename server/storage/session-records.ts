import type { Database } from './database.ts';
import { and, eq, inArray, isNotNull, lt } from './drizzle.ts';
import { projects, runMessages, runs, sessions, toolCalls } from './schema.ts';

/**
 * The lifecycle of sessions in the database (A23, A24): active while there is a sandbox, suspended without one, closed
 * when nothing has happened for a while. Whatever wakes the project makes its session active again.
 */
export class SessionRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Closes suspended sessions whose last activity was before that moment (ISO 8601) and that have no work; how many. */
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
   * Removes what only the agent needed while it worked, its transcripts and tool calls, of sessions that are closed and
   * were last active before that moment (ISO 8601); how many rows. Conversation, plan, events, history, and what the
   * runs cost stay.
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
