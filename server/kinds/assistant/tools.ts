import { z } from 'zod';
import { messageIdSchema, newId, projectIdSchema, renderIdSchema, scheduleIdSchema } from '#contract/ids.ts';
import { aspectSchema, parameterValuesSchema } from '#contract/render.ts';
import { type Schedule, webAddressSchema } from '#contract/schedules.ts';
import { goesOnText } from '#kinds/assistant/contract/assistant.ts';
import { shortAddress } from '../../schedules/fetch-table.ts';
import type { ToolContext } from '../../tools/context.ts';
import { allPhases, completed, defineKindTool, descriptionsIn, failed, type OwnTool, type ToolResult } from '../../tools/tool.ts';
import { renderedVideosSchema, renderVideos, videosToMakeSchema } from './render-videos.ts';
import {
  checkedScheduleSchema,
  madeScheduleSchema,
  newScheduleSchema,
  scheduleRequestOf,
  scheduleText,
} from './schedule-input.ts';
import { scheduleTools } from './schedule-tools.ts';
import type { StudioFor, Video, Work } from './studio.ts';
import { counted, sizeText, surfaceOf, table } from './surfaces.ts';

const descriptionOf = descriptionsIn(new URL('./tools.md', import.meta.url));

export const filmsSchema = z.object({
  films: z.array(
    z.object({
      ...{ id: projectIdSchema, name: z.string(), aspect: aspectSchema, seconds: z.number() },
      is_changing: z.boolean().default(false).describe('Koda is changing it; what is done with it waits until then'),
    }),
  ),
});

const videoSchema = z.object({
  ...{ id: renderIdSchema, name: z.string(), size_bytes: z.int(), is_preview: z.boolean() },
  is_newest: z
    .boolean()
    .describe(
      'the newest of its film, size, format and parameters, or only preview of a film without a video; kept when cleaning up',
    ),
});

const bytes = z.int();
/** Missing in the results of earlier versions. */
const newerBytes = bytes.default(0);
export const storageSchema = z.object({
  ...{ total_bytes: bytes, history_bytes: bytes, upload_bytes: bytes, preview_bytes: bytes, video_bytes: bytes },
  other_bytes: newerBytes.describe('the rest of the total: caches and Koda’s own data'),
  not_newest_bytes: newerBytes.describe('of all videos and previews that are not newest'),
  projects: z
    .array(z.object({ name: z.string(), size_bytes: bytes, videos_and_previews_bytes: newerBytes }))
    .describe('the largest'),
  videos: z.array(videoSchema).describe('the largest'),
});

export const deletedSchema = z.object({
  deleted: z.array(z.object({ name: z.string(), size_bytes: z.int() })),
  failed: z.array(z.object({ name: z.string(), message: z.string() })),
  deleted_bytes: newerBytes,
});

export const checkedRowsSchema = z.object({
  rows: z.array(z.object({ parameters: parameterValuesSchema, problem: z.string().nullable() })),
});

export const maxRows = 2_000;
const cellSchema = z.tuple([z.string().max(200).describe('parameter'), z.string().max(10_000).describe('value')]);

const workSchema = z.object({
  ...{ id: projectIdSchema, name: z.string(), kind: z.string(), phase: z.string(), is_working: z.boolean() },
  ...{ question: z.string().nullable(), error: z.string().nullable(), last_message: z.string().nullable() },
  /** Address of its page in the studio. */
  url: z.string(),
});

function worked(work: Work, summary: string): ReturnType<typeof completed> {
  const { id, name, kind, phase, isWorking, question, error, lastMessage } = work;
  const output = {
    ...{ id, name, kind, phase, is_working: isWorking },
    ...{ question, error, last_message: lastMessage, url: `/p/${id}` },
  };
  return completed(output, summary);
}

/** Adds the project to the result, so that the page can follow it. */
const startedWork = (work: Work, summary: string): ToolResult => ({
  ...worked(work, summary),
  started: { projectId: work.id, name: work.name },
});

const makingText = ({ kind, name }: Work): string => goesOnText(kind === 'film' ? 'drawing' : 'building', name);

/** Says whether a project is finished, and if not, what it waits for. */
function standingText(work: Work): string {
  const { name, phase, isWorking, question, error } = work;
  if (error !== null) return `“${name}” has stopped: ${error}`;
  if (isWorking) return makingText(work);
  if (phase === 'complete') return `“${name}” is finished`;
  if (phase === 'preview') return `“${name}” is ready: its preview waits for you`;
  return question === null ? `“${name}”: ${phase}` : `“${name}” waits for your answer`;
}

const maxThoughtCharacters = 100;

/** Returns what shows why a call waits. */
const thought =
  (emit: ToolContext['emit']) =>
  async (reason: string | null): Promise<void> =>
    await emit({ type: 'thinking', text: reason?.slice(0, maxThoughtCharacters) ?? null });

const maxListed = { projects: 10, videos: 200, schedules: 100 };
const maxDeleted = 200;
const millisecondsPerHour = 3_600_000;

const common = { phases: allPhases, category: 'communication' } as const;
const reading = { ...common, risk: 'low', readOnly: true, timeoutMs: millisecondsPerHour } as const;

/** Name of a video that tells it from others of its film: film, size, day and time. */
function videoName({ film, width, height, isPreview, finishedAt }: Video): string {
  const at = finishedAt.slice(0, 16).replace('T', ' ');
  return `${film}, ${isPreview ? 'preview' : 'video'} ${width}×${height}, ${at}`;
}

const sizeOf = (videos: readonly { readonly sizeBytes: number }[]): number =>
  videos.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const maxFetchedCharacters = 8_000;

/** As much of a table as fits, in whole lines if it has some. */
function beginningOf(text: string): string {
  if (text.length <= maxFetchedCharacters) return text;
  const part = text.slice(0, maxFetchedCharacters);
  return part.includes('\n') ? part.slice(0, part.lastIndexOf('\n')) : part;
}

const lastRunText = ({ lastRun }: Schedule): string | null =>
  lastRun === null ? null : `${lastRun.state}${lastRun.error === null ? '' : `: ${lastRun.error.message}`}`;

/** Tools that act on other projects, with the rights of the person to whom the conversation belongs. */
export function assistantTools(studioFor: StudioFor): readonly OwnTool[] {
  const define = <Input>(name: string, input: z.ZodType<Input>, options: Parameters<typeof defineKindTool<Input>>[2]): OwnTool =>
    defineKindTool(name, { input, description: descriptionOf(name) }, options);

  return [
    define('list_films', z.object({}), {
      ...reading,
      action: { returns: filmsSchema },
      label: () => 'Looking for films',
      async run(_input, { projectId }) {
        const films = (await (await studioFor(projectId)).films()).map(({ isChanging, ...film }) => ({
          ...film,
          is_changing: isChanging,
        }));
        return completed({ films }, counted(films.length, 'film'));
      },
    }),

    define('describe_film', z.object({ film: projectIdSchema }), {
      ...reading,
      action: { returns: z.object({ parameters: z.array(z.unknown()) }) },
      label: () => 'Reading the film’s parameters',
      async run({ film }, { projectId, signal, emit }) {
        const parameters = await (await studioFor(projectId)).parameters(film, { signal, onWait: thought(emit) });
        return completed({ parameters }, counted(parameters.length, 'parameter'));
      },
    }),

    define('list_projects', z.object({}), {
      ...reading,
      action: { returns: z.object({ projects: z.array(z.unknown()) }) },
      label: () => 'Looking for projects',
      async run(_input, { projectId }) {
        const listed = (await (await studioFor(projectId)).projects()).slice(0, maxListed.videos);
        const projects = listed.map((project) => ({ ...project, url: `/p/${project.id}` }));
        return completed({ projects }, counted(projects.length, 'project'));
      },
    }),

    define('show_project', z.object({ project: projectIdSchema }), {
      ...reading,
      action: { returns: workSchema },
      label: () => 'Looking at a project',
      async run({ project }, { projectId }) {
        const work = await (await studioFor(projectId)).project(project);
        return worked(work, standingText(work));
      },
    }),

    define(
      'make_project',
      z.object({
        kind: z.string().max(40).describe('film or app'),
        name: z.string().trim().min(1).max(80).optional().describe('a short title'),
        request: z.string().min(1).max(8_000),
        id: projectIdSchema.optional().describe('leave it out'),
      }),
      {
        ...{ ...common, risk: 'medium', timeoutMs: millisecondsPerHour },
        action: { returns: workSchema },
        label: ({ kind }) => `Starting ${/^[aeiou]/u.test(kind) ? 'an' : 'a'} ${kind}`,
        async run({ id = newId('prj'), ...project }, { projectId }) {
          const work = await (await studioFor(projectId)).createProject(project, id);
          return startedWork(work, makingText(work));
        },
      },
    ),

    define(
      'tell_project',
      z.object({
        project: projectIdSchema,
        message: z.string().min(1).max(8_000),
        message_id: messageIdSchema.optional().describe('leave it out'),
      }),
      {
        ...{ ...common, risk: 'medium', timeoutMs: millisecondsPerHour },
        action: { returns: workSchema },
        label: () => 'Asking for a change',
        async run({ project, message, message_id: id = newId('msg') }, { projectId }) {
          const work = await (await studioFor(projectId)).tellProject(project, message, id);
          return startedWork(work, goesOnText('changing', work.name));
        },
      },
    ),

    define('measure_storage', z.object({}), {
      ...reading,
      action: { returns: storageSchema },
      label: () => 'Measuring storage',
      async run(_input, { projectId, signal }) {
        const { projects, videos, totalBytes } = await (await studioFor(projectId)).storage({ signal });
        const sum = (of: 'historyBytes' | 'assetBytes') => projects.reduce((bytes, project) => bytes + project[of], 0);
        const largest = projects
          .map(({ name, historyBytes, assetBytes, renderBytes }) => ({
            name,
            size_bytes: historyBytes + assetBytes + renderBytes,
            videos_and_previews_bytes: renderBytes,
          }))
          .sort((one, other) => other.size_bytes - one.size_bytes);
        const inProjects = largest.reduce((bytes, project) => bytes + project.size_bytes, 0);
        const byAge = videos.toSorted((one, other) => other.sizeBytes - one.sizeBytes);
        return completed(
          {
            total_bytes: totalBytes,
            history_bytes: sum('historyBytes'),
            upload_bytes: sum('assetBytes'),
            preview_bytes: sizeOf(videos.filter(({ isPreview }) => isPreview)),
            video_bytes: sizeOf(videos.filter(({ isPreview }) => !isPreview)),
            other_bytes: Math.max(0, totalBytes - inProjects),
            not_newest_bytes: sizeOf(videos.filter(({ isNewest }) => !isNewest)),
            projects: largest.slice(0, maxListed.projects),
            videos: byAge.slice(0, maxListed.videos).map((video) => ({
              ...{ id: video.id, name: videoName(video), size_bytes: video.sizeBytes },
              ...{ is_preview: video.isPreview, is_newest: video.isNewest },
            })),
          },
          `${sizeText(totalBytes)} in ${counted(projects.length, 'project')}`,
        );
      },
    }),

    define('delete_videos', z.object({ videos: z.array(renderIdSchema).min(1).max(maxDeleted) }), {
      ...common,
      risk: 'high',
      timeoutMs: 0,
      // Only an author's run can ask the person first.
      isForAuthors: true,
      label: ({ videos }) => `Deleting ${counted(videos.length, 'video')}`,
      async run({ videos: ids }, { projectId, signal, requestApproval }) {
        const studio = await studioFor(projectId);
        const chosen = (await studio.storage({ signal })).videos.filter(({ id }) => ids.includes(id));
        if (chosen.length === 0) return completed({ deleted: [], failed: [], deleted_bytes: 0 }, 'They no longer exist');
        const what = `${counted(chosen.length, 'video')}, ${sizeText(sizeOf(chosen))}`;
        const rows = chosen.map((video) => ({ name: videoName(video), size: sizeText(video.sizeBytes) }));
        const surface = surfaceOf(`delete-${chosen[0]?.id}`, {
          title: `Delete ${what}?`,
          parts: [
            table('videos', 'These are deleted for good', [
              ['Video', 'name'],
              ['Size', 'size'],
            ]),
          ],
          data: { videos: rows },
          buttons: [
            { id: 'delete', label: `Delete ${what}`, isPrimary: true },
            { id: 'keep', label: 'Keep them' },
          ],
        });
        const response = await requestApproval({
          type: 'question',
          content: `Delete ${what}?`,
          options: [],
          plan: null,
          surface,
        });
        if (response === null) return { status: 'suspended' };
        // No answer, and one in words, mean no.
        if (response.outcome !== 'submitted' || response.button !== 'delete') return failed('CANCELLED', 'Nothing was deleted.');
        const deleted: Video[] = [];
        const problems: { name: string; message: string }[] = [];
        for (const video of chosen) {
          signal.throwIfAborted();
          try {
            await studio.deleteVideo(video.id);
            deleted.push(video);
          } catch (error) {
            problems.push({ name: videoName(video), message: error instanceof Error ? error.message : String(error) });
          }
        }
        const output = {
          deleted: deleted.map((video) => ({ name: videoName(video), size_bytes: video.sizeBytes })),
          failed: problems,
          deleted_bytes: sizeOf(deleted),
        };
        return completed(output, `${counted(deleted.length, 'video')}, ${sizeText(sizeOf(deleted))} freed`);
      },
    }),

    define('check_rows', z.object({ film: projectIdSchema, rows: z.array(z.array(cellSchema).max(100)).min(1).max(maxRows) }), {
      ...reading,
      action: { returns: checkedRowsSchema },
      label: ({ rows }) => `Checking ${counted(rows.length, 'row')}`,
      async run({ film, rows }, { projectId, signal, emit }) {
        const studio = await studioFor(projectId);
        const { sets, problems } = await studio.checkRows(film, rows, { signal, onWait: thought(emit) });
        const wrong = problems.filter((problem) => problem !== null).length;
        const checked = sets.map((parameters, index) => ({ parameters, problem: problems[index] ?? null }));
        return completed({ rows: checked }, wrong === 0 ? 'All are right' : `${counted(wrong, 'row')} cannot be used`);
      },
    }),

    define('render_videos', videosToMakeSchema, {
      ...common,
      category: 'render',
      risk: 'medium',
      timeoutMs: 0,
      action: { returns: renderedVideosSchema },
      label: ({ videos }) => `Making ${counted(videos.length, 'video')}`,
      async run(input, context) {
        const videos = await renderVideos(input, { studio: await studioFor(context.projectId), context });
        const done = videos.filter(({ error }) => error === null).length;
        const failures = videos.length - done;
        const failedText = failures === 0 ? '' : `, ${failures} failed`;
        return completed({ videos }, `${done} of ${counted(videos.length, 'video')}${failedText}`);
      },
    }),

    define('list_schedules', z.object({}), {
      ...reading,
      action: { returns: z.object({ schedules: z.array(z.unknown()) }) },
      label: () => 'Looking for schedules',
      async run(_input, { projectId }) {
        const schedules = await (await studioFor(projectId)).schedules();
        const listed = schedules.slice(0, maxListed.schedules).map((schedule) => ({
          ...{ id: schedule.id, name: schedule.name, film: schedule.projectId, film_name: schedule.projectName },
          ...{ cron: schedule.cron, time_zone: schedule.timeZone, state: schedule.state, paused_by: schedule.pausedBy },
          ...{ source: schedule.source, render: schedule.render, delivery: schedule.delivery, keep: schedule.keep },
          ...{ next_run: schedule.nextRunAt, last_run: lastRunText(schedule) },
        }));
        return completed(
          { schedules: listed, left_out: schedules.length - listed.length },
          counted(schedules.length, 'schedule'),
        );
      },
    }),

    define('check_schedule', newScheduleSchema, {
      ...reading,
      // It reads what others may have written, as a fetched table is.
      category: 'search',
      action: { returns: checkedScheduleSchema },
      label: () => 'Checking the schedule',
      async run(input, { projectId, signal }) {
        const studio = await studioFor(projectId);
        const { times, rows, headings, problems } = await studio.checkSchedule(scheduleRequestOf(input), { signal });
        const next = times.slice(0, 3);
        const wrong = problems.length === 0 ? `${counted(rows, 'video')} each time` : 'Its table cannot be used';
        return completed({ times: next, rows, headings, problems }, wrong);
      },
    }),

    define('make_schedule', newScheduleSchema.extend({ id: scheduleIdSchema.optional().describe('leave it out') }), {
      ...{ ...common, risk: 'medium', timeoutMs: millisecondsPerHour },
      action: { returns: madeScheduleSchema },
      label: (input) => `Making the schedule ${scheduleText(input)}`,
      async run({ id = newId('sch'), ...input }, { projectId }) {
        const { name, nextRunAt } = await (await studioFor(projectId)).createSchedule(scheduleRequestOf(input), id);
        return completed({ id, name, next_run: nextRunAt, url: '/schedules' }, `“${name}” is scheduled`);
      },
    }),

    define('fetch_table', z.object({ address: webAddressSchema }), {
      ...reading,
      category: 'search',
      action: { returns: z.object({ left_out_characters: z.int(), content: z.string() }) },
      label: ({ address }) => `Fetching ${shortAddress(address)}`,
      async run({ address }, { projectId, signal }) {
        const text = await (await studioFor(projectId)).table(address, { signal });
        const content = beginningOf(text);
        const leftOut = text.length - content.length;
        const summary = `${content.length.toLocaleString('en')} characters${leftOut === 0 ? '' : `, ${leftOut.toLocaleString('en')} left out`}`;
        // First, because of a long result the model sees the beginning.
        return completed({ left_out_characters: leftOut, content }, summary);
      },
    }),

    ...scheduleTools(studioFor),

    define('adjust', z.object({ change: z.string().min(1).max(300) }), {
      ...{ ...common, risk: 'low', timeoutMs: 10_000, isForAuthors: true },
      label: () => 'Adjusting',
      run: async ({ change }) => completed({}, change),
    }),
  ];
}
