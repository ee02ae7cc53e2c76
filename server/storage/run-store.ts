import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import type { Database, Transaction } from './database.ts';
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, sql } from './drizzle.ts';
import { eventsOf } from './event-kinds.ts';
import { events, projects, runMessages, runs, toolCalls } from './schema.ts';

export type RunUsage = Omit<ModelUsage, 'cachedInputTokens'> & { readonly steps: number };

export interface RunRecord {
  readonly id: string;
  readonly projectId: string;
  readonly startedAt: string;
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly workedMs: number;
  readonly messages: readonly unknown[];
}

export interface EndedRunRecord extends Pick<RunRecord, 'startedAt'> {
  readonly finishedAt: string;
  readonly outcome: 'completed' | 'stopped' | 'failed';
  readonly transcript: readonly unknown[];
}

export interface ToolCallRecord {
  readonly id: string;
  readonly runId: string;
  readonly name: string;
  readonly input: unknown;
  readonly status: 'running' | 'waiting' | 'completed' | 'error';
  readonly durationMs: number | null;
  readonly summary: string | null;
}

/**
 * Stores the transcript and usage of agent runs, so that they resume after a restart. Each message and usage record is durable
 * before the agent continues.
 */
export class RunStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async start(projectId: string, runId: string): Promise<void> {
    const startedAt = new Date().toISOString();
    const afterSeq = sql<number>`coalesce((SELECT ${projects.lastSeq} FROM ${projects} WHERE ${projects.id} = ${projectId}), 0)`;
    this.#database.write((tx) =>
      tx
        .insert(runs)
        .values({ id: runId, projectId, startedAt, afterSeq, steps: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 })
        .run(),
    );
  }

  async active(projectId: string): Promise<RunRecord | null> {
    return this.#database.read((tx) => {
      const run = tx
        .select()
        .from(runs)
        .where(and(eq(runs.projectId, projectId), isNull(runs.finishedAt)))
        .orderBy(desc(runs.startedAt), desc(sql`rowid`))
        .limit(1)
        .get();
      if (run === undefined) return null;
      const activity = tx
        .select({ type: events.type, at: events.at })
        .from(events)
        .where(and(eq(events.projectId, projectId), eventsOf.activity, gt(events.seq, run.afterSeq)))
        .orderBy(asc(events.seq))
        .all();
      const { id, startedAt, steps, inputTokens, outputTokens, costUsd } = run;
      return {
        id,
        projectId,
        startedAt,
        steps,
        inputTokens,
        outputTokens,
        costUsd,
        workedMs: Math.max(0, workedMs(activity) - run.waitedMs),
        messages: transcriptOf(tx, run.id),
      };
    });
  }

  /** Returns a project's newest ended runs, oldest first. */
  async ended(projectId: string, limit: number): Promise<EndedRunRecord[]> {
    return this.#database.read((tx) => {
      const found = tx
        .select()
        .from(runs)
        .where(and(eq(runs.projectId, projectId), isNotNull(runs.finishedAt)))
        .orderBy(desc(runs.startedAt), desc(sql`rowid`))
        .limit(limit)
        .all()
        .reverse();
      return found.map(({ id, startedAt, finishedAt, outcome }) => ({
        startedAt,
        finishedAt: finishedAt ?? startedAt,
        outcome: outcome ?? 'failed',
        transcript: transcriptOf(tx, id),
      }));
    });
  }

  async appendMessage(runId: string, message: unknown): Promise<void> {
    this.#database.write((tx) => {
      const position = sql<number>`(SELECT coalesce(max(position), 0) + 1 FROM run_messages WHERE run_id = ${runId})`;
      tx.insert(runMessages)
        .values({ runId, position, body: toJson(message) })
        .run();
    });
  }

  async addUsage(runId: string, usage: RunUsage): Promise<void> {
    const { changes } = this.#database.write((tx) =>
      tx
        .update(runs)
        .set({
          steps: sql`${runs.steps} + ${usage.steps}`,
          inputTokens: sql`${runs.inputTokens} + ${usage.inputTokens}`,
          outputTokens: sql`${runs.outputTokens} + ${usage.outputTokens}`,
          costUsd: sql`${runs.costUsd} + ${usage.costUsd}`,
        })
        .where(eq(runs.id, runId))
        .run(),
    );
    if (changes === 0) throw runNotFound(runId);
  }

  /** Excludes a wait for other projects' sandboxes from the run's working time. */
  async addWait(runId: string, waitedMs: number): Promise<void> {
    this.#database.write((tx) =>
      tx
        .update(runs)
        .set({ waitedMs: sql`${runs.waitedMs} + ${waitedMs}` })
        .where(eq(runs.id, runId))
        .run(),
    );
  }

  async recordToolCall(call: ToolCallRecord): Promise<void> {
    const { status, durationMs, summary } = call;
    this.#database.write((tx) =>
      tx
        .insert(toolCalls)
        .values({ ...call, input: toJson(call.input), startedAt: new Date().toISOString() })
        .onConflictDoUpdate({ target: [toolCalls.runId, toolCalls.id], set: { status, durationMs, summary } })
        .run(),
    );
  }

  /** Returns whether a call waits for the user's response. */
  async isWaiting(runId: string, callId: string): Promise<boolean> {
    const isCall = and(eq(toolCalls.runId, runId), eq(toolCalls.id, callId));
    return this.#database.read((tx) => tx.select().from(toolCalls).where(isCall).get()?.status === 'waiting');
  }

  /** Returns the names of the tools whose calls have ended in a run, or in all runs of a project. */
  async endedCalls(within: { readonly runId: string } | { readonly projectId: string }): Promise<string[]> {
    const isWithin = 'runId' in within ? eq(toolCalls.runId, within.runId) : eq(runs.projectId, within.projectId);
    const hasEnded = and(isWithin, inArray(toolCalls.status, ['completed', 'error']));
    return this.#database.read((tx) =>
      tx
        .selectDistinct({ name: toolCalls.name })
        .from(toolCalls)
        .innerJoin(runs, eq(runs.id, toolCalls.runId))
        .where(hasEnded)
        .all()
        .map(({ name }) => name),
    );
  }

  async finish(runId: string, outcome: 'completed' | 'stopped' | 'failed'): Promise<void> {
    const finishedAt = new Date().toISOString();
    const { changes } = this.#database.write((tx) =>
      tx.update(runs).set({ finishedAt, outcome }).where(eq(runs.id, runId)).run(),
    );
    if (changes === 0) throw runNotFound(runId);
  }
}

function transcriptOf(tx: Transaction, runId: string): unknown[] {
  const rows = tx.select().from(runMessages).where(eq(runMessages.runId, runId)).orderBy(asc(runMessages.position)).all();
  return rows.map(({ body }): unknown => JSON.parse(body));
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function runNotFound(runId: string): KodaError {
  return new KodaError('NOT_FOUND', `There is no run ${runId}. Its project may have been deleted.`);
}

interface ActivityEvent {
  readonly type: string;
  readonly at: string;
}

/**
 * Returns a run's working time in milliseconds, excluding waits for approvals. The last event shows how long a killed run was
 * active.
 */
export function workedMs(activity: readonly ActivityEvent[]): number {
  let sumMs = 0;
  let sinceMs: number | null = null;
  let lastMs = 0;
  for (const { type, at } of activity) {
    const atMs = Date.parse(at);
    if (type === 'run.started') {
      if (sinceMs !== null) sumMs += lastMs - sinceMs;
      sinceMs = atMs;
    }
    lastMs = atMs;
    if (type === 'run.finished' && sinceMs !== null) {
      sumMs += atMs - sinceMs;
      sinceMs = null;
    }
  }
  if (sinceMs !== null) sumMs += lastMs - sinceMs;
  return Math.max(0, sumMs);
}
