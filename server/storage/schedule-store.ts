import { KodaError } from '#contract/errors.ts';
import { type Delivery, maxSchedules, maxSchedulesOfProject, type ScheduleRun } from '#contract/schedules.ts';
import type { Database, Transaction } from './database.ts';
import { and, asc, count, desc, eq, getTableColumns, isNull, lte, sql } from './drizzle.ts';
import { deliveries, projects, scheduleClock, scheduleRuns, schedules } from './schema.ts';

type ScheduleRow = typeof schedules.$inferSelect;
type RunRow = typeof scheduleRuns.$inferSelect;
type DeliveryRow = typeof deliveries.$inferSelect;

export type StoredSchedule = ScheduleRow & { readonly projectName: string };

/** A run with its table while that is needed, and the paths of delivered files. */
export type StoredRun = RunRow & { readonly deliveries: readonly DeliveryRow[] };

export type NewRun = Pick<RunRow, 'id' | 'scheduleId' | 'cause' | 'state' | 'dueAt' | 'off' | 'startedAt' | 'finishedAt'>;

/** Schedules, their runs and deliveries. Everything is durable on return, and throws NOT_FOUND if the schedule is gone. */
export class ScheduleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws LIMIT_EXCEEDED. */
  add(row: ScheduleRow): void {
    this.#database.write((tx) => {
      const total = tx.select({ count: count() }).from(schedules).get()?.count ?? 0;
      const ofProject = eq(schedules.projectId, row.projectId);
      const own = tx.select({ count: count() }).from(schedules).where(ofProject).get()?.count ?? 0;
      if (total >= maxSchedules || own >= maxSchedulesOfProject) {
        const limit = own >= maxSchedulesOfProject ? `${maxSchedulesOfProject} for one film` : `${maxSchedules}`;
        throw new KodaError('LIMIT_EXCEEDED', `There are already ${limit} schedules. Delete those that you no longer need.`);
      }
      tx.insert(schedules).values(row).run();
    });
  }

  /** Throws NOT_FOUND, also if its project was deleted. */
  get(id: string): StoredSchedule {
    const row = this.#database.read((tx) =>
      selected(tx)
        .where(existing(eq(schedules.id, id)))
        .get(),
    );
    if (row === undefined) throw new KodaError('NOT_FOUND', `There is no schedule ${id}. It may have been deleted.`);
    return flat(row);
  }

  /** Returns the schedules of a project or of all, oldest first. */
  list(projectId: string | null): StoredSchedule[] {
    const of = projectId === null ? undefined : eq(schedules.projectId, projectId);
    return this.#database
      .read((tx) => selected(tx).where(existing(of)).orderBy(asc(schedules.createdAt), asc(schedules.id)).all())
      .map(flat);
  }

  /** Returns the schedules whose next run is not after a time. Both in ISO 8601. */
  due(until: string): StoredSchedule[] {
    return this.#database
      .read((tx) =>
        selected(tx)
          .where(existing(lte(schedules.nextRunAt, until)))
          .orderBy(asc(schedules.nextRunAt))
          .all(),
      )
      .map(flat);
  }

  change(id: string, values: Partial<Omit<ScheduleRow, 'id' | 'projectId'>>): void {
    this.#database.write((tx) => tx.update(schedules).set(values).where(eq(schedules.id, id)).run());
  }

  remove(id: string): void {
    this.#database.write((tx) => tx.delete(schedules).where(eq(schedules.id, id)).run());
  }

  /** Records a run together with the schedule's next time. */
  addRun(run: NewRun, nextRunAt: string | null): void {
    this.#database.write((tx) => {
      tx.insert(scheduleRuns).values(run).run();
      tx.update(schedules).set({ nextRunAt }).where(eq(schedules.id, run.scheduleId)).run();
    });
  }

  /** Leaves a time out, and counts it with the run that stood in its way. */
  skip(scheduleId: string, runId: string, nextRunAt: string | null): void {
    this.#database.write((tx) => {
      tx.update(scheduleRuns)
        .set({ skipped: sql`${scheduleRuns.skipped} + 1` })
        .where(eq(scheduleRuns.id, runId))
        .run();
      tx.update(schedules).set({ nextRunAt }).where(eq(schedules.id, scheduleId)).run();
    });
  }

  changeRun(id: string, values: Partial<Omit<RunRow, 'id' | 'scheduleId'>>): void {
    this.#database.write((tx) => tx.update(scheduleRuns).set(values).where(eq(scheduleRuns.id, id)).run());
  }

  /** Records which videos a run has made, and what is to be delivered. */
  startDelivering(
    runId: string,
    made: readonly { row: number; renderId: string }[],
    { total, at }: { total: number; at: string },
  ) {
    this.#database.write((tx) => {
      tx.update(scheduleRuns).set({ state: 'delivering', total, made: made.length }).where(eq(scheduleRuns.id, runId)).run();
      for (const video of made)
        tx.insert(deliveries)
          .values({ ...video, runId, state: 'waiting', nextAttemptAt: at })
          .run();
    });
  }

  changeDelivery({ runId, row }: Pick<DeliveryRow, 'runId' | 'row'>, values: Partial<DeliveryRow>): void {
    this.#database.write((tx) =>
      tx
        .update(deliveries)
        .set(values)
        .where(and(eq(deliveries.runId, runId), eq(deliveries.row, row)))
        .run(),
    );
  }

  /** Ends a run, together with what that means for its schedule. */
  finish(run: Pick<RunRow, 'id' | 'scheduleId'>, ended: Partial<RunRow>, schedule: Partial<ScheduleRow>): void {
    this.#database.write((tx) => {
      tx.update(scheduleRuns)
        .set({ ...ended, rows: null })
        .where(eq(scheduleRuns.id, run.id))
        .run();
      tx.update(schedules).set(schedule).where(eq(schedules.id, run.scheduleId)).run();
    });
  }

  removeRun(id: string): void {
    this.#database.write((tx) => tx.delete(scheduleRuns).where(eq(scheduleRuns.id, id)).run());
  }

  /** Returns the runs that are not over, oldest first. */
  openRuns(): StoredRun[] {
    return this.#runs((tx) =>
      tx
        .select(getTableColumns(scheduleRuns))
        .from(scheduleRuns)
        .innerJoin(schedules, eq(schedules.id, scheduleRuns.scheduleId))
        .innerJoin(projects, eq(projects.id, schedules.projectId))
        .where(existing(isNull(scheduleRuns.finishedAt)))
        .orderBy(asc(scheduleRuns.startedAt))
        .all(),
    );
  }

  /** Returns a schedule's runs, newest first. */
  runs(scheduleId: string, limit?: number): StoredRun[] {
    return this.#runs((tx) =>
      tx
        .select()
        .from(scheduleRuns)
        .where(eq(scheduleRuns.scheduleId, scheduleId))
        .orderBy(desc(scheduleRuns.startedAt), desc(scheduleRuns.id))
        .limit(limit ?? -1)
        .all(),
    );
  }

  findRun(id: string): StoredRun | null {
    const [run] = this.#runs((tx) => tx.select().from(scheduleRuns).where(eq(scheduleRuns.id, id)).all());
    return run ?? null;
  }

  /** Returns when the server last noted that it runs, in milliseconds since 1970, or `null`. */
  aliveMs(): number | null {
    const row = this.#database.read((tx) => tx.select().from(scheduleClock).get());
    return row === undefined ? null : Date.parse(row.aliveAt);
  }

  noteAlive(aliveAt: string): void {
    this.#database.write((tx) =>
      tx
        .insert(scheduleClock)
        .values({ id: 1, aliveAt })
        .onConflictDoUpdate({ target: scheduleClock.id, set: { aliveAt } })
        .run(),
    );
  }

  #runs(select: (tx: Transaction) => RunRow[]): StoredRun[] {
    return this.#database.read((tx) =>
      select(tx).map((run) => ({
        ...run,
        deliveries: tx.select().from(deliveries).where(eq(deliveries.runId, run.id)).orderBy(asc(deliveries.row)).all(),
      })),
    );
  }
}

function selected(tx: Transaction) {
  return tx
    .select({ schedule: schedules, projectName: projects.name })
    .from(schedules)
    .innerJoin(projects, eq(projects.id, schedules.projectId))
    .$dynamic();
}

/** Schedules of deleted projects wait until those are restored. */
const existing = (condition: Parameters<typeof and>[0]) => and(isNull(projects.deletedAt), condition);

const flat = ({ schedule, projectName }: { schedule: ScheduleRow; projectName: string }): StoredSchedule => ({
  ...schedule,
  projectName,
});

export function toRun({ total, made, rows: _, deliveries: sent, ...run }: StoredRun): ScheduleRun {
  const shown = sent.map(({ runId: _run, nextAttemptAt: _next, file: _file, ...delivery }): Delivery => delivery);
  const delivered = shown.filter(({ state }) => state === 'delivered').length;
  return { ...run, counts: { total, made, delivered }, deliveries: shown };
}
