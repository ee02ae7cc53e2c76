import { z } from 'zod';
import { batchCheckSchema, tableColumnsSchema } from './batch.ts';
import { batchIdSchema, projectIdSchema, renderIdSchema, scheduleIdSchema, scheduleRunIdSchema } from './ids.ts';
import { toolReferenceSchema } from './mcp-servers.ts';
import { renderRequestSchema } from './render.ts';

export const maxSchedules = 200;
export const maxSchedulesOfProject = 50;
/** Runs that a schedule remembers. */
export const maxRunsKept = 100;
/** Failures in a row after which a schedule pauses. */
export const maxFailures = 3;
/** Attempts to deliver one video to a web address. */
export const maxDeliveryAttempts = 5;
/** Upcoming times that a schedule lists. */
export const maxUpcoming = 50;
const maxTableCharacters = 800_000;
const maxToolInputCharacters = 20_000;

export const webAddressSchema = z
  .url({ protocol: /^https?$/, error: 'Enter an address that starts with https://' })
  .max(2_000)
  .refine((address) => {
    // Also called with what is no address.
    const url = URL.parse(address);
    return url === null || url.username + url.password === '';
  }, 'Remove the user name and password.');

/** When: five cron fields (minute, hour, day, month, weekday) and the IANA time zone in which they count. */
const whenSchema = z.object({
  cron: z.string().trim().min(1, 'Choose when.').max(200),
  timeZone: z.string().min(1).max(60),
});

/** Where the rows come from. Each row is the parameters of one video. */
export const scheduleSourceSchema = z.discriminatedUnion('type', [
  /** The film as it is. */
  z.object({ type: z.literal('none') }),
  /** An uploaded table (CSV, JSON, JSON Lines) that stays the same. */
  z.object({
    type: z.literal('table'),
    name: z.string().trim().min(1).max(200),
    content: z.string().min(1, 'The table has no rows.').max(maxTableCharacters),
    columns: tableColumnsSchema,
  }),
  /** A table that is fetched for each run, from an address that the operator allows. */
  z.object({ type: z.literal('address'), url: webAddressSchema, columns: tableColumnsSchema }),
  /** A table that a tool of an MCP server returns at each run. The operator must have allowed the tool without a question. */
  z.object({
    type: z.literal('tool'),
    ...toolReferenceSchema.shape,
    input: z
      .record(z.string(), z.unknown())
      .default({})
      .refine((input) => JSON.stringify(input).length <= maxToolInputCharacters, 'The input is longer than 20,000 characters.'),
    columns: tableColumnsSchema,
  }),
]);
export type ScheduleSource = z.infer<typeof scheduleSourceSchema>;
export type ToolSource = Extract<ScheduleSource, { type: 'tool' }>;

const secretSchema = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'A secret is whsec_ and 24 to 64 bytes in base 64.')
  .optional();

/** Where finished videos go, besides the project. */
export const scheduleDeliverySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  /** A folder in `exports` of the data folder, or a path in a folder that the operator allows. */
  z.object({ type: z.literal('folder'), folder: z.string().trim().min(1).max(500) }),
  /** Each video is the body of a signed POST. Without a secret, Koda makes one and returns it once. */
  z.object({ type: z.literal('webhook'), url: webAddressSchema, secret: secretSchema }),
]);
export type ScheduleDelivery = z.infer<typeof scheduleDeliverySchema>;

const nameSchema = z.string().trim().min(1, 'Enter a name.').max(80);
const keepSchema = z.int().min(1).max(maxRunsKept);
const renderSchema = renderRequestSchema.omit({ kind: true });

export const scheduleRequestSchema = whenSchema.extend({
  projectId: projectIdSchema,
  name: nameSchema,
  source: scheduleSourceSchema.default({ type: 'none' }),
  /** Settings of all videos. A row's own parameters take precedence over its `parameters`. */
  render: renderSchema.default({}),
  /** Number of runs whose videos are kept. */
  keep: keepSchema.default(10),
  /** Whether a run that Koda missed because it was off is caught up, once. */
  catchUp: z.boolean().default(true),
  delivery: scheduleDeliverySchema.default({ type: 'none' }),
});
export type ScheduleRequest = z.infer<typeof scheduleRequestSchema>;

/** What is missing stays as it is. */
export const schedulePatchSchema = z.object({
  cron: whenSchema.shape.cron.optional(),
  timeZone: whenSchema.shape.timeZone.optional(),
  name: nameSchema.optional(),
  source: scheduleSourceSchema.optional(),
  render: renderSchema.optional(),
  keep: keepSchema.optional(),
  catchUp: z.boolean().optional(),
  delivery: scheduleDeliverySchema.optional(),
});
export type SchedulePatch = z.infer<typeof schedulePatchSchema>;

const failureSchema = z.object({ code: z.string(), message: z.string() });

export const deliverySchema = z.object({
  renderId: renderIdSchema,
  /** Position of its row in the table, from 1. */
  row: z.int().min(1),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  error: failureSchema.nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const scheduleRunSchema = z.object({
  id: scheduleRunIdSchema,
  scheduleId: scheduleIdSchema,
  /** `catch_up`: Koda was off at the time. */
  cause: z.enum(['time', 'catch_up', 'person']),
  /** `partly`: some videos are missing or not delivered. `missed`: it was not caught up. */
  state: z.enum(['fetching', 'rendering', 'delivering', 'complete', 'partly', 'failed', 'missed']),
  /** Time for which it was planned. `null` if a person started it. */
  dueAt: z.iso.datetime().nullable(),
  /** While Koda was off. */
  off: z.object({ from: z.iso.datetime(), until: z.iso.datetime() }).nullable(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** SHA-256 of the table in hex, once it has been read. */
  digest: z.string().nullable(),
  batchId: batchIdSchema.nullable(),
  /** Videos planned, made and delivered. */
  counts: z.object({ total: z.int(), made: z.int(), delivered: z.int() }),
  /** Times that came while it was still going, and were left out. */
  skipped: z.int(),
  error: failureSchema.nullable(),
  /** Whether its videos were removed to keep the newest ones. */
  removed: z.boolean(),
  deliveries: z.array(deliverySchema),
});
export type ScheduleRun = z.infer<typeof scheduleRunSchema>;

export const scheduleSchema = whenSchema.extend({
  id: scheduleIdSchema,
  projectId: projectIdSchema,
  projectName: z.string(),
  name: z.string(),
  state: z.enum(['active', 'paused']),
  /** Why it is paused: a person did it, or too many runs failed in a row. */
  pausedBy: z.enum(['person', 'failures']).nullable(),
  pausedAt: z.iso.datetime().nullable(),
  /** Failed runs in a row. */
  failures: z.int(),
  /** Without the table's content. */
  source: z.discriminatedUnion('type', [
    scheduleSourceSchema.options[0],
    scheduleSourceSchema.options[1].omit({ content: true }).extend({ characters: z.int() }),
    scheduleSourceSchema.options[2],
    scheduleSourceSchema.options[3],
  ]),
  render: renderSchema,
  keep: z.int(),
  catchUp: z.boolean(),
  /** Without the secret. */
  delivery: z.discriminatedUnion('type', [
    scheduleDeliverySchema.options[0],
    scheduleDeliverySchema.options[1],
    scheduleDeliverySchema.options[2].omit({ secret: true }),
  ]),
  createdAt: z.iso.datetime(),
  /** `null` while it is paused. */
  nextRunAt: z.iso.datetime().nullable(),
  /** Times within the next seven days, at most `maxUpcoming`. */
  upcoming: z.array(z.iso.datetime()),
  lastRun: scheduleRunSchema.nullable(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** `secret`: the one that Koda made for the web address, shown only here. */
export const createdScheduleSchema = z.object({ schedule: scheduleSchema, secret: z.string().nullable() });

export const scheduleTimesRequestSchema = whenSchema;
/** The next five runs. */
export const scheduleTimesSchema = z.object({ times: z.array(z.iso.datetime()) });

/** What a run would read. A problem in a row fails the whole run. */
export const checkedScheduleSchema = z.object({
  times: scheduleTimesSchema.shape.times,
  ...batchCheckSchema.pick({ rows: true, headings: true, problems: true }).shape,
});
export type CheckedSchedule = z.infer<typeof checkedScheduleSchema>;

/** Returns what a run's time says if Koda was off, such as "Missed at 17:00: Koda was off from 16:31 to 18:41." */
export function missedText({ dueAt, off }: Pick<ScheduleRun, 'dueAt' | 'off'>, timeZone: string): string | null {
  if (dueAt === null || off === null) return null;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' });
  const until = new Date(off.until);
  const at = (iso: string) => {
    const date = new Date(iso);
    return day.format(date) === day.format(until) ? time.format(date) : `${time.format(date)} on ${day.format(date)}`;
  };
  return `Missed at ${at(dueAt)}: Koda was off from ${at(off.from)} to ${at(off.until)}.`;
}

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

/** Returns when a schedule runs, such as “Mondays at 07:00”, or the expression itself if it is not one of the usual ones. */
export function whenText(cron: string): string {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.trim().split(/\s+/);
  if (cron.trim() === '* * * * *') return 'Every minute';
  if (!/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour) || month !== '*') return cron;
  const at = `at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day === '*' && weekday === '*') return `Every day ${at}`;
  if (day === '*' && weekday === '1-5') return `Every weekday ${at}`;
  const named = weekdays.find((name) => name.slice(0, 3).toLowerCase() === weekday.toLowerCase());
  if (day === '*' && named !== undefined) return `${named} ${at}`;
  if (day === '*' && /^[0-7]$/.test(weekday)) return `${weekdays[Number(weekday)]} ${at}`;
  if (weekday !== '*') return cron;
  if (day === '1') return `First of the month ${at}`;
  if (day === 'L') return `Last of the month ${at}`;
  return /^\d{1,2}$/.test(day ?? '') ? `Day ${day} of the month ${at}` : cron;
}
