import { z } from 'zod';
import { projectIdSchema, scheduleIdSchema } from '#contract/ids.ts';
import {
  type SchedulePatch,
  type ScheduleRequest,
  schedulePatchSchema,
  scheduleRequestSchema,
  scheduleSourceSchema,
  whenText,
} from '#contract/schedules.ts';
import { shortAddress } from '../../schedules/fetch-table.ts';

/** What the assistant's tools know of a schedule. Deliveries to web addresses need a secret, which the Schedules page shows. */

const { name, cron, timeZone, render, keep } = scheduleRequestSchema.shape;
const [none, table, address] = scheduleSourceSchema.options;
/** Without tools of MCP servers, whose calls a person has to see. */
const sourceSchema = z.discriminatedUnion('type', [none, table, address]).default({ type: 'none' });

const folder = z.string().trim().min(1).max(500);

export const newScheduleSchema = z.object({
  film: projectIdSchema,
  name,
  cron: cron.describe('five fields: minute, hour, day, month and weekday, such as 0 17 * * *'),
  time_zone: timeZone.describe('IANA time zone, such as Europe/Berlin'),
  source: sourceSchema,
  render: render.describe('size, frame rate and format of the videos'),
  keep: keep.describe('number of runs whose videos are kept'),
  folder: folder.nullable().default(null).describe('such as exports/foyer'),
});
export type NewSchedule = z.output<typeof newScheduleSchema>;

const patch = schedulePatchSchema.shape;

/** What is missing stays as it is. */
export const changedScheduleSchema = z.object({
  schedule: scheduleIdSchema,
  name: patch.name,
  cron: patch.cron,
  time_zone: patch.timeZone,
  source: z.discriminatedUnion('type', [none, table, address]).optional(),
  render: patch.render.describe('all of its settings, not the changed ones alone'),
  keep: patch.keep,
  folder: folder.nullable().optional().describe('null: the videos stay in Koda'),
});
export type ChangedSchedule = z.output<typeof changedScheduleSchema>;

export const checkedScheduleSchema = z.object({
  times: z.array(z.iso.datetime()).describe('the next three'),
  rows: z.int(),
  headings: z.array(z.string()).describe('of the table'),
  problems: z.array(z.object({ row: z.int(), message: z.string() })),
});
export const madeScheduleSchema = z.object({
  ...{ id: scheduleIdSchema, name: z.string(), next_run: z.iso.datetime().nullable() },
  /** Address of the page that shows it. */
  url: z.string(),
});

export function scheduleRequestOf({ film, time_zone: timeZone, folder, ...rest }: NewSchedule): ScheduleRequest {
  return { ...rest, projectId: film, timeZone, delivery: deliveryTo(folder), catchUp: true };
}

const deliveryTo = (to: string | null): ScheduleRequest['delivery'] =>
  to === null ? { type: 'none' } : { type: 'folder', folder: to };

export function patchOf({ schedule: _, time_zone: timeZone, folder: to, ...rest }: ChangedSchedule): SchedulePatch {
  return { ...rest, timeZone, ...(to !== undefined && { delivery: deliveryTo(to) }) };
}

/** Returns what changes, in a few words: Changing a schedule: Every day at 7:30 (Europe/Berlin), keeps 3 runs. */
export function changedText({ name, cron, time_zone: zone, source, render, keep, folder: to }: ChangedSchedule): string {
  const parts = [
    name === undefined ? null : `“${name}”`,
    cron === undefined ? null : whenText(cron),
    zone ?? null,
    source?.type === 'address' ? `with ${shortAddress(source.url)}` : null,
    source?.type === 'table' ? 'with another table' : null,
    source?.type === 'none' ? 'without a table' : null,
    render === undefined ? null : renderText(render),
    keep === undefined ? null : `keeps ${keep} runs`,
    to ? `saved in ${to}` : null,
    to === null ? 'saved in Koda alone' : null,
  ];
  return `Changing a schedule: ${parts.filter((part) => part !== null).join(', ')}`;
}

const renderText = ({ aspect, resolution, format }: ScheduleRequest['render']): string =>
  [aspect, resolution, format].filter((part) => part !== undefined).join(' ') || 'the film’s own settings';

/** Returns what a schedule will do, in a few words: “Aurora”: Every day at 17:00 (Europe/Berlin), saved in exports/foyer. */
export function scheduleText({ name, cron, time_zone: zone, source, folder }: NewSchedule): string {
  const parts = [
    `“${name}”: ${whenText(cron)} (${zone})`,
    source.type === 'address' ? `with ${shortAddress(source.url)}` : null,
    folder === null ? null : `saved in ${folder}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
