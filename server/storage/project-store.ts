import { randomBytes } from 'node:crypto';
import type { ProjectSnapshot } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import type { Message, Plan } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Database, Transaction } from './database.ts';
import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from './drizzle.ts';
import type { EventLog } from './event-log.ts';
import { selectProjects } from './project-list.ts';
import { type ProjectRow, projectNotFound, selectProject, selectRenders, selectState, toProjectRecord } from './project-rows.ts';
import { applyEvent } from './projection.ts';
import type { ListedProject, ProjectQuery, ProjectRecord, ProjectState, ProjectStore, RecordExtra } from './projects.ts';
import { approvals, events, messages, projects, renders, sessions } from './schema.ts';
import { selectMessagesAt, selectPlanAt, selectRecentCalls, toSnapshot } from './snapshot.ts';

interface Announcer {
  publish(event: ProjectEvent): void;
  end(projectId: string): void;
}

export interface NewProject {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly prompt: string;
  readonly hints: ProjectRecord['hints'];
  readonly style: ProjectRecord['style'];
  readonly aspect: ProjectRecord['aspect'];
}

const deleteBatchSize = 500;

/** Stores projects in SQLite. Every method is one transaction. `record` calls take effect in call order. */
export class SqliteProjectStore implements ProjectStore {
  readonly #database: Database;
  readonly #log: EventLog;
  readonly #announcer: Announcer;

  constructor({ database, log, announcer }: { database: Database; log: EventLog; announcer: Announcer }) {
    this.#database = database;
    this.#log = log;
    this.#announcer = announcer;
  }

  async create({ events, ...project }: Parameters<ProjectStore['create']>[0]): Promise<ProjectRecord> {
    const { style, aspect } = project.hints;
    return this.createWith({ ...project, style, aspect }, events, null);
  }

  /** Creates a project with its first events and further rows, in one transaction. */
  async createWith(
    project: NewProject,
    bodies: readonly EventBody[],
    writeRows: ((tx: Transaction, events: readonly ProjectEvent[]) => void) | null,
  ): Promise<ProjectRecord> {
    const now = new Date().toISOString();
    return this.#database.write((tx) => {
      tx.insert(projects)
        .values({
          ...project,
          phase: 'idle',
          running: false,
          sandbox: 'stopped',
          // A host label may contain letters, digits and hyphens. 96 random bits cannot be guessed.
          previewLabel: randomBytes(12).toString('hex'),
          lastSeq: 0,
          createdAt: now,
          updatedAt: now,
        })
        .run();
      tx.insert(sessions).values({ projectId: project.id, status: 'active', lastActivityAt: now }).run();
      const events = this.#append(tx, project.id, bodies, { at: now, extra: {} });
      writeRows?.(tx, events);
      return toProjectRecord(selectProject(tx, project.id));
    });
  }

  async get(projectId: string): Promise<ProjectRecord> {
    return this.#database.read((tx) => toProjectRecord(selectProject(tx, projectId)));
  }

  async state(projectId: string): Promise<ProjectState> {
    return this.#database.read((tx) => selectState(tx, projectId));
  }

  async snapshot(projectId: string): Promise<ProjectSnapshot> {
    return this.#database.read((tx) => {
      const state = selectState(tx, projectId);
      return toSnapshot(state, selectRecentCalls(tx, projectId, state.seq));
    });
  }

  async stateAt(projectId: string, seq: number): Promise<{ plan: Plan | null; messages: Message[] }> {
    return this.#database.read((tx) => {
      selectProject(tx, projectId);
      return { plan: selectPlanAt(tx, projectId, seq), messages: selectMessagesAt(tx, projectId, seq) };
    });
  }

  async list(query: ProjectQuery): Promise<{ items: ListedProject[]; nextCursor: string | null }> {
    return this.#database.read((tx) => selectProjects(tx, query));
  }

  async record(projectId: string, bodies: readonly EventBody[], extra: RecordExtra = {}): Promise<ProjectEvent[]> {
    return this.recordWith(projectId, bodies, { extra, writeRows: null });
  }

  /** Like `record`, but writes further rows in the same transaction. */
  async recordWith(
    projectId: string,
    bodies: readonly EventBody[],
    options: { extra: RecordExtra; writeRows: ((tx: Transaction, events: readonly ProjectEvent[]) => void) | null },
  ): Promise<ProjectEvent[]> {
    const at = new Date().toISOString();
    const events = this.#database.write((tx) => {
      const events = this.#append(tx, projectId, bodies, { at, extra: options.extra });
      options.writeRows?.(tx, events);
      failpoint('event.before-commit');
      return events;
    });
    failpoint('event.after-commit');
    // Nothing is awaited after the commit, so events reach the bus in sequence order.
    for (const event of events) this.#announcer.publish(event);
    return events;
  }

  /** Numbers, stores and applies the events. Call inside a transaction. */
  #append(
    tx: Transaction,
    projectId: string,
    bodies: readonly EventBody[],
    { at, extra }: { at: string; extra: RecordExtra },
  ): ProjectEvent[] {
    const row = selectProject(tx, projectId);
    const events = bodies.map((body, index): ProjectEvent => ({ seq: row.lastSeq + index + 1, projectId, at, ...body }));
    for (const event of events) {
      this.#log.append(event);
      applyEvent(tx, event, extra);
    }
    tx.update(projects)
      .set({ lastSeq: row.lastSeq + events.length, updatedAt: at })
      .where(eq(projects.id, projectId))
      .run();
    return events;
  }

  async markDeleted(projectId: string, at: string): Promise<void> {
    const events = this.#database.write((tx) => {
      const endings = endingsOf(selectProject(tx, projectId), selectRenders(tx, projectId), at);
      const events = endings.length === 0 ? [] : this.#append(tx, projectId, endings, { at, extra: {} });
      tx.update(projects).set({ deletedAt: at }).where(eq(projects.id, projectId)).run();
      return events;
    });
    for (const event of events) this.#announcer.publish(event);
    this.#announcer.end(projectId);
  }

  async restore(projectId: string): Promise<void> {
    const { changes } = this.#database.write((tx) =>
      tx.update(projects).set({ deletedAt: null }).where(eq(projects.id, projectId)).run(),
    );
    if (changes === 0) throw projectNotFound(projectId);
  }

  async listDeleted(before: string): Promise<string[]> {
    const isDue = and(isNotNull(projects.deletedAt), lte(projects.deletedAt, before));
    return this.#database.read((tx) => tx.select({ id: projects.id }).from(projects).where(isDue).all()).map(({ id }) => id);
  }

  async delete(projectId: string): Promise<readonly string[]> {
    const remove = () =>
      this.#database.write((tx) => {
        const rows = tx.select({ id: renders.id }).from(renders).where(eq(renders.projectId, projectId)).all();
        if (tx.delete(projects).where(eq(projects.id, projectId)).run().changes === 0) throw projectNotFound(projectId);
        return rows.map(({ id }) => id);
      });
    let renderIds: readonly string[];
    try {
      renderIds = remove();
    } catch (error) {
      if (!(error instanceof KodaError) || error.code !== 'STORAGE_FULL') throw error;
      this.#deleteEvents(projectId);
      renderIds = remove();
    }
    this.#announcer.end(projectId);
    return renderIds;
  }

  /** Deletes events in small transactions, because a transaction takes as much WAL space as the rows it deletes. */
  #deleteEvents(projectId: string): void {
    const batch = sql`(SELECT rowid FROM ${events} WHERE ${events.projectId} = ${projectId} LIMIT ${deleteBatchSize})`;
    for (let changes = 1; changes > 0; ) {
      ({ changes } = this.#database.write((tx) => tx.delete(events).where(sql`rowid IN ${batch}`).run()));
      // Lets the next transaction reuse this one's WAL space.
      this.#database.sqlite.pragma('wal_checkpoint(RESTART)');
    }
  }

  async listDue(): Promise<string[]> {
    const waiting = sql`SELECT 1 FROM ${approvals} WHERE ${approvals.projectId} = ${projects.id} AND ${approvals.response} IS NULL`;
    const userMessages = sql`SELECT 1 FROM ${messages} WHERE ${messages.projectId} = ${projects.id}`;
    const isDue = or(
      inArray(projects.phase, ['question', 'plan', 'executing', 'preview']),
      and(eq(projects.phase, 'idle'), sql`EXISTS (${userMessages} AND ${messages.role} = 'user')`),
      and(eq(projects.phase, 'complete'), sql`EXISTS (${userMessages} AND ${messages.queued})`),
    );
    const rows = this.#database.read((tx) =>
      tx
        .select({ id: projects.id })
        .from(projects)
        .where(
          and(
            isNull(projects.deletedAt),
            or(eq(projects.running, true), and(isNull(projects.error), isDue, sql`NOT EXISTS (${waiting})`)),
          ),
        )
        .all(),
    );
    return rows.map((row) => row.id);
  }

  async findByPreviewLabel(label: string): Promise<ProjectRecord | null> {
    const row = this.#database.read((tx) =>
      tx
        .select()
        .from(projects)
        .where(and(eq(projects.previewLabel, label), isNull(projects.deletedAt)))
        .get(),
    );
    return row === undefined ? null : toProjectRecord(row);
  }
}

/** Returns the events that end a deleted project's work, so that nothing appears to be running after a restore. */
function endingsOf(project: ProjectRow, renders: readonly Render[], at: string): EventBody[] {
  const error = { code: 'CANCELLED', message: 'The render was cancelled because its project was deleted. Render again.' };
  const unfinished = renders.filter(({ status }) => status === 'queued' || status === 'running');
  return [
    ...unfinished.map(
      (render): EventBody => ({
        type: 'render.failed',
        render: { ...render, status: 'cancelled', stage: null, error, finishedAt: at },
      }),
    ),
    ...(project.sandbox === 'stopped' ? [] : [{ type: 'sandbox.state', state: 'stopped' } as const]),
  ];
}
