import {
  type Batch,
  type BatchCheck,
  type BatchDetail,
  type BatchRequest,
  type BatchRow,
  maxBatchRows,
} from '#contract/batch.ts';
import { type ErrorCode, KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { koda, type Principal } from '#contract/principal.ts';
import type { ParameterValues, Render, RenderRequest } from '#contract/render.ts';
import { KeyedLock } from '../lib/keyed-lock.ts';
import type { BatchStore, DueRow } from '../storage/batch-store.ts';
import { assertRows, parseRows, problemsInParts, type Row, readTable } from './rows.ts';
import type { RenderService } from './service.ts';
import type { RenderSubject } from './settings.ts';

export interface BatchServiceDeps {
  readonly store: BatchStore;
  readonly renders: Pick<RenderService, 'prepare' | 'enqueue' | 'cancel' | 'describe' | 'removeFiles'>;
  /** Appends the event that queues a render. */
  readonly queue: (render: Render, by: Principal) => Promise<void>;
  /** Returns what a render of the project shows. Throws INVALID_TRANSITION if there is nothing to render now. */
  readonly renderable: (projectId: string) => Promise<RenderSubject>;
  /** Throws STORAGE_FULL. */
  readonly assertFreeSpace: (projectId: string) => Promise<void>;
  /** Receives errors that have no one to go to. The batch continues with the next `resumeAll`. */
  readonly onError: (batchId: string, error: unknown) => void;
}

interface Acting {
  readonly by: Principal;
}

/** Why a batch may have something to do. */
interface Cause {
  readonly rowEnded: boolean;
  /** Why no further row may start. */
  readonly fatal: Batch['reason'];
}

const nothingEnded: Cause = { rowEnded: false, fatal: null };

/** One row renders, and the next one waits, so that the sandbox is never idle and other renders of the project get their turn. */
const rowsAtOnce = 2;
/** Batches of a project that are not over. */
const maxOpenBatches = 5;
const maxShownProblems = 200;
const tableName = 'The table';
const labelCharacters = 60;

/** Errors that would affect every further row as well. */
const fatalCodes: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'NOT_FOUND', 'INVALID_TRANSITION', 'STORAGE_FULL'];
const isFatal = (error: unknown): error is KodaError => error instanceof KodaError && fatalCodes.includes(error.code);

/**
 * Renders one final per row of a table. The rows are stored first, and then given to the render queue a few at a time: a queue of
 * a thousand renders would be one project's. What has been rendered is in the rows, so a batch continues after a restart.
 */
export class BatchService {
  readonly #deps: BatchServiceDeps;
  readonly #lock = new KeyedLock();
  readonly #feeding = new Set<Promise<void>>();
  #closed = false;

  constructor(deps: BatchServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a batch and starts it. Throws VALIDATION_ERROR that names the bad rows, LIMIT_EXCEEDED, INVALID_TRANSITION or
   * STORAGE_FULL; nothing is stored then.
   */
  async create(
    projectId: string,
    request: BatchRequest,
    { by, id = newId('bat'), signal }: Acting & { id?: string; signal: AbortSignal },
  ): Promise<Batch> {
    const { store, renders, assertFreeSpace, renderable } = this.#deps;
    const film = await renderable(projectId);
    await assertFreeSpace(projectId);
    const { rows, problems } = await this.#read(projectId, request, { signal });
    assertRows(problems);
    const [first] = rows;
    // What is wrong with the settings is wrong in every row.
    if (first) renders.prepare(projectId, requestOf(request.render, first.parameters), film);
    const open = store.list(projectId).filter(({ state }) => state === 'running' || state === 'paused').length;
    if (open >= maxOpenBatches)
      throw new KodaError(
        'LIMIT_EXCEEDED',
        `${open} batches of this project are not finished. Wait for one of them, or cancel one.`,
        { recovery: 'wait' },
      );
    const batch = await store.create({ id, projectId, request: request.render, by, rows: rows.map(toStored) });
    this.#keepFed(id);
    return batch;
  }

  /** Reads rows and checks them against the film, and starts nothing. Throws VALIDATION_ERROR if they cannot be read. */
  async check(projectId: string, request: BatchRequest, { signal }: { signal: AbortSignal }): Promise<BatchCheck> {
    await this.#deps.renderable(projectId);
    const { rows, problems, parameters } = await this.#read(projectId, request, { signal });
    const bad = problems.flatMap((message, index) => (message === null ? [] : [{ row: index + 1, message }]));
    const names = new Set(rows.flatMap(({ fields }) => Object.keys(fields)));
    const roleOf = (name: string) => (parameters.has(name) ? ('parameter' as const) : ('unknown' as const));
    return {
      rows: rows.length,
      headings: [...readTable(request.rows, tableName).headings],
      columns: [...names].map((name) => ({ name, use: name.startsWith('_') ? 'name' : roleOf(name) })),
      problems: bad.slice(0, maxShownProblems),
      badRows: bad.length,
    };
  }

  /** Throws NOT_FOUND. */
  async get(projectId: string, batchId: string): Promise<BatchDetail> {
    this.#assertIn(projectId, batchId);
    return this.#deps.store.detail(batchId);
  }

  /** Returns a project's batches, newest first. Throws NOT_FOUND. */
  async list(projectId: string): Promise<Batch[]> {
    return this.#deps.store.list(projectId);
  }

  /** Starts no further row, cancels those that render, and keeps what is finished. Idempotent. Throws NOT_FOUND. */
  cancel(projectId: string, batchId: string, { by }: Acting): Promise<Batch> {
    return this.#change(projectId, batchId, async ({ state }) => {
      if (state !== 'complete' && state !== 'cancelled') await this.#cancel(batchId, by);
    });
  }

  /** Continues a paused or cancelled batch with the rows that have no video and have not failed. Throws INVALID_TRANSITION. */
  resume(projectId: string, batchId: string, { by }: Acting): Promise<Batch> {
    return this.#change(projectId, batchId, async ({ state }) => {
      if (state === 'running') return;
      if (state === 'complete')
        throw new KodaError('INVALID_TRANSITION', 'The batch is complete, so it cannot continue. Retry its failed rows instead.');
      await this.#deps.store.restart(batchId, { states: ['failed', 'cancelled'], withCodes: fatalCodes }, by);
    });
  }

  /** Renders the failed rows again; of a batch that was not cancelled as a whole, also rows whose render was. */
  retry(projectId: string, batchId: string, { by }: Acting): Promise<Batch> {
    return this.#change(projectId, batchId, async ({ state, counts }) => {
      const states: ('failed' | 'cancelled')[] = state === 'cancelled' ? ['failed'] : ['failed', 'cancelled'];
      if (states.every((name) => counts[name] === 0))
        throw new KodaError('INVALID_TRANSITION', 'There is nothing to retry: no row of the batch has failed.');
      await this.#deps.store.restart(batchId, { states, withCodes: null }, by);
    });
  }

  /** Removes the batch with its videos. Cancels it first if it is not over. Throws NOT_FOUND. */
  async remove(projectId: string, batchId: string, { by }: Acting): Promise<void> {
    const { store, renders } = this.#deps;
    this.#assertIn(projectId, batchId);
    await this.#lock.run(batchId, async () => {
      const batch = store.get(batchId);
      if (batch.counts.rendering > 0 || batch.state === 'running') await this.#cancel(batchId, by);
      const renderIds = store.rendersOf(batch);
      // Rows first: a crash in between leaves files without a row, which the next sweep removes.
      await store.remove(batch, by);
      for (const renderId of renderIds) await renders.removeFiles(renderId);
    });
  }

  /** Call when a render has ended, after its event was recorded. */
  renderEnded({ batch, error }: Render): void {
    if (batch === null) return;
    const isFatalCode = fatalCodes.some((code) => code === error?.code);
    this.#keepFed(batch.id, { fatal: isFatalCode ? error : null, rowEnded: true });
  }

  /** Continues batches after a restart, or after an error that could not be recorded. */
  async resumeAll(): Promise<void> {
    const { store, renders } = this.#deps;
    for (const batchId of store.idsIn('running')) this.#keepFed(batchId);
    // The server stopped while it cancelled them.
    for (const batchId of store.idsIn('cancelled'))
      for (const renderId of store.rendering(batchId)) await renders.cancel(renderId, koda('recovery'));
  }

  /** Starts no further row. Call before the renders are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#feeding);
  }

  #assertIn(projectId: string, batchId: string): void {
    const { store } = this.#deps;
    if (store.get(batchId).projectId === projectId) return;
    throw new KodaError('NOT_FOUND', `There is no batch ${batchId} in this project. List its batches to see which exist.`, {
      recovery: 'list_batches',
    });
  }

  async #change(projectId: string, batchId: string, change: (batch: Batch) => Promise<void>): Promise<Batch> {
    const { store } = this.#deps;
    this.#assertIn(projectId, batchId);
    await this.#lock.run(batchId, () => change(store.get(batchId)));
    this.#keepFed(batchId);
    return store.get(batchId);
  }

  async #cancel(batchId: string, by: Principal): Promise<void> {
    const { store, renders } = this.#deps;
    await store.cancel(batchId, by);
    for (const renderId of store.rendering(batchId)) await renders.cancel(renderId, by);
  }

  async #read(projectId: string, request: BatchRequest, { signal }: { signal: AbortSignal }) {
    const { renders } = this.#deps;
    if (Array.isArray(request.rows)) assertCount(request.rows.length);
    const { film } = await renders.describe(projectId, [], { signal });
    const rows = parseRows(request.rows, { name: tableName, declared: film.parameters, columns: request.columns });
    assertCount(rows.length);
    const common = request.render.parameters ?? {};
    const sets = rows.map(({ parameters }) => ({ ...common, ...parameters }));
    const found = await problemsInParts(sets, async (part) => (await renders.describe(projectId, part, { signal })).problems);
    const problems = rows.map(({ problem }, index) => problem ?? found[index] ?? null);
    return { rows, problems, parameters: new Set(film.parameters.map(({ name }) => name)) };
  }

  /** Never rejects. */
  #keepFed(batchId: string, cause: Cause = nothingEnded): void {
    if (this.#closed) return;
    const work = this.#lock
      .run(batchId, () => this.#feed(batchId, cause))
      .catch((error: unknown) => this.#deps.onError(batchId, error))
      .finally(() => this.#feeding.delete(work));
    this.#feeding.add(work);
  }

  async #feed(batchId: string, { fatal, rowEnded }: Cause): Promise<void> {
    if (this.#closed) return;
    const { store } = this.#deps;
    const batch = store.find(batchId);
    if (batch === null) return;
    try {
      if (batch.state === 'running' && fatal !== null) return await this.#pause(batchId, fatal);
      const started = batch.state === 'running' ? await this.#startRows(batch) : 0;
      const { waiting, rendering } = store.get(batchId).counts;
      const isOver = batch.state === 'running' && waiting + rendering === 0;
      if (started > 0 || isOver || rowEnded) await store.update(batchId, isOver ? { state: 'complete' } : {}, koda('render'));
    } catch (error) {
      if (!isFatal(error)) throw error;
      await this.#pause(batchId, { code: error.code, message: error.message });
    }
  }

  /** Returns how many rows left the state `waiting`. */
  async #startRows(batch: Batch): Promise<number> {
    for (let started = 0; ; started++) {
      const row = this.#closed ? null : this.#deps.store.nextRow(batch.id, { atOnce: rowsAtOnce });
      if (row === null) return started;
      await this.#start(batch, row);
    }
  }

  /** Queues a row's render. A row that does not fit the film, which may have changed, fails alone. */
  async #start({ id, projectId }: Batch, { number, parameters, request, by }: DueRow): Promise<void> {
    const { store, renders, queue, renderable, assertFreeSpace } = this.#deps;
    let render: Render;
    try {
      const film = await renderable(projectId);
      await assertFreeSpace(projectId);
      render = renders.prepare(projectId, requestOf(request, parameters), film, { batch: { id, row: number } });
    } catch (error) {
      if (isFatal(error) || !(error instanceof KodaError)) throw error;
      await store.fail(id, number, error, koda('render'));
      return;
    }
    await queue(render, by);
    // Sandboxes of projects in which somebody waits go first.
    renders.enqueue(render, 'background');
  }

  async #pause(batchId: string, reason: Batch['reason']): Promise<void> {
    const { store } = this.#deps;
    try {
      await store.update(batchId, { state: 'paused', reason }, koda('render'));
    } catch (error) {
      if (!(error instanceof KodaError && error.code === 'NOT_FOUND')) throw error;
      store.pauseUnrecorded(batchId, reason);
    }
  }
}

function requestOf(render: BatchRequest['render'], parameters: ParameterValues): RenderRequest {
  return { ...render, kind: 'final', parameters: { ...render.parameters, ...parameters } };
}

function toStored({ number, parameters, fields }: Row): Pick<BatchRow, 'label'> & { parameters: ParameterValues } {
  const text = Object.values(fields).find((value) => typeof value === 'string' && value.trim() !== '');
  return { label: String(text ?? `Row ${number}`).slice(0, labelCharacters), parameters };
}

function assertCount(rows: number): void {
  if (rows <= maxBatchRows) return;
  throw new KodaError('LIMIT_EXCEEDED', `The table has ${rows} rows, but a batch has at most ${maxBatchRows}. Split the table.`, {
    details: { rows, maxRows: maxBatchRows },
    recovery: 'send_less',
  });
}
