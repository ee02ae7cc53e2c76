import { createProjectRequestSchema } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import type { QueuePosition } from '#contract/estimate.ts';
import type { Phase } from '#contract/project.ts';
import type { Aspect, ParameterValues, Render, RenderRequest } from '#contract/render.ts';
import type { Schedule, SchedulePatch, ScheduleRequest } from '#contract/schedules.ts';
import { type Caller, hasScope, mayAccessProject, principalOf, type Scope } from '../../access/policies.ts';
import type { EventBus } from '../../events/bus.ts';
import type { ProjectService } from '../../projects/commands.ts';
import { isBeingMade } from '../../projects/finals.ts';
import type { Kind } from '../../projects/kind.ts';
import { typedParameters } from '../../renders/rows.ts';
import type { FilmDescription } from '../../renders/run-render.ts';
import type { RenderService } from '../../renders/service.ts';
import type { ScheduleService } from '../../schedules/service.ts';
import type { DiskUsage } from '../../storage/disk-usage.ts';
import type { ListedProject, ProjectStore } from '../../storage/projects.ts';
import { afterChange, type WaitOptions } from './film-change.ts';

export interface Film {
  readonly id: string;
  readonly name: string;
  readonly aspect: Aspect;
  readonly seconds: number;
  /** Whether Koda is changing it. What is done with it waits until then. */
  readonly isChanging: boolean;
}

/** A project of another kind. */
export interface Work {
  readonly id: string;
  readonly name: string;
  /** Noun of its kind: “film”. */
  readonly kind: string;
  readonly phase: Phase;
  readonly isWorking: boolean;
  /** Question or plan that waits for the person. */
  readonly question: string | null;
  readonly error: string | null;
  /** Last words of its author. */
  readonly lastMessage: string | null;
}

/** A project in which a conversation started work. */
export interface Started {
  readonly id: string;
  /** Current name, or for a deleted project, the name when the work started. */
  readonly name: string;
  /** `null` if it was deleted. */
  readonly work: Work | null;
}

interface NewWork {
  readonly kind: string;
  /** If missing, the request's first words. */
  readonly name?: string | undefined;
  readonly request: string;
}

/** A finished video or preview on the disk. */
export interface Video {
  readonly id: string;
  readonly film: string;
  readonly isPreview: boolean;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly finishedAt: string;
  /**
   * Whether no newer video shows the same film in the same size and format and with the same parameters. Cleaning up keeps it, and the
   * newest preview of a film without a video.
   */
  readonly isNewest: boolean;
}

export interface Storage {
  readonly projects: readonly { readonly name: string; historyBytes: number; assetBytes: number; renderBytes: number }[];
  readonly videos: readonly Video[];
  /** Whole data folder. */
  readonly totalBytes: number;
}

interface Options {
  readonly signal: AbortSignal;
}

/** What the assistant does in other projects, with the rights of the person whom its conversation belongs to. */
export interface ActingStudio {
  /** Lists what can be rendered among the newest projects, newest first. */
  films(newest?: number): Promise<Film[]>;
  /** Returns a film's parameters, as its page describes them. May start its sandbox. Waits for the end of a change. */
  parameters(filmId: string, options: WaitOptions): Promise<FilmDescription['film']['parameters']>;
  /** Lists the projects of other kinds than this one, newest first. */
  projects(): Promise<Pick<Work, 'id' | 'name' | 'kind' | 'phase'>[]>;
  project(projectId: string): Promise<Work>;
  /** Lists the last ten projects that this conversation created or asked to change, newest first. */
  started(): Promise<Started[]>;
  /** Starts a project, or returns the one that has this id. `kind`: its noun. Throws VALIDATION_ERROR and FORBIDDEN. */
  createProject(project: NewWork, id: string): Promise<Work>;
  /** Sends a message to a project, unless one with this id has been sent. */
  tellProject(projectId: string, message: string, messageId: string): Promise<Work>;
  storage(options: Options): Promise<Storage>;
  /** Deletes a finished video. One that no longer exists counts as deleted. Throws FORBIDDEN. */
  deleteVideo(renderId: string): Promise<void>;
  /**
   * Queues a render, or returns the one that has this id. Waits for the end of a change. Errors from the render service and
   * `afterChange` propagate.
   */
  startRender(filmId: string, request: RenderRequest, renderId: string, options: WaitOptions): Promise<Render>;
  /** Returns the likely duration of a render in seconds. `null` if nothing comparable was rendered, or the film cannot be now. */
  renderSeconds(filmId: string, request: RenderRequest): Promise<number | null>;
  /** Returns a queued render's place among those of all projects. `null` if it is not queued. */
  placeInQueue(render: Pick<Render, 'id' | 'projectId'>): Promise<QueuePosition | null>;
  render(renderId: string): Promise<Render>;
  waitForRender(renderId: string, options: Options): Promise<Render>;
  cancelRender(renderId: string): Promise<void>;
  /**
   * Returns the rows as values of the film's parameters, and each row's validation error. Waits for a change of the film to end.
   * May start its sandbox.
   */
  checkRows(
    filmId: string,
    rows: readonly (readonly (readonly [name: string, text: string])[])[],
    options: WaitOptions,
  ): Promise<{ readonly sets: readonly ParameterValues[]; readonly problems: readonly (string | null)[] }>;
  /** Lists the schedules of the films that exist for the person, oldest first. */
  schedules(): Promise<Schedule[]>;
  /** Returns the next times, the number of rows, and what is wrong with rows. May start the film's sandbox. Errors propagate. */
  checkSchedule(request: ScheduleRequest, options: Options): ReturnType<ScheduleService['check']>;
  /** Makes a schedule, or returns the one that has this id. Errors from the schedule service propagate. */
  createSchedule(request: ScheduleRequest, id: string): Promise<Schedule>;
  /** Changes a schedule. Throws NOT_FOUND, or as the schedule service does. The same goes for the next four. */
  changeSchedule(id: string, patch: SchedulePatch): Promise<Schedule>;
  pauseSchedule(id: string): Promise<Schedule>;
  resumeSchedule(id: string): Promise<Schedule>;
  /** Starts a run, which goes on without the conversation. */
  runSchedule(id: string): Promise<void>;
  /** Has no effect if it does not exist any more. */
  deleteSchedule(id: string): Promise<void>;
  /** Fetches a table from an address that the operator allows. Throws as `ScheduleService.table` does. */
  table(address: string, options: Options): Promise<string>;
}

/** Returns what a conversation may do. Throws NOT_FOUND. */
export type StudioFor = (projectId: string) => Promise<ActingStudio>;

interface Deps {
  readonly store: Pick<ProjectStore, 'get' | 'list' | 'state' | 'snapshot'>;
  readonly projects: Pick<ProjectService, 'as' | 'renderable'>;
  readonly renders: Pick<RenderService, 'get' | 'list' | 'wait' | 'describe' | 'cancel' | 'remove' | 'estimate' | 'queued'>;
  readonly bus: Pick<EventBus, 'follow'>;
  readonly schedules: Pick<
    ScheduleService,
    'list' | 'get' | 'check' | 'create' | 'change' | 'pause' | 'resume' | 'runNow' | 'remove' | 'table'
  >;
  readonly disk: Pick<DiskUsage, 'ofProject' | 'total'>;
  readonly kinds: ReadonlyMap<string, Kind>;
  /** Lets a deletion use the reserve of a full disk. */
  readonly freeing: <T>(work: () => Promise<T>) => Promise<T>;
  /** Returns the person to whom projects of this owner belong, with today's rights. */
  readonly personOf: (owner: string) => Caller;
}

const pageSize = 100;
const maxProjects = 1_000;
const maxStarted = 10;
/** Rows that the film's page checks in one visit. */
const rowsPerCheck = 200;

export function studioFor(deps: Deps): StudioFor {
  return async (projectId) => actingFor(deps, projectId, deps.personOf((await deps.store.get(projectId)).owner));
}

function actingFor(deps: Deps, conversationId: string, person: Caller): ActingStudio {
  const { store, projects, renders, schedules, disk, kinds, freeing } = deps;
  const assertScope = (scope: Scope): void => {
    if (!hasScope(person, scope)) throw new KodaError('FORBIDDEN', `“${person.name}” may not do this: it needs “${scope}”.`);
  };
  const assertMay = (scope: Scope, projectId: string): void => {
    if (!mayAccessProject(person, projectId)) throw new KodaError('NOT_FOUND', 'This project does not exist.');
    assertScope(scope);
  };

  async function visibleProjects(): Promise<ListedProject[]> {
    const found: ListedProject[] = [];
    let cursor: string | null = null;
    do {
      const { items, nextCursor }: Awaited<ReturnType<ProjectStore['list']>> = await store.list({
        ...{ search: null, limit: pageSize, cursor },
      });
      found.push(...items.filter(({ id }) => mayAccessProject(person, id)));
      cursor = nextCursor;
    } while (cursor !== null && found.length < maxProjects);
    return found;
  }
  /** Conversations are no work, and one must not talk to itself. */
  const isWork = (kind: string): boolean => kinds.get(kind)?.workflow.type === 'build';
  const nounOf = (kind: string): string => kinds.get(kind)?.noun ?? kind;
  const startable = [...kinds.values()].filter(({ id, archive }) => isWork(id) && archive?.startsWork !== true);

  async function workOf(projectId: string): Promise<Work> {
    assertMay('read', projectId);
    const { project, approval, messages } = await store.state(projectId);
    if (!isWork(project.kind)) throw new KodaError('NOT_FOUND', 'This project does not exist.');
    const { id, name, kind, phase, running } = project;
    const last = messages.findLast(({ role }) => role === 'assistant')?.content ?? null;
    return {
      ...{ id, name, kind: nounOf(kind), phase, isWorking: running, lastMessage: last },
      ...{ question: approval?.content ?? null, error: project.error?.message ?? null },
    };
  }

  /** Returns what a film shows, also while it is changed. `null` if there is nothing to render yet. */
  async function subjectOf({ id, kind }: ListedProject): Promise<Pick<Film, 'aspect' | 'seconds' | 'isChanging'> | null> {
    const output = kinds.get(kind)?.output;
    if (output === undefined) return null;
    const subject = await projects.renderable(id).catch(withoutWork);
    if (subject !== null) return { aspect: subject.aspect, seconds: subject.durationSeconds, isChanging: false };
    const state = await store.state(id);
    const changed = state.plan !== null && isBeingMade(state) ? output.rendered(state.plan) : null;
    return changed === null ? null : { aspect: changed.aspect, seconds: changed.durationSeconds, isChanging: true };
  }

  return {
    async films(newest = maxProjects) {
      const films: Film[] = [];
      const candidates = (await visibleProjects()).filter(({ kind }) => kinds.get(kind)?.output !== undefined);
      for (const project of candidates.slice(0, newest)) {
        const subject = await subjectOf(project);
        if (subject !== null) films.push({ id: project.id, name: project.name, ...subject });
      }
      return films;
    },

    async parameters(filmId, options) {
      assertMay('run', filmId);
      return await afterChange(deps, filmId, options, async () => {
        await projects.renderable(filmId);
        return (await renders.describe(filmId, [], options)).film.parameters;
      });
    },

    async projects() {
      const works = (await visibleProjects()).filter(({ kind }) => isWork(kind));
      return works.map(({ id, name, kind, phase }) => ({ id, name, kind: nounOf(kind), phase }));
    },

    project: workOf,

    async started() {
      const { tools } = await store.snapshot(conversationId);
      const nameOf = new Map(tools.flatMap(({ started }) => (started ? [[started.projectId, started.name] as const] : [])));
      const ids = new Set(tools.toReversed().flatMap(({ started }) => started?.projectId ?? []));
      return await Promise.all(
        [...ids].slice(0, maxStarted).map(async (id): Promise<Started> => {
          const work = await workOf(id).catch(missing);
          return { id, name: work?.name ?? nameOf.get(id) ?? '', work };
        }),
      );
    },

    async createProject({ kind, name, request }, id) {
      if ((await store.state(id).catch(missing)) !== null) return await workOf(id);
      const chosen = startable.find(({ noun }) => noun === kind);
      if (chosen === undefined) {
        const known = startable.map(({ noun }) => noun).join(', ');
        throw new KodaError('VALIDATION_ERROR', `There is no kind of project “${kind}”. Use one of: ${known}.`);
      }
      await projects.as(person).create(createProjectRequestSchema.parse({ kind: chosen.id, name, prompt: request }), { id });
      return { ...(await workOf(id)), isWorking: true };
    },

    async tellProject(projectId, message, messageId) {
      const before = await workOf(projectId);
      assertMay('write', projectId);
      const { messages } = await store.state(projectId);
      if (messages.some(({ id }) => id === messageId)) return before;
      await projects.as(person).message(projectId, message, { id: messageId });
      return { ...(await workOf(projectId)), isWorking: true };
    },

    async storage({ signal }) {
      const visible = await visibleProjects();
      const measured: Storage['projects'][number][] = [];
      const videos: Video[] = [];
      for (const { id, name, kind } of visible) {
        signal.throwIfAborted();
        if (isWork(kind)) measured.push({ name, ...(await disk.ofProject(id)) });
        videos.push(...videosOf(name, await renders.list(id)));
      }
      return { projects: measured, videos, totalBytes: await disk.total() };
    },

    async deleteVideo(renderId) {
      const render = await renders.get(renderId).catch(missing);
      if (render === null) return;
      assertMay('write', render.projectId);
      await freeing(() => renders.remove(renderId, principalOf(person)));
    },

    async startRender(filmId, request, renderId, options) {
      assertMay('render', filmId);
      const started = await renders.get(renderId).catch(missing);
      if (started !== null) return started;
      return await afterChange(deps, filmId, options, () => projects.as(person).render(filmId, request, { id: renderId }));
    },

    async renderSeconds(filmId, request) {
      const subject = await projects.renderable(filmId).catch(withoutWork);
      return subject === null ? null : (await renders.estimate(filmId, request, subject)).workSeconds;
    },

    async placeInQueue({ id, projectId }) {
      return (await renders.queued(projectId)).find(({ renderId }) => renderId === id) ?? null;
    },

    render: (renderId) => renders.get(renderId),
    waitForRender: (renderId, options) => renders.wait(renderId, options),
    cancelRender: (renderId) => renders.cancel(renderId, principalOf(person)),

    async checkRows(filmId, rows, options) {
      assertMay('run', filmId);
      return await afterChange(deps, filmId, options, async () => {
        await projects.renderable(filmId);
        const { film } = await renders.describe(filmId, [], options);
        const sets = rows.map((cells) => typedParameters(cells, film.parameters));
        const problems: (string | null)[] = [];
        for (let from = 0; from < sets.length; from += rowsPerCheck) {
          const part = sets.slice(from, from + rowsPerCheck);
          problems.push(...(await renders.describe(filmId, part, options)).problems);
        }
        return { sets, problems };
      });
    },

    async schedules() {
      return schedules.list(null).filter(({ projectId }) => mayAccessProject(person, projectId));
    },

    async checkSchedule(request, options) {
      assertMay('run', request.projectId);
      return await schedules.check(request, options);
    },

    async createSchedule(request, id) {
      assertMay('render', request.projectId);
      const before = schedules.list(request.projectId).find((schedule) => schedule.id === id);
      return before ?? (await schedules.create(request, id)).schedule;
    },

    async changeSchedule(id, patch) {
      assertMay('render', schedules.get(id).projectId);
      return (await schedules.change(id, patch)).schedule;
    },

    async pauseSchedule(id) {
      assertMay('render', schedules.get(id).projectId);
      return schedules.pause(id);
    },

    async resumeSchedule(id) {
      assertMay('render', schedules.get(id).projectId);
      return schedules.resume(id);
    },

    async runSchedule(id) {
      assertMay('render', schedules.get(id).projectId);
      schedules.runNow(id);
    },

    async deleteSchedule(id) {
      const schedule = schedules.list(null).find((one) => one.id === id);
      if (schedule === undefined) return;
      assertMay('render', schedule.projectId);
      await schedules.remove(id);
    },

    async table(address, options) {
      assertScope('run');
      return await schedules.table(address, options);
    },
  };
}

function withoutWork(error: unknown): null {
  if (error instanceof KodaError && error.code === 'INVALID_TRANSITION') return null;
  throw error;
}

function missing(error: unknown): null {
  if (error instanceof KodaError && error.code === 'NOT_FOUND') return null;
  throw error;
}

/** `renders`: newest first. */
function videosOf(film: string, renders: readonly Render[]): Video[] {
  const hasFinal = renders.some(({ status, settings }) => status === 'complete' && settings.kind === 'final');
  const seen = new Set<string>();
  return renders.flatMap((render) => {
    const { id, settings, probe, finishedAt } = render;
    if (render.status !== 'complete' || probe === null || finishedAt === null) return [];
    const { width, height, sizeBytes } = probe;
    const isPreview = settings.kind === 'preview';
    const what = isPreview ? 'preview' : JSON.stringify([width, height, settings.format, settings.parameters]);
    const isNewest = !seen.has(what) && !(isPreview && hasFinal);
    seen.add(what);
    return [{ id, film, isPreview, width, height, sizeBytes, finishedAt, isNewest }];
  });
}
