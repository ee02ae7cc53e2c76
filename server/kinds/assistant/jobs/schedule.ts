import type { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { newId, scheduleIdSchema } from '#contract/ids.ts';
import { whenText } from '#contract/schedules.ts';
import type { Reply } from '../../../projects/author.ts';
import { timesOf } from '../../../schedules/times.ts';
import { checkedScheduleSchema, madeScheduleSchema, type NewSchedule, newScheduleSchema } from '../schedule-input.ts';
import { alert, cancelButton, choice, counted, type Part, surfaceOf, table, words } from '../surfaces.ts';
import type { Turn } from '../turn.ts';
import { columnPlaces } from './columns.ts';
import { cancelled, filmOptions, filmsFor, type Job, noFilms, one, problemsPart } from './job.ts';
import { tableRows } from './table-rows.ts';

type Films = Awaited<ReturnType<typeof filmsFor>>;
type Entered = Readonly<Record<string, unknown>>;

const rhythms = [
  { value: '* * *', label: 'Every day' },
  { value: '* * 1-5', label: 'Every weekday' },
  { value: '* * 1', label: 'Every Monday' },
  { value: '1 * *', label: 'First of the month' },
  { value: 'own', label: 'At times of my own' },
];
const sources = [
  { value: 'none', label: 'None: the film as it is' },
  { value: 'table', label: 'A table that stays the same' },
  { value: 'address', label: 'A table that is fetched each time' },
];
const deliveries = [
  { value: 'none', label: 'Nowhere: they stay in Koda' },
  { value: 'folder', label: 'To a folder' },
];
const fields = ['film', 'name', 'when', 'time', 'cron', 'zone', 'data', 'table', 'address', 'keep', 'delivery', 'folder'];

const field = (id: string, label: string, variant: 'shortText' | 'longText' | 'number' = 'shortText'): Part => ({
  ...{ id, component: 'TextField', variant, label, value: { path: `/${id}` } },
});
const single = (id: string, label: string, options: Parameters<typeof choice>[2]): Part =>
  choice(id, label, options, 'mutuallyExclusive');

const maxRounds = 20;

/** Makes a schedule: asks what and when, shows the next three times, and makes it once the person agrees. */
export const makeSchedule: Job = async (turn: Turn) => {
  const films = await filmsFor(turn);
  if (films.length === 0) return noFilms;
  const zone = turn.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  let entered: Entered = {
    ...{ film: films.length === 1 ? [films[0]?.id] : [], name: '', when: ['* * *'], time: '17:00', cron: '', zone },
    ...{ data: ['none'], table: '', address: '', keep: '10', delivery: ['none'], folder: 'exports/' },
    ...turn.enteredBefore('choose', fields),
  };
  let refusal: string | null = null;
  for (let round = 1; round <= maxRounds; round += 1) {
    const answer = await choose(turn, round, { films, entered, refusal });
    if (answer === null) return cancelled;
    const { schedule, values } = answer;
    [entered, refusal] = [values, null];
    const film = { id: schedule.film, name: nameOf(films, schedule) };
    const read = await readTable(turn, round, { film, schedule });
    if (read === null) return cancelled;
    if ('refusal' in read) {
      refusal = read.refusal;
      continue;
    }
    const { checked } = read;
    const button = await confirm(turn, round, { schedule, film: film.name, checked });
    if (button === null) return cancelled;
    if (button === 'change') continue;
    const id = await turn.once('id', scheduleIdSchema, async () => newId('sch'));
    const made = await turn.call(`make-${round}`, 'make_schedule', {
      input: { ...read.schedule, id },
      output: madeScheduleSchema,
    });
    if (made.failure === null) return resultOf(turn, schedule, { checked, url: made.output.url });
    refusal = made.failure.message;
  }
  throw new KodaError('LIMIT_EXCEEDED', 'The schedule was changed too often. Start the job again.');
};

const nameOf = (films: Films, { film }: NewSchedule): string => films.find(({ id }) => id === film)?.name ?? '';

interface Unread {
  readonly film: { readonly id: string; readonly name: string };
  readonly schedule: NewSchedule;
}

/** Reads the table, and asks which column goes where if its headings are not the names of parameters. `null`: the person has cancelled. */
async function readTable(
  turn: Turn,
  round: number,
  { film, schedule }: Unread,
): Promise<{ schedule: NewSchedule; checked: Checked['checked'] } | { refusal: string } | null> {
  const check = (key: string, input: NewSchedule) => turn.call(key, 'check_schedule', { input, output: checkedScheduleSchema });
  const first = await check(`check-${round}`, schedule);
  if (first.failure !== null) return { refusal: first.failure.message };
  const { source } = schedule;
  if (source.type === 'none') return { schedule, checked: first.output };
  const places = await columnPlaces(turn, round, { film, columns: first.output.headings, examplesOf: null });
  if (places === null) return null;
  if (places === 'same') return { schedule, checked: first.output };
  const columns = Object.fromEntries([...places].map(([heading, parameter]) => [parameter, heading]));
  const placed = { ...schedule, source: { ...source, columns } };
  const { output, failure } = await check(`check-placed-${round}`, placed);
  return failure === null ? { schedule: placed, checked: output } : { refusal: failure.message };
}

interface Chosen {
  readonly films: Films;
  readonly entered: Entered;
  /** Why the schedule cannot be made as it was entered before. */
  readonly refusal: string | null;
}

async function choose(
  turn: Turn,
  round: number,
  { films, entered, refusal }: Chosen,
): Promise<{ schedule: NewSchedule; values: Entered } | null> {
  const answer = await turn.form(`choose-${round}`, {
    content: 'Which film, and when?',
    values: entered,
    draw: (surfaceId, { values: data, problems }) =>
      surfaceOf(surfaceId, {
        title: 'A schedule',
        parts: [
          ...problemsPart(problems.length > 0 || refusal === null ? problems : [refusal]),
          single('film', 'Film', filmOptions(films)),
          field('name', 'Name of the schedule, if not the film’s'),
          single('when', 'When', rhythms),
          field('time', 'Time, such as 17:00'),
          field('cron', 'Times of your own: minute, hour, day, month and weekday, such as */30 9-17 * * 1-5'),
          field('zone', 'Time zone, such as Europe/Berlin'),
          single('data', 'Fresh data', sources),
          field('table', 'Table: the first line names the columns, each other line is one video', 'longText'),
          field('address', 'Address of the table, which the operator of Koda has to allow'),
          field('keep', 'Keep the videos of this many runs', 'number'),
          single('delivery', 'Where the videos go', deliveries),
          field('folder', 'Folder'),
        ],
        ...{ data, values: fields },
        buttons: [{ id: 'next', label: 'Check the times', isPrimary: true }, cancelButton],
      }),
    check(values) {
      const read = scheduleIn(values, films);
      return 'problems' in read ? read : { value: { schedule: read.schedule, values } };
    },
  });
  return answer?.value ?? null;
}

type Read = { readonly schedule: NewSchedule } | { readonly problems: readonly string[] };

function scheduleIn(values: Entered, films: Films): Read {
  const text = (name: string) => String(values[name] ?? '').trim();
  const chosen = (name: string) => one.safeParse(values[name]).data ?? '';
  const film = films.find(({ id }) => id === chosen('film'));
  const when = { cron: cronIn(chosen('when'), { time: text('time'), own: text('cron') }), timeZone: text('zone') };
  const data = sourceIn(chosen('data'), { table: text('table'), url: text('address') });
  const parsed = newScheduleSchema.safeParse({
    ...{ film: film?.id, name: text('name') || film?.name, cron: when.cron ?? '', time_zone: when.timeZone },
    ...{ source: data.source, keep: Number(text('keep')) },
    folder: chosen('delivery') === 'folder' ? text('folder') : null,
  });
  const problems = [
    film === undefined ? 'Film: choose one.' : '',
    when.cron === null
      ? `Time: “${text('time')}” is not a time. Write one such as 17:00.`
      : timesProblem(when.cron, when.timeZone),
    data.problem ?? '',
    ...(parsed.success ? [] : parsed.error.issues.map(({ path }) => fieldProblems[String(path[0])] ?? '')),
  ].filter(Boolean);
  if (problems.length > 0) return { problems: [...new Set(problems)] };
  return parsed.success ? { schedule: parsed.data } : { problems: ['This schedule cannot be read.'] };
}

/** What else can be wrong with a value. Film and times have their own words. */
const fieldProblems: Readonly<Record<string, string>> = {
  name: 'Name: 80 characters at most.',
  source: 'Address: enter one that starts with https://.',
  keep: 'Keep: a whole number from 1 to 100.',
  folder: 'Folder: enter one, such as exports/foyer.',
};

/** Returns the five fields, or `null` if the time is none. */
function cronIn(rhythm: string, { time, own }: { readonly time: string; readonly own: string }): string | null {
  if (rhythm === 'own') return own;
  const [, hour, minute] = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(time) ?? [];
  const days = rhythms.find(({ value }) => value === rhythm)?.value ?? '';
  return hour === undefined ? null : `${Number(minute)} ${Number(hour)} ${days}`;
}

function timesProblem(cron: string, timeZone: string): string {
  try {
    timesOf({ cron, timeZone }, Date.now());
    return '';
  } catch (error) {
    if (error instanceof KodaError) return error.message;
    throw error;
  }
}

function sourceIn(
  type: string,
  { table: content, url }: { readonly table: string; readonly url: string },
): { readonly source: z.input<typeof newScheduleSchema>['source']; readonly problem: string | null } {
  if (type === 'address') return { source: { type, url }, problem: null };
  if (type !== 'table') return { source: { type: 'none' }, problem: null };
  return { source: { type, name: 'Pasted table', content }, problem: tableRows(content).problem };
}

const timeRows = (times: readonly string[], timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' });
  return times.map((at) => ({ at: format.format(new Date(at)) }));
};

interface Checked {
  readonly schedule: NewSchedule;
  readonly film: string;
  readonly checked: z.output<typeof checkedScheduleSchema>;
}

const shownProblems = 20;

async function confirm(turn: Turn, round: number, { schedule, film, checked }: Checked): Promise<'make' | 'change' | null> {
  const { rows, times, problems: wrong } = checked;
  const isUsable = wrong.length === 0;
  const what = [
    `${counted(rows, 'video')} each time. The videos of the newest ${counted(schedule.keep, 'run')} are kept.`,
    schedule.folder === null ? 'They stay in Koda.' : `They are saved in ${schedule.folder}.`,
  ].join(' ');
  const shown = wrong.slice(0, shownProblems).map(({ row, message }) => `Row ${row}: ${message}`);
  const answer = await turn.form(`confirm-${round}`, {
    content: isUsable ? `Make “${film}” at these times?` : `${counted(wrong.length, 'row')} cannot be used.`,
    values: {},
    draw: (surfaceId, { problems }) =>
      surfaceOf(surfaceId, {
        title: `${schedule.name}: ${whenText(schedule.cron)}`,
        parts: [
          ...problemsPart([
            ...problems,
            ...shown,
            ...(wrong.length > shownProblems ? [`And ${wrong.length - shownProblems} more.`] : []),
          ]),
          words('what', what),
          table('times', `The next runs, in ${schedule.time_zone}`, [['Time', 'at']]),
        ],
        data: { times: timeRows(times, schedule.time_zone) },
        buttons: [
          ...(isUsable ? [{ id: 'make', label: 'Make the schedule', isPrimary: true }] : []),
          { id: 'change', label: 'Change it', isPrimary: !isUsable },
          cancelButton,
        ],
      }),
    check: () => ({ value: true }),
  });
  if (answer === null) return null;
  return answer.button === 'make' ? 'make' : 'change';
}

function resultOf(turn: Turn, schedule: NewSchedule, { checked, url }: { checked: Checked['checked']; url: string }): Reply {
  const rows = timeRows(checked.times, schedule.time_zone);
  return {
    content: `“${schedule.name}” is scheduled. Its next run is on ${rows[0]?.at} (${schedule.time_zone}).`,
    surface: surfaceOf(turn.surfaceId('result'), {
      title: `“${schedule.name}” is scheduled`,
      parts: [
        alert('summary', `${whenText(schedule.cron)}, ${schedule.time_zone}.`, 'success'),
        table('times', 'The next runs', [['Time', 'at']]),
        words('page', `It is listed at ${url}, where it can be run at once, changed, paused and deleted.`),
      ],
      data: { times: rows },
    }),
  };
}
