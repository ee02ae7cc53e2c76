import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { BatchDetail, BatchRequest } from '#contract/batch.ts';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { koda } from '#contract/principal.ts';
import { type Render, renderFiles } from '#contract/render.ts';
import {
  type CheckedSchedule,
  maxDeliveryAttempts,
  maxFailures,
  maxRunsKept,
  maxUpcoming,
  type Schedule,
  type ScheduleDelivery,
  type SchedulePatch,
  type ScheduleRequest,
  type ScheduleRun,
  type ScheduleSource,
  type ToolSource,
} from '#contract/schedules.ts';
import type { Fetch } from '../lib/outbound-fetch.ts';
import type { BatchService } from '../renders/batches.ts';
import { type ScheduleStore, type StoredRun, type StoredSchedule, toRun } from '../storage/schedule-store.ts';
import { assertMayDeliver, type DeliveryPlaces, deliver, FinalDeliveryError } from './deliver.ts';
import { assertMayFetch, fetchTable } from './fetch-table.ts';
import { timesOf } from './times.ts';

export interface ScheduleDeps {
  readonly store: ScheduleStore;
  readonly batches: Pick<BatchService, 'check' | 'create' | 'cancel' | 'remove'>;
  /** Returns `null` if there is none. */
  readonly batchOf: (batchId: string) => BatchDetail | null;
  readonly render: (renderId: string) => Promise<Render>;
  /** Returns the path of a finished video, or `null`. */
  readonly fileOf: (renderId: string, name: string) => Promise<string | null>;
  /** Throws if the project has nothing to render, or the settings do not fit it. */
  readonly assertRenderable: (projectId: string, render: ScheduleRequest['render']) => Promise<void>;
  /** Addresses, and those below them, that tables may be fetched from. */
  readonly fetchAddresses: readonly string[];
  readonly fetch: Fetch;
  readonly tools: {
    /** Throws a KodaError if the tool cannot be called without a person, or not with this input. */
    readonly check: (call: ToolSource, options: { signal: AbortSignal }) => Promise<void>;
    /** Returns the result's text. Throws as `check` does, or if the call fails. */
    readonly call: (call: ToolSource, options: { signal: AbortSignal }) => Promise<string>;
  };
  readonly places: DeliveryPlaces;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** `id`: of a run or schedule. */
  readonly onError: (id: string, error: unknown) => void;
}

const minuteMs = 60_000;
const upcomingMs = 7 * 24 * 3_600_000;
/** A longer gap between two looks at the clock means that Koda, or the computer, was off. */
const offAfterMs = 90_000;
const noteAliveEveryMs = 30_000;
/** A film's page checks the rows of a large table in many parts. */
const prepareTimeoutMs = 10 * minuteMs;
/** Waiting times between the attempts of a delivery. */
const backOffMs = [30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs];

type Failure = NonNullable<ScheduleRun['error']>;
interface Off {
  readonly from: string;
  readonly until: string;
}

const iso = (ms: number) => new Date(ms).toISOString();
const by = koda('schedule');

/**
 * Makes films at their times and delivers them. Each step is stored before the next one begins: what was fetched, the batch's id
 * before the batch, each delivery's id before its first attempt. After a crash, a run goes on where it was.
 */
export class ScheduleService {
  readonly #deps: ScheduleDeps;
  readonly #advancing = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  #aliveMs: number | null = null;
  #notedMs = 0;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
  }

  /** Returns the schedules of a project or of all, oldest first. */
  list(projectId: string | null): Schedule[] {
    return this.#deps.store.list(projectId).map((stored) => this.#view(stored));
  }

  /** Throws NOT_FOUND. */
  get(id: string): Schedule {
    return this.#view(this.#deps.store.get(id));
  }

  /** Returns the latest runs, newest first. Throws NOT_FOUND. */
  runs(id: string): ScheduleRun[] {
    const { store } = this.#deps;
    return store.runs(store.get(id).id, maxRunsKept).map(toRun);
  }

  /** Returns the next five times. Throws VALIDATION_ERROR. */
  times(when: { cron: string; timeZone: string }): string[] {
    const nowMs = this.#deps.now();
    return this.#upcoming(when, { fromMs: nowMs, untilMs: Number.POSITIVE_INFINITY, count: 5 });
  }

  /**
   * Reads the rows as a run would, and makes nothing. Starts a sandbox if there is a table. `problems` are those of single rows, of
   * which each would fail a run. Throws as `create` and `table` do.
   */
  async check(
    { projectId, source, delivery, render, ...when }: ScheduleRequest,
    { signal }: { signal: AbortSignal },
  ): Promise<CheckedSchedule> {
    const times = this.times(when);
    await this.#assertAllowed(source, delivery);
    await this.#deps.assertRenderable(projectId, render);
    if (source.type === 'none') return { times, rows: 1, headings: [], problems: [] };
    const rows = rowsOf(withRows(await this.#textOf(source, signal)));
    const checked = await this.#deps.batches.check(projectId, { render, rows, columns: source.columns }, { signal });
    return { times, rows: checked.rows, headings: checked.headings, problems: checked.problems };
  }

  /** Fetches a table as a run would. Throws VALIDATION_ERROR if the operator does not allow its address, or as `fetchTable` does. */
  async table(address: string, { signal }: { signal: AbortSignal }): Promise<string> {
    const { fetchAddresses, fetch } = this.#deps;
    assertMayFetch(address, fetchAddresses);
    return await fetchTable(address, fetch, { signal });
  }

  /** Throws VALIDATION_ERROR, FORBIDDEN, LIMIT_EXCEEDED, or what `assertRenderable` throws. `secret`: one that Koda has made. */
  async create(
    { projectId, delivery: requested, ...request }: ScheduleRequest,
    id = newId('sch'),
  ): Promise<{ schedule: Schedule; secret: string | null }> {
    const { store, now, assertRenderable } = this.#deps;
    const next = timesOf(request, now()).next(now());
    await this.#assertAllowed(request.source, requested);
    await assertRenderable(projectId, request.render);
    const { delivery, secret } = withSecret(requested, null);
    store.add({
      ...{ ...request, id, projectId, delivery, pausedBy: null, pausedAt: null, failures: 0 },
      ...{ nextRunAt: next === null ? null : iso(next), createdAt: iso(now()) },
    });
    return { schedule: this.get(id), secret };
  }

  /** Throws as `create` does, and NOT_FOUND. */
  async change(id: string, patch: SchedulePatch): Promise<{ schedule: Schedule; secret: string | null }> {
    const { store, now, assertRenderable } = this.#deps;
    const before = store.get(id);
    const when = { cron: patch.cron ?? before.cron, timeZone: patch.timeZone ?? before.timeZone };
    const next = timesOf(when, now()).next(now());
    await this.#assertAllowed(patch.source ?? { type: 'none' }, patch.delivery ?? { type: 'none' });
    if (patch.render !== undefined) await assertRenderable(before.projectId, patch.render);
    const { delivery, secret } = withSecret(patch.delivery ?? before.delivery, before.delivery);
    const isMoved = when.cron !== before.cron || when.timeZone !== before.timeZone;
    const nextRunAt = isMoved && before.pausedBy === null && next !== null ? iso(next) : before.nextRunAt;
    store.change(id, { ...defined(patch), delivery, nextRunAt });
    return { schedule: this.get(id), secret };
  }

  /** Cancels a run that is going. Its videos stay in the project. Throws NOT_FOUND. */
  async remove(id: string): Promise<void> {
    const { store } = this.#deps;
    const { projectId } = store.get(id);
    const open = store.runs(id).filter(({ finishedAt }) => finishedAt === null);
    store.remove(id);
    for (const { batchId } of open) if (batchId !== null) await this.#cancelBatch(projectId, batchId);
  }

  /** Does not end a run that is going. Throws NOT_FOUND. */
  pause(id: string): Schedule {
    const { store, now } = this.#deps;
    if (store.get(id).pausedBy === null) store.change(id, { pausedBy: 'person', pausedAt: iso(now()), nextRunAt: null });
    return this.get(id);
  }

  /** Throws NOT_FOUND. */
  resume(id: string): Schedule {
    const { store, now } = this.#deps;
    const stored = store.get(id);
    if (stored.pausedBy !== null) {
      const next = timesOf(stored, now()).next(now());
      const nextRunAt = next === null ? null : iso(next);
      store.change(id, { pausedBy: null, pausedAt: null, failures: 0, nextRunAt });
    }
    return this.get(id);
  }

  /** Starts a run now, also of a paused schedule. Throws NOT_FOUND, CONFLICT while a run is going, or RATE_LIMITED. */
  runNow(id: string): ScheduleRun {
    const { store, now } = this.#deps;
    const stored = store.get(id);
    const [last] = store.runs(id, 1);
    if (last?.finishedAt === null)
      throw new KodaError('CONFLICT', `“${stored.name}” is still running. Wait for this run to end.`, { recovery: 'wait' });
    if (last !== undefined && sameMinute(Date.parse(last.startedAt), now()))
      throw new KodaError('RATE_LIMITED', 'Once a minute at most.', { recovery: 'wait' });
    const run = { id: newId('srn'), scheduleId: id, cause: 'person', state: 'fetching', dueAt: null, off: null } as const;
    store.addRun({ ...run, startedAt: iso(now()), finishedAt: null }, stored.nextRunAt);
    this.#advance(run.id);
    return this.#run(run.id);
  }

  /** Looks at the clock: starts what is due, and continues what is under way. Call at startup and then each second. */
  tick(): void {
    const { store, now } = this.#deps;
    const off = this.#off();
    for (const schedule of store.due(iso(now()))) {
      try {
        this.#start(schedule, off);
      } catch (error) {
        // One broken schedule must not keep the others from starting.
        this.#deps.onError(schedule.id, error);
      }
    }
    for (const { id } of store.openRuns()) this.#advance(id);
  }

  /** Call when a batch has changed. */
  batchChanged(batchId: string): void {
    const run = this.#deps.store.openRuns().find((open) => open.batchId === batchId);
    if (run !== undefined) this.#advance(run.id);
  }

  /** Waits for the steps that are under way, without those that follow. */
  async settled(): Promise<void> {
    await Promise.all(this.#advancing.values());
  }

  /** Interrupts what is under way. The next start continues it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }

  /** Returns the time during which Koda was off until now, or `null`. */
  #off(): Off | null {
    const { store, now } = this.#deps;
    const nowMs = now();
    const before = this.#aliveMs ?? store.aliveMs();
    this.#aliveMs = nowMs;
    if (Math.abs(nowMs - this.#notedMs) >= noteAliveEveryMs) {
      store.noteAlive(iso(nowMs));
      this.#notedMs = nowMs;
    }
    return before === null || nowMs - before <= offAfterMs ? null : { from: iso(before), until: iso(nowMs) };
  }

  #start(schedule: StoredSchedule, off: Off | null): void {
    const { store, now } = this.#deps;
    const { id, catchUp, nextRunAt } = schedule;
    if (nextRunAt === null) return;
    const nowMs = now();
    const times = timesOf(schedule, nowMs);
    const next = times.next(nowMs);
    const following = next === null ? null : iso(next);
    // Of several times that have passed, only the latest counts.
    const due = times.last(Date.parse(nextRunAt) - 1, nowMs) ?? Date.parse(nextRunAt);
    const [last] = store.runs(id, 1);
    if (last !== undefined && (last.finishedAt === null || sameMinute(Date.parse(last.startedAt), nowMs))) {
      store.skip(id, last.id, following);
      return;
    }
    const isMissed = off !== null && nowMs - due >= minuteMs && due > Date.parse(off.from);
    const isLeftOut = isMissed && !catchUp;
    const run = {
      ...{ id: newId('srn'), scheduleId: id, dueAt: iso(due), startedAt: iso(nowMs), off: isMissed ? off : null },
      cause: isMissed ? ('catch_up' as const) : ('time' as const),
      state: isLeftOut ? ('missed' as const) : ('fetching' as const),
      finishedAt: isLeftOut ? iso(nowMs) : null,
    };
    store.addRun(run, following);
  }

  /** Takes a run's next steps. Never rejects. */
  #advance(runId: string): void {
    if (this.#closing.signal.aborted || this.#advancing.has(runId)) return;
    const work = this.#steps(runId)
      .catch((error: unknown) => this.#deps.onError(runId, error))
      .finally(() => this.#advancing.delete(runId));
    this.#advancing.set(runId, work);
  }

  async #steps(runId: string): Promise<void> {
    const { store } = this.#deps;
    for (;;) {
      const run = store.findRun(runId);
      if (run === null || run.finishedAt !== null || this.#closing.signal.aborted) return;
      try {
        if (!(await this.#step(run, store.get(run.scheduleId)))) return;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        await this.#stepFailed(run, error);
      }
    }
  }

  async #stepFailed(run: StoredRun, error: unknown): Promise<void> {
    const stored = this.#deps.store.findRun(run.id);
    if (stored === null) return;
    // Only old videos could not be removed, which the end of the next run repeats.
    if (stored.finishedAt !== null) throw error;
    if (!(error instanceof KodaError)) this.#deps.onError(run.id, error);
    await this.#fail(run, error instanceof KodaError ? error : unexpected);
  }

  /** Returns whether the next step can follow at once. */
  async #step(run: StoredRun, schedule: StoredSchedule): Promise<boolean> {
    switch (run.state) {
      case 'fetching':
        return await this.#read(run, schedule);
      case 'rendering':
        return await this.#make(run, schedule);
      case 'delivering':
        return await this.#deliver(run, schedule);
      default:
        return false;
    }
  }

  async #read({ id }: StoredRun, { source }: StoredSchedule): Promise<boolean> {
    const rows = await this.#textOf(source, this.#closing.signal);
    const digest = createHash('sha256').update(withRows(rows)).digest('hex');
    this.#deps.store.changeRun(id, { state: 'rendering', rows, digest, batchId: newId('bat') });
    return true;
  }

  async #textOf(source: ScheduleSource, signal: AbortSignal): Promise<string> {
    switch (source.type) {
      case 'none':
        return '[{}]';
      case 'table':
        return source.content;
      case 'address':
        return await this.table(source.url, { signal });
      case 'tool':
        return await this.#deps.tools.call(source, { signal });
    }
  }

  async #make({ id, rows, batchId }: StoredRun, { projectId, render, source }: StoredSchedule): Promise<boolean> {
    const { store, batches, batchOf, now } = this.#deps;
    const stored = batchId === null ? null : batchOf(batchId);
    if (batchId === null || (stored === null && rows === null))
      throw new KodaError('NOT_FOUND', 'The videos of this run were deleted before they were finished.');
    if (stored === null) {
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(prepareTimeoutMs)]);
      const columns = source.type === 'none' ? undefined : source.columns;
      await batches.create(projectId, { render, rows: rowsOf(rows ?? ''), columns }, { by, id: batchId, signal });
      return true;
    }
    if (rows !== null) store.changeRun(id, { rows: null, total: stored.counts.total });
    if (stored.state === 'running') return false;
    if (stored.state === 'paused') {
      await this.#cancelBatch(projectId, batchId);
      throw pausedError(stored);
    }
    const made = stored.rows.flatMap(({ number, state, renderId }) =>
      state === 'complete' && renderId !== null ? [{ row: number, renderId }] : [],
    );
    store.startDelivering(id, made, { total: stored.counts.total, at: iso(now()) });
    return true;
  }

  async #deliver(run: StoredRun, schedule: StoredSchedule): Promise<boolean> {
    const { store, now } = this.#deps;
    for (const delivery of run.deliveries) {
      if (delivery.state !== 'waiting' || Date.parse(delivery.nextAttemptAt) > now()) continue;
      await this.#attempt(run, delivery, schedule);
    }
    const after = store.findRun(run.id);
    if (after === null || after.deliveries.some(({ state }) => state === 'waiting')) return false;
    await this.#finish(after, schedule);
    return false;
  }

  async #attempt(run: StoredRun, delivery: StoredRun['deliveries'][number], schedule: StoredSchedule): Promise<void> {
    const { store, places, now } = this.#deps;
    const attempts = delivery.attempts + 1;
    try {
      const video = await this.#video(run, delivery, schedule);
      const file = await deliver(video, schedule.delivery, places, { nowMs: now(), signal: this.#closing.signal });
      store.changeDelivery(delivery, { state: 'delivered', attempts, file, error: null });
    } catch (error) {
      if (this.#closing.signal.aborted || !(error instanceof KodaError)) throw error;
      const waitMs = backOffMs[attempts - 1];
      const isOver = error instanceof FinalDeliveryError || attempts >= maxDeliveryAttempts || waitMs === undefined;
      const nextAttemptAt = iso(now() + (waitMs ?? 0));
      store.changeDelivery(delivery, { state: isOver ? 'failed' : 'waiting', attempts, nextAttemptAt, error: failureOf(error) });
    }
  }

  async #video(
    { id, startedAt, total }: StoredRun,
    { row, renderId }: { row: number; renderId: string },
    schedule: StoredSchedule,
  ) {
    const { render, fileOf } = this.#deps;
    const gone = () => new FinalDeliveryError('NOT_FOUND', 'The video was deleted before it was delivered.');
    const { settings } = await render(renderId).catch((error: unknown) => {
      throw error instanceof KodaError && error.code === 'NOT_FOUND' ? gone() : error;
    });
    const { name: file, contentType } = renderFiles[settings.format];
    const path = await fileOf(renderId, file);
    if (path === null) throw gone();
    const at = timeInNames(schedule.timeZone, startedAt);
    const parts = [slug(schedule.name), at, ...(total > 1 ? [String(row)] : []), id.slice(-4)];
    return { id: `${id}_${row}`, path, contentType, name: parts.join('-') + file.slice(file.lastIndexOf('.')) };
  }

  async #finish(run: StoredRun, schedule: StoredSchedule): Promise<void> {
    const { store, batchOf, now } = this.#deps;
    const delivered = run.deliveries.filter(({ state }) => state === 'delivered').length;
    const failedRow = run.batchId === null ? null : batchOf(run.batchId)?.rows.find(({ error }) => error !== null);
    const error =
      run.deliveries.find((delivery) => delivery.state === 'failed')?.error ??
      failedRow?.error ??
      (run.made < run.total ? { code: 'CANCELLED', message: 'The renders were cancelled.' } : null);
    if (delivered === 0) {
      await this.#fail(run, error ?? { code: 'RENDER_FAILED', message: 'No video was made.' });
      return;
    }
    const state = delivered === run.total ? 'complete' : 'partly';
    store.finish(run, { state, error, finishedAt: iso(now()) }, { failures: 0 });
    await this.#keepNewest(schedule);
  }

  async #fail(run: StoredRun, error: Failure): Promise<void> {
    const { store, now } = this.#deps;
    const schedule = store.get(run.scheduleId);
    const failures = schedule.failures + 1;
    const at = iso(now());
    const isPaused = failures >= maxFailures && schedule.pausedBy === null;
    const change = isPaused ? { failures, pausedBy: 'failures' as const, pausedAt: at, nextRunAt: null } : { failures };
    store.finish(run, { state: 'failed', error: failureOf(error), finishedAt: at }, change);
    await this.#keepNewest(schedule);
  }

  /** Removes the videos of all but the newest runs that have some, and forgets runs that are too many. */
  async #keepNewest({ id, projectId, keep }: StoredSchedule): Promise<void> {
    const { store } = this.#deps;
    const over = store.runs(id).filter(({ finishedAt }) => finishedAt !== null);
    const withVideos = over.filter(({ made, removed }) => made > 0 && !removed);
    const forgotten = over.slice(maxRunsKept);
    for (const run of [...withVideos.slice(keep), ...forgotten.filter(({ removed }) => !removed)]) {
      if (run.batchId !== null) await this.#removeBatch(projectId, run.batchId);
      for (const { file } of run.deliveries) if (file !== null) await rm(file, { force: true });
      store.changeRun(run.id, { removed: true });
    }
    for (const run of forgotten) store.removeRun(run.id);
  }

  async #removeBatch(projectId: string, batchId: string): Promise<void> {
    await this.#deps.batches.remove(projectId, batchId, { by }).catch(unlessMissing);
  }

  async #cancelBatch(projectId: string, batchId: string): Promise<void> {
    await this.#deps.batches.cancel(projectId, batchId, { by }).catch(unlessMissing);
  }

  async #assertAllowed(source: ScheduleSource, delivery: ScheduleDelivery): Promise<void> {
    const { tools, fetchAddresses } = this.#deps;
    if (source.type === 'address') assertMayFetch(source.url, fetchAddresses);
    if (source.type === 'tool') await tools.check(source, { signal: this.#closing.signal });
    await assertMayDeliver(delivery, this.#deps.places);
  }

  #run(id: string): ScheduleRun {
    const run = this.#deps.store.findRun(id);
    if (run === null) throw new KodaError('NOT_FOUND', 'This run no longer exists.');
    return toRun(run);
  }

  #view({ source, delivery, ...stored }: StoredSchedule): Schedule {
    const { store, now } = this.#deps;
    const [last] = store.runs(stored.id, 1);
    const fromMs = now();
    return {
      ...stored,
      state: stored.pausedBy === null ? 'active' : 'paused',
      source: source.type === 'table' ? { type: 'table', name: source.name, characters: source.content.length } : source,
      delivery: delivery.type === 'webhook' ? { type: 'webhook', url: delivery.url } : delivery,
      upcoming:
        stored.pausedBy === null ? this.#upcoming(stored, { fromMs, untilMs: fromMs + upcomingMs, count: maxUpcoming }) : [],
      lastRun: last === undefined ? null : toRun(last),
    };
  }

  #upcoming(
    when: { cron: string; timeZone: string },
    { fromMs, untilMs, count }: { fromMs: number; untilMs: number; count: number },
  ): string[] {
    const times = timesOf(when, fromMs);
    const found: string[] = [];
    for (let at = times.next(fromMs); at !== null && at <= untilMs && found.length < count; at = times.next(at))
      found.push(iso(at));
    return found;
  }
}

const unexpected: Failure = { code: 'INTERNAL_ERROR', message: 'The run failed because of a bug in Koda. See its log.' };

const sameMinute = (a: number, b: number) => Math.floor(a / minuteMs) === Math.floor(b / minuteMs);

const failureOf = ({ code, message }: Failure): Failure => ({ code, message: message.slice(0, 2_000) });

function unlessMissing(error: unknown): void {
  if (!(error instanceof KodaError && error.code === 'NOT_FOUND')) throw error;
}

function pausedError({ reason }: BatchDetail): KodaError {
  return new KodaError('RENDER_FAILED', reason?.message ?? 'The renders were paused.');
}

/** Returns the text of a table that is not empty. */
function withRows(text: string): string {
  if (text.trim() === '') throw new KodaError('VALIDATION_ERROR', 'The table has no rows.');
  return text;
}

/** A service often answers with one object instead of a list. */
function rowsOf(text: string): BatchRequest['rows'] {
  if (!/^\s*\{/.test(text)) return text;
  try {
    return [JSON.parse(text)];
  } catch {
    // One object per line.
    return text;
  }
}

/** A webhook keeps its secret while its address stays the same. */
function withSecret(
  delivery: ScheduleDelivery,
  before: ScheduleDelivery | null,
): { delivery: ScheduleDelivery; secret: string | null } {
  if (delivery.type !== 'webhook' || delivery.secret !== undefined) return { delivery, secret: null };
  if (before?.type === 'webhook' && before.url === delivery.url) return { delivery: { ...before }, secret: null };
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { delivery: { ...delivery, secret }, secret };
}

function defined<T extends object>(values: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

function slug(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 60)
      .replace(/^-|-$/g, '') || 'film'
  );
}

/** Returns a time such as `2026-11-26-1700`. */
function timeInNames(timeZone: string, at: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(at)).replace(' ', '-').replace(':', '');
}
