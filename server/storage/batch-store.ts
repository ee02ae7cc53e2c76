import type { Batch, BatchDetail, BatchRequest, BatchRow } from '#contract/batch.ts';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { Principal } from '#contract/principal.ts';
import type { ParameterValues } from '#contract/render.ts';
import { selectBatches, toBatch } from './batch-rows.ts';
import type { Database, Transaction } from './database.ts';
import { and, asc, count, eq, inArray, sql } from './drizzle.ts';
import { selectProject } from './project-rows.ts';
import type { SqliteProjectStore } from './project-store.ts';
import { batches, batchRows, renders } from './schema.ts';

export interface NewBatch {
  readonly id: string;
  readonly projectId: string;
  readonly request: BatchRequest['render'];
  readonly rows: readonly { readonly label: string; readonly parameters: ParameterValues }[];
  readonly by: Principal;
}

/** A row to render next, with what its batch says about all renders. */
export interface DueRow {
  readonly number: number;
  readonly parameters: ParameterValues;
  readonly request: BatchRequest['render'];
  readonly by: Principal;
}

type Change = Partial<Pick<Batch, 'state' | 'reason'>>;

/** Rows per statement, because SQLite limits the number of parameters. */
const rowsPerInsert = 500;

/**
 * Batches and their rows. Every change is recorded with the event that reports it. The rows' renders change them too
 * (`projection.ts`).
 */
export class BatchStore {
  readonly #database: Database;
  readonly #projects: Pick<SqliteProjectStore, 'recordWith'>;

  constructor(database: Database, projects: Pick<SqliteProjectStore, 'recordWith'>) {
    this.#database = database;
    this.#projects = projects;
  }

  /** Returns the batch, or `null` if it does not exist, perhaps because its project was removed. */
  find(batchId: string): Batch | null {
    return this.#database.read((tx) => {
      const row = tx.select().from(batches).where(eq(batches.id, batchId)).get();
      return row === undefined ? null : toBatch(tx, row);
    });
  }

  /** Throws NOT_FOUND. */
  get(batchId: string): Batch {
    const batch = this.find(batchId);
    if (batch !== null) return batch;
    throw new KodaError(
      'NOT_FOUND',
      `There is no batch ${batchId}. It may have been removed. List the batches to see which exist.`,
      {
        recovery: 'list_batches',
      },
    );
  }

  /** Returns a project's batches, newest first. Throws NOT_FOUND. */
  list(projectId: string): Batch[] {
    return this.#database.read((tx) => {
      selectProject(tx, projectId);
      return selectBatches(tx, projectId);
    });
  }

  /** Throws NOT_FOUND. */
  detail(batchId: string): BatchDetail {
    const batch = this.get(batchId);
    const rows = this.#database.read((tx) =>
      tx
        .select({
          number: batchRows.number,
          label: batchRows.label,
          state: batchRows.state,
          renderId: batchRows.renderId,
          videoUrl: renders.videoUrl,
          error: batchRows.error,
        })
        .from(batchRows)
        .leftJoin(renders, eq(renders.id, batchRows.renderId))
        .where(eq(batchRows.batchId, batchId))
        .orderBy(asc(batchRows.number))
        .all(),
    );
    return { ...batch, rows };
  }

  /** Returns the ids of all projects' batches in a state, oldest first. */
  idsIn(state: Batch['state']): string[] {
    return this.#database
      .read((tx) =>
        tx.select({ id: batches.id }).from(batches).where(eq(batches.state, state)).orderBy(asc(batches.createdAt)).all(),
      )
      .map(({ id }) => id);
  }

  /** Returns the next row to render, or `null` if none is waiting or this many already have an unfinished render. */
  nextRow(batchId: string, { atOnce }: { atOnce: number }): DueRow | null {
    return this.#database.read((tx) => {
      const rendering =
        tx
          .select({ rows: count() })
          .from(batchRows)
          .where(inState(batchId, ['rendering']))
          .get()?.rows ?? 0;
      if (rendering >= atOnce) return null;
      const row = tx
        .select({ number: batchRows.number, parameters: batchRows.parameters, request: batches.request, by: batches.by })
        .from(batchRows)
        .innerJoin(batches, eq(batches.id, batchRows.batchId))
        .where(inState(batchId, ['waiting']))
        .orderBy(asc(batchRows.number))
        .limit(1)
        .get();
      return row ?? null;
    });
  }

  /** Returns the ids of the unfinished renders. */
  rendering(batchId: string): string[] {
    return this.#database
      .read((tx) =>
        tx
          .select({ id: batchRows.renderId })
          .from(batchRows)
          .where(inState(batchId, ['rendering']))
          .all(),
      )
      .flatMap(({ id }) => id ?? []);
  }

  /** Returns the ids of all renders, those of earlier attempts included. */
  rendersOf({ id, projectId }: Batch): string[] {
    const ofBatch = and(eq(renders.projectId, projectId), sql`json_extract(${renders.batch}, '$.id') = ${id}`);
    return this.#database.read((tx) => tx.select({ id: renders.id }).from(renders).where(ofBatch).all()).map(({ id }) => id);
  }

  async create({ id, projectId, request, rows, by }: NewBatch): Promise<Batch> {
    const total = rows.length;
    const batch: Batch = {
      ...{ id, projectId, state: 'running', reason: null },
      counts: { total, waiting: total, rendering: 0, complete: 0, failed: 0, cancelled: 0 },
      ...{ createdAt: new Date().toISOString(), finishedAt: null },
    };
    const { counts: _, ...columns } = batch;
    await this.#record(batch, by, (tx) => {
      tx.insert(batches)
        .values({ ...columns, request, by })
        .run();
      for (let start = 0; start < total; start += rowsPerInsert)
        tx.insert(batchRows)
          .values(
            rows.slice(start, start + rowsPerInsert).map((row, index) => {
              return { ...row, batchId: id, number: start + index + 1, state: 'waiting' as const };
            }),
          )
          .run();
    });
    return batch;
  }

  /** Records the batch's state and counts, as they are or changed. */
  async update(batchId: string, change: Change, by: Principal): Promise<void> {
    await this.#record(changed(this.get(batchId), change), by, null);
  }

  /** A row that cannot even be queued. */
  async fail(batchId: string, number: number, { code, message }: KodaError, by: Principal): Promise<void> {
    const { counts, ...batch } = this.get(batchId);
    const after = { ...batch, counts: { ...counts, waiting: counts.waiting - 1, failed: counts.failed + 1 } };
    await this.#record(after, by, (tx) =>
      tx
        .update(batchRows)
        .set({ state: 'failed', error: { code, message } })
        .where(and(eq(batchRows.batchId, batchId), eq(batchRows.number, number)))
        .run(),
    );
  }

  /** Cancels the rows that wait. */
  async cancel(batchId: string, by: Principal): Promise<void> {
    const { counts, ...batch } = this.get(batchId);
    const after = { ...batch, counts: { ...counts, waiting: 0, cancelled: counts.cancelled + counts.waiting } };
    await this.#record(changed(after, { state: 'cancelled', reason: null }), by, (tx) =>
      tx
        .update(batchRows)
        .set({ state: 'cancelled' })
        .where(inState(batchId, ['waiting']))
        .run(),
    );
  }

  /** Lets rows wait again, and the batch run. `withCodes`: only failed rows with these errors; `null`: all failed rows. */
  async restart(
    batchId: string,
    { states, withCodes }: { states: ('failed' | 'cancelled')[]; withCodes: readonly string[] | null },
    by: Principal,
  ): Promise<void> {
    const { counts, ...batch } = this.get(batchId);
    const code = sql`json_extract(${batchRows.error}, '$.code')`;
    const rows = this.#database.read((tx) =>
      tx
        .select({ number: batchRows.number, state: batchRows.state, code: sql<string | null>`${code}` })
        .from(batchRows)
        .where(inState(batchId, states))
        .all(),
    );
    const again = rows.filter((row) => row.state === 'cancelled' || withCodes === null || withCodes.includes(row.code ?? ''));
    const failed = again.filter(({ state }) => state === 'failed').length;
    const cancelled = again.length - failed;
    const after = {
      ...batch,
      counts: {
        ...counts,
        waiting: counts.waiting + again.length,
        failed: counts.failed - failed,
        cancelled: counts.cancelled - cancelled,
      },
    };
    const numbers = sql`(SELECT value FROM json_each(${JSON.stringify(again.map(({ number }) => number))}))`;
    await this.#record(changed(after, { state: 'running', reason: null }), by, (tx) =>
      tx
        .update(batchRows)
        .set({ state: 'waiting', error: null })
        .where(and(eq(batchRows.batchId, batchId), inArray(batchRows.number, numbers)))
        .run(),
    );
  }

  /** A deleted project accepts no events, but can be restored, and its batch then says why it does not run. */
  pauseUnrecorded(batchId: string, reason: Batch['reason']): void {
    this.#database.write((tx) => tx.update(batches).set({ state: 'paused', reason }).where(eq(batches.id, batchId)).run());
  }

  /** Removes the batch, its rows and its renders. Their files are the caller's. */
  async remove({ id, projectId }: Batch, by: Principal): Promise<void> {
    await this.#projects.recordWith(projectId, [{ type: 'batch.removed', batchId: id }], { extra: { by }, writeRows: null });
  }

  async #record(batch: Batch, by: Principal, writeRows: ((tx: Transaction) => unknown) | null): Promise<void> {
    const event: EventBody = { type: 'batch.updated', batch };
    await this.#projects.recordWith(batch.projectId, [event], {
      extra: { by },
      writeRows: writeRows === null ? null : (tx) => void writeRows(tx),
    });
  }
}

/** Returns a changed batch. The end of its work is set and unset with its state. */
function changed(batch: Batch, change: Change): Batch {
  const after = { ...batch, ...change };
  const isOver = after.state === 'complete' || after.state === 'cancelled';
  return { ...after, finishedAt: isOver ? (batch.finishedAt ?? new Date().toISOString()) : null };
}

function inState(batchId: string, states: BatchRow['state'][]) {
  return and(eq(batchRows.batchId, batchId), inArray(batchRows.state, states));
}
