import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { scheduleIdSchema } from '#contract/ids.ts';
import { type Schedule, whenText } from '#contract/schedules.ts';
import { allPhases, completed, defineKindTool, descriptionsIn, failed, type OwnTool } from '../../tools/tool.ts';
import { changedScheduleSchema, changedText, patchOf } from './schedule-input.ts';
import type { ActingStudio, StudioFor } from './studio.ts';
import { counted, surfaceOf, table } from './surfaces.ts';

/** Tools that change, pause, run and delete schedules. */

const descriptionOf = descriptionsIn(new URL('./tools.md', import.meta.url));
const making = { phases: allPhases, category: 'communication', risk: 'medium', timeoutMs: 60_000 } as const;
const chosenSchema = z.object({ schedules: z.array(scheduleIdSchema).min(1).max(100) });
/** Where a person finds what a tool has done. */
const url = '/schedules';

const describedSchema = z.object({
  name: z.string(),
  when: z.string(),
  state: z.string(),
  next_run: z.iso.datetime().nullable(),
});
const described = ({ name, cron, timeZone, state, nextRunAt }: Schedule): z.output<typeof describedSchema> => ({
  ...{ name, when: `${whenText(cron)} (${timeZone})`, state, next_run: nextRunAt },
});
const returned = z.object({ schedules: z.array(describedSchema), url: z.string() });

/** Throws NOT_FOUND if one of them does not exist for the person. */
async function chosen(studio: ActingStudio, ids: readonly string[]): Promise<Schedule[]> {
  const known = new Map((await studio.schedules()).map((schedule) => [schedule.id, schedule]));
  return ids.map((id) => {
    const schedule = known.get(id);
    if (schedule === undefined) throw new KodaError('NOT_FOUND', `There is no schedule ${id}.`);
    return schedule;
  });
}

export function scheduleTools(studioFor: StudioFor): readonly OwnTool[] {
  const define = <Input>(name: string, input: z.ZodType<Input>, options: Parameters<typeof defineKindTool<Input>>[2]): OwnTool =>
    defineKindTool(name, { input, description: descriptionOf(name) }, options);

  /** `verb`: as in “Pausing 2 schedules”. */
  const forEach = (
    name: string,
    { verb, done, change }: { verb: string; done: string; change: (studio: ActingStudio, id: string) => Promise<Schedule> },
  ): OwnTool =>
    define(name, chosenSchema, {
      ...making,
      action: { returns: returned },
      label: ({ schedules }) => `${verb} ${counted(schedules.length, 'schedule')}`,
      async run({ schedules: ids }, { projectId }) {
        const studio = await studioFor(projectId);
        const schedules: Schedule[] = [];
        for (const { id } of await chosen(studio, ids)) schedules.push(await change(studio, id));
        return completed({ schedules: schedules.map(described), url }, `${done} ${counted(ids.length, 'schedule')}`);
      },
    });

  return [
    define('change_schedule', changedScheduleSchema, {
      ...making,
      action: { returns: returned },
      label: changedText,
      async run(input, { projectId }) {
        const studio = await studioFor(projectId);
        await chosen(studio, [input.schedule]);
        const changed = await studio.changeSchedule(input.schedule, patchOf(input));
        return completed({ schedules: [described(changed)], url }, `“${changed.name}” is changed`);
      },
    }),

    forEach('pause_schedules', { verb: 'Pausing', done: 'Paused', change: (studio, id) => studio.pauseSchedule(id) }),

    forEach('resume_schedules', { verb: 'Resuming', done: 'Resumed', change: (studio, id) => studio.resumeSchedule(id) }),

    define('run_schedule', z.object({ schedule: scheduleIdSchema }), {
      ...making,
      action: { returns: z.object({ name: z.string(), url: z.string() }) },
      label: () => 'Running a schedule now',
      async run({ schedule: id }, { projectId }) {
        const studio = await studioFor(projectId);
        const [schedule] = await chosen(studio, [id]);
        await studio.runSchedule(id);
        return completed({ name: schedule?.name ?? '', url }, `A run of “${schedule?.name}” has started`);
      },
    }),

    define('delete_schedules', chosenSchema, {
      ...making,
      ...{ risk: 'high', timeoutMs: 0, isForAuthors: true },
      label: ({ schedules }) => `Deleting ${counted(schedules.length, 'schedule')}`,
      async run({ schedules: ids }, { projectId, requestApproval }) {
        const studio = await studioFor(projectId);
        const schedules = await chosen(studio, ids);
        const what = counted(schedules.length, 'schedule');
        const rows = schedules.map((schedule) => ({ name: schedule.name, when: described(schedule).when }));
        const surface = surfaceOf(`delete-${ids[0]}`, {
          title: `Delete ${what}?`,
          parts: [
            table('schedules', 'These are deleted for good', [
              ['Schedule', 'name'],
              ['Runs', 'when'],
            ]),
          ],
          data: { schedules: rows },
          buttons: [
            { id: 'delete', label: `Delete ${what}`, isPrimary: true },
            { id: 'keep', label: 'Keep them' },
          ],
        });
        const content = `Delete ${what}?`;
        const response = await requestApproval({ type: 'question', content, options: [], plan: null, surface });
        if (response === null) return { status: 'suspended' };
        // No answer, and one in words, mean no.
        if (response.outcome !== 'submitted' || response.button !== 'delete') return failed('CANCELLED', 'Nothing was deleted.');
        for (const { id } of schedules) await studio.deleteSchedule(id);
        return completed({ deleted: rows }, `Deleted ${what}`);
      },
    }),
  ];
}
