import { z } from 'zod';
import { projectIdSchema, scheduleIdSchema } from '#contract/ids.ts';
import { type ScheduleRequest, scheduleRequestSchema, whenText } from '#contract/schedules.ts';
import { shortAddress } from '../../schedules/fetch-table.ts';

/** What the assistant's tools know of a schedule. Deliveries to web addresses need a secret, which the Schedules page shows. */

const { name, cron, timeZone, source, render, keep } = scheduleRequestSchema.shape;

export const newScheduleSchema = z.object({
  film: projectIdSchema,
  name,
  cron: cron.describe('five fields: minute, hour, day, month and weekday, such as 0 17 * * *'),
  time_zone: timeZone.describe('IANA time zone, such as Europe/Berlin'),
  source,
  render: render.describe('size, frame rate and format of the videos'),
  keep: keep.describe('number of runs whose videos are kept'),
  folder: z.string().trim().min(1).max(500).nullable().default(null).describe('such as exports/foyer'),
});
export type NewSchedule = z.output<typeof newScheduleSchema>;

export const checkedScheduleSchema = z.object({
  times: z.array(z.iso.datetime()).describe('the next three'),
  rows: z.int(),
  problems: z.array(z.object({ row: z.int(), message: z.string() })),
});
export const madeScheduleSchema = z.object({
  ...{ id: scheduleIdSchema, name: z.string(), next_run: z.iso.datetime().nullable() },
  /** Address of the page that shows it. */
  url: z.string(),
});

export function scheduleRequestOf({ film, time_zone: timeZone, folder, ...rest }: NewSchedule): ScheduleRequest {
  const delivery: ScheduleRequest['delivery'] = folder === null ? { type: 'none' } : { type: 'folder', folder };
  return { ...rest, projectId: film, timeZone, delivery, catchUp: true };
}

/** Returns what a schedule will do, in a few words: “Aurora”: Every day at 17:00 (Europe/Berlin), saved in exports/foyer. */
export function scheduleText({ name, cron, time_zone: zone, source, folder }: NewSchedule): string {
  const parts = [
    `“${name}”: ${whenText(cron)} (${zone})`,
    source.type === 'address' ? `with ${shortAddress(source.url)}` : null,
    folder === null ? null : `saved in ${folder}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
