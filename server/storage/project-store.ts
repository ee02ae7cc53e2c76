import { randomBytes } from 'node:crypto';
import type { ProjectSnapshot } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import { localPersonId, type Principal } from '#contract/principal.ts';
import type { Message, Plan } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import { failpoint } from '../lib/failpoint.ts';
import { selectBatches } from './batch-rows.ts';
import type { Database, Transaction } from './database.ts';
import { and, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from './drizzle.ts';
import type { EventLog } from './event-log.ts';
import { selectProjects } from './project-list.ts';
import {
  type ProjectRow,
  projectNotFound,
  selectProject,
  selectRenders,
  selectState,
  shownColumns,
  toProjectRecord,
} from './project-rows.ts';
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
  readonly chips: ProjectRecord['chips'];
  readonly by: Principal;
}

/** Events of one `record` call, with the rows that belong to them. */
interface Draft {
  readonly projectId: string;
  readonly at: string;
  readonly bodies: readonly EventBody[];
  readonly extra: RecordExtra;
  readonly writeRows: ((tx: Transaction, events: readonly ProjectEvent[]) => void) | null;
}

interface PendingProgress extends Draft {
  readonly resolve: (events: ProjectEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Types that only show how far work has come. Nothing is lost with them that the work does not report again. */
const progressTypes: ReadonlySet<EventBody['type']> = new Set(['code.chunk', 'render.progress', 'thinking']);
/** Minimum time between two commits of progress, and therefore the longest that progress waits for its commit. */
const progressIntervalMs = 50;
const deleteBatchSize = 500;

/**
 * Stores projects in SQLite. `record` calls for a project take effect in call order. Each commit is synced to disk, which blocks
 * the thread, so progress of all projects shares commits. Everything else is committed at once, with the project's earlier
 * progress.
 */
export class SqliteProjectStore implements ProjectStore {
  readonly #database: Database;
  readonly #log: EventLog;
  readonly #announcer: Announcer;
  #pending: PendingProgress[] = [];
  #timer: NodeJS.Timeout | null = null;
  #progressAtMs = Number.NEGATIVE_INFINITY;

  constructor({ database, log, announcer }: { database: Database; log: EventLog; announcer: Announcer }) {
    this.#database = database;
    this.#log = log;
    this.#announcer = announcer;
  }

  async create({ events, chips = [], ...project }: Parameters<ProjectStore['create']>[0]): Promise<ProjectRecord> {
    return this.createWith({ ...project, chips }, events, null);
  }

  /** Creates a project with its first events and further rows, in one transaction. */
  async createWith(
    { by, ...project }: NewProject,
    bodies: readonly EventBody[],
    writeRows: ((tx: Transaction, events: readonly ProjectEvent[]) => void) | null,
  ): Promise<ProjectRecord> {
    const now = new Date().toISOString();
    return this.#database.write((tx) => {
      tx.insert(projects)
        .values({
          ...project,
          ...shownColumns(project.chips),
          phase: 'idle',
          running: false,
          sandbox: 'stopped',
          // A host label may contain letters, digits and hyphens. 96 random bits cannot be guessed.
          previewLabel: randomBytes(12).toString('hex'),
          lastSeq: 0,
          // What a program or Koda creates belongs to the person whom it serves.
          owner: by.type === 'person' ? by.id : localPersonId,
          createdAt: now,
          updatedAt: now,
        })
        .run();
      tx.insert(sessions).values({ projectId: project.id, status: 'active', lastActivityAt: now }).run();
      this.#append(tx, { projectId: project.id, at: now, bodies, extra: { by }, writeRows });
      return toProjectRecord(selectProject(tx, project.id));
    });
  }

  async get(projectId: string): Promise<ProjectRecord> {
    return this.#database.read((tx) => toProjectRecord(selectProject(tx, projectId)));
  }

  async lastSeq(projectId: string): Promise<number> {
    return this.#database.read((tx) => selectProject(tx, projectId).lastSeq);
  }

  async state(projectId: string): Promise<ProjectState> {
    return this.#database.read((tx) => selectState(tx, projectId));
  }

  async snapshot(projectId: string): Promise<ProjectSnapshot> {
    return this.#database.read((tx) => {
      const state = selectState(tx, projectId);
      return toSnapshot(state, { tools: selectRecentCalls(tx, projectId), batches: selectBatches(tx, projectId) });
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

  async record(projectId: string, bodies: readonly EventBody[], extra: RecordExtra): Promise<ProjectEvent[]> {
    if (bodies.length === 0 || !bodies.every(({ type }) => progressTypes.has(type)))
      return this.recordWith(projectId, bodies, { extra, writeRows: null });
    const at = new Date().toISOString();
    return new Promise((resolve, reject) => {
      this.#pending.push({ projectId, at, bodies, extra, writeRows: null, resolve, reject });
      this.#timer ??= setTimeout(() => this.flush(), Math.max(0, this.#progressAtMs + progressIntervalMs - performance.now()));
    });
  }

  /** Like `record`, but writes further rows in the same transaction. */
  async recordWith(
    projectId: string,
    bodies: readonly EventBody[],
    { extra, writeRows }: Pick<Draft, 'extra' | 'writeRows'>,
  ): Promise<ProjectEvent[]> {
    const draft: Draft = { projectId, at: new Date().toISOString(), bodies, extra, writeRows };
    const earlier = this.#pending.filter((pending) => pending.projectId === projectId);
    if (earlier.length === 0) return this.#commit([draft]).flat();
    this.#pending = this.#pending.filter((pending) => pending.projectId !== projectId);
    let committed: ProjectEvent[][];
    try {
      committed = this.#commit([...earlier, draft]);
    } catch {
      // One of them cannot be stored. Alone, each fails only for itself.
      this.#commitProgress(earlier);
      return this.#commit([draft]).flat();
    }
    for (const [index, { resolve }] of earlier.entries()) resolve(committed[index] ?? []);
    return committed.at(-1) ?? [];
  }

  /** Commits pending progress now. Call before the database is closed. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#commitProgress(this.#pending.splice(0));
    this.#progressAtMs = performance.now();
  }

  #commitProgress(progress: readonly PendingProgress[]): void {
    let committed: ProjectEvent[][];
    try {
      committed = this.#commit(progress);
    } catch (error) {
      // For example, one of the projects was deleted, which must not affect the others.
      if (progress.length > 1) for (const one of progress) this.#commitProgress([one]);
      else progress[0]?.reject(error);
      return;
    }
    for (const [index, { resolve }] of progress.entries()) resolve(committed[index] ?? []);
  }

  /** Stores drafts in one transaction and publishes their events. Throws, with nothing stored, if one of them fails. */
  #commit(drafts: readonly Draft[]): ProjectEvent[][] {
    if (drafts.length === 0) return [];
    const committed = this.#database.write((tx) => {
      const appended = drafts.map((draft) => this.#append(tx, draft));
      failpoint('event.before-commit');
      return appended;
    });
    failpoint('event.after-commit');
    // Nothing is awaited after the commit, so events reach the bus in sequence order.
    for (const event of committed.flat()) this.#announcer.publish(event);
    return committed;
  }

  /** Numbers, stores and applies the events, then writes their rows. Call inside a transaction. */
  #append(tx: Transaction, { projectId, at, bodies, extra, writeRows }: Draft): ProjectEvent[] {
    const row = selectProject(tx, projectId);
    const events = bodies.map(
      (body, index): ProjectEvent => ({
        ...{ seq: row.lastSeq + index + 1, projectId, at, by: extra.by },
        ...body,
      }),
    );
    for (const event of events) {
      this.#log.append(event);
      applyEvent(tx, event, extra);
    }
    tx.update(projects)
      .set({ lastSeq: row.lastSeq + events.length, updatedAt: at })
      .where(eq(projects.id, projectId))
      .run();
    writeRows?.(tx, events);
    return events;
  }

  async markDeleted(projectId: string, at: string, by: Principal): Promise<void> {
    // Afterwards the project accepts no events.
    this.flush();
    const events = this.#database.write((tx) => {
      const bodies = endingsOf(selectProject(tx, projectId), selectRenders(tx, projectId), at);
      const events = bodies.length === 0 ? [] : this.#append(tx, { projectId, at, bodies, extra: { by }, writeRows: null });
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

  async listIds({ changedSince }: { changedSince: string | null }): Promise<string[]> {
    const since = changedSince === null ? undefined : gt(projects.updatedAt, changedSince);
    const rows = this.#database.read((tx) =>
      tx
        .select({ id: projects.id })
        .from(projects)
        .where(and(isNull(projects.deletedAt), since))
        .all(),
    );
    return rows.map(({ id }) => id);
  }

  async listPreviews(): Promise<ProjectRecord[]> {
    const hasPreview = and(isNull(projects.deletedAt), isNotNull(projects.previewUrl));
    return this.#database.read((tx) => tx.select().from(projects).where(hasPreview).all()).map(toProjectRecord);
  }

  async listDeleted(before: string): Promise<string[]> {
    const isDue = and(isNotNull(projects.deletedAt), lte(projects.deletedAt, before));
    return this.#database
      .read((tx) => tx.select({ id: projects.id }).from(projects).where(isDue).orderBy(projects.deletedAt).all())
      .map(({ id }) => id);
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
      and(inArray(projects.phase, ['complete', 'conversation']), sql`EXISTS (${userMessages} AND ${messages.queued})`),
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
