import { KodaError } from '#contract/errors.ts';
import type { ModelUsage } from '#contract/project.ts';
import type { Database } from './database.ts';
import { and, asc, desc, eq, gte, inArray, isNull, sql } from './drizzle.ts';
import { events, runMessages, runs, toolCalls } from './schema.ts';

export type RunUsage = Omit<ModelUsage, 'cachedInputTokens'> & { readonly steps: number };

/** Stores the transcript and usage of agent runs, so that they resume after a restart. */
export interface RunStore {
  start(projectId: string, runId: string): Promise<void>;
  active(projectId: string): Promise<RunRecord | null>;
  appendMessage(runId: string, message: unknown): Promise<void>;
  addUsage(runId: string, usage: RunUsage): Promise<void>;
  recordToolCall(call: ToolCallRecord): Promise<void>;
  /** Returns whether a call waits for the user's response. */
  isWaiting(runId: string, callId: string): Promise<boolean>;
  finish(runId: string, outcome: 'completed' | 'stopped' | 'failed'): Promise<void>;
}

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

export interface ToolCallRecord {
  readonly id: string;
  readonly runId: string;
  readonly name: string;
  readonly input: unknown;
  readonly status: 'running' | 'waiting' | 'completed' | 'error';
  readonly durationMs: number | null;
  readonly summary: string | null;
}

/** Stores agent runs in SQLite. Each message and usage record is durable before the agent continues (T17, A22). */
export class SqliteRunStore implements RunStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async start(projectId: string, runId: string): Promise<void> {
    const startedAt = new Date().toISOString();
    this.#database.write((tx) =>
      tx.insert(runs).values({ id: runId, projectId, startedAt, steps: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 }).run(),
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
      const rows = tx.select().from(runMessages).where(eq(runMessages.runId, run.id)).orderBy(asc(runMessages.position)).all();
      const activity = tx
        .select({ type: events.type, at: events.at })
        .from(events)
        .where(and(eq(events.projectId, projectId), inArray(events.type, activityTypes), gte(events.at, run.startedAt)))
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
        workedMs: workedMs(activity),
        messages: rows.map((row): unknown => JSON.parse(row.body)),
      };
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

  async isWaiting(runId: string, callId: string): Promise<boolean> {
    const isCall = and(eq(toolCalls.runId, runId), eq(toolCalls.id, callId));
    return this.#database.read((tx) => tx.select().from(toolCalls).where(isCall).get()?.status === 'waiting');
  }

  async finish(runId: string, outcome: 'completed' | 'stopped' | 'failed'): Promise<void> {
    const finishedAt = new Date().toISOString();
    const { changes } = this.#database.write((tx) =>
      tx.update(runs).set({ finishedAt, outcome }).where(eq(runs.id, runId)).run(),
    );
    if (changes === 0) throw runNotFound(runId);
  }
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

/** Events that only a running agent emits. The last one shows how long an interrupted run was active. */
export const activityTypes = ['run.started', 'run.finished', 'tool.started', 'tool.finished', 'usage'] as const;

/** Returns a run's working time in milliseconds, excluding waits for approvals. A killed run counts up to its last event. */
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
