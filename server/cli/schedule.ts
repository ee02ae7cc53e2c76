import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { errorCodeSchema, errorMessage, KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import {
  missedText,
  type Schedule,
  type ScheduleDelivery,
  type ScheduleRun,
  schedulePatchSchema,
  scheduleRequestSchema,
} from '#contract/schedules.ts';
import { validationError } from '../lib/validation-error.ts';
import { typedParameters } from '../renders/rows.ts';
import type { CommandContext } from './client.ts';
import { assertParameters, describeFilm } from './parameters.ts';
import { type OutputFlags, outputOptions, type RangeFlags, rangeOptions, renderRequest } from './render-flags.ts';

interface AddFlags extends OutputFlags, RangeFlags {
  readonly cron: string;
  readonly timeZone: string;
  readonly name?: string;
  readonly data?: string;
  readonly tool?: string;
  readonly input?: string;
  readonly column: readonly string[];
  readonly folder?: string;
  readonly webhook?: string;
  readonly secret?: string;
  readonly keep: number;
  readonly catchUp: boolean;
  readonly json: boolean;
}

interface ChangeFlags
  extends OutputFlags,
    Pick<AddFlags, 'tool' | 'input' | 'column' | 'folder' | 'webhook' | 'secret' | 'name'> {
  readonly cron?: string;
  readonly timeZone?: string;
  /** `false`: the film as it is. */
  readonly data?: string | false;
  readonly delivery: boolean;
  readonly keep?: number;
}

const examples = `
When: five cron fields (minute, hour, day, month, weekday) in the time zone.

Examples:
  koda schedule add prj_… --name Aurora --cron "0 17 * * *" --data https://sky.example/abisko.json --folder foyer
  koda schedule add prj_… --cron "0 7 * * mon" --data branches.csv --webhook https://lobby.example/films
  koda schedule add prj_… --cron "0 6 * * *" --tool weather/forecast --input '{"city": "Lisbon"}'
  koda schedule change sch_… --cron "30 6 * * 1-5" --keep 3
  koda schedule run sch_… --wait
  koda schedule show sch_…`;

const pollMs = 1_000;

function keepOption(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('Expected a whole number above 0.');
  return Number(text);
}

function toolOption(): Option {
  const text = 'one video per row that this tool of an MCP server returns at each run, such as weather/forecast';
  return new Option('--tool <tool>', text).conflicts('data');
}

function columnOption(): Option {
  const text = 'column that fills a parameter, such as price="New price" (repeatable); other columns are left out';
  return new Option('--column <place>', text).argParser((one, all: string[]) => [...all, one]).default([], 'none');
}

const isAddress = (text: string) => /^https?:\/\//.test(text);

interface SourceFlags extends Pick<AddFlags, 'tool' | 'input' | 'column'> {
  readonly data?: string | false;
}

async function sourceOf({ data, tool, input, column }: SourceFlags): Promise<unknown> {
  const hasTable = tool !== undefined || typeof data === 'string';
  if (column.length > 0 && !hasTable) throw new KodaError('VALIDATION_ERROR', '--column needs --data or --tool.');
  const columns = column.length === 0 ? undefined : columnsIn(column);
  if (tool !== undefined) return { ...toolSource(tool, input ?? '{}'), columns };
  if (data === undefined || data === false) return { type: 'none' };
  if (isAddress(data)) return { type: 'address', url: data, columns };
  try {
    return { type: 'table', name: basename(data), content: await readFile(data, 'utf8'), columns };
  } catch (error) {
    throw new KodaError('NOT_FOUND', `The rows cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

/** `given`: parameters with their headings, such as `price=New price`. */
function columnsIn(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [parameter = '', ...heading] = text.split('=');
      if (heading.length === 0)
        throw new KodaError(
          'VALIDATION_ERROR',
          `--column ${text}: expected a parameter and a heading, such as price="New price".`,
        );
      return [parameter, heading.join('=')];
    }),
  );
}

/** `called`: the server and its tool, as in `weather/forecast`. The server's name has no slash. */
function toolSource(called: string, input: string): object {
  const [server, ...tool] = called.split('/');
  try {
    return { type: 'tool', server, tool: tool.join('/'), input: JSON.parse(input) };
  } catch (error) {
    throw new KodaError('VALIDATION_ERROR', `--input is not JSON: ${errorMessage(error)}`, { cause: error });
  }
}

function deliveryOf({ folder, webhook, secret }: Pick<AddFlags, 'folder' | 'webhook' | 'secret'>): ScheduleDelivery {
  if (webhook !== undefined) return { type: 'webhook', url: webhook, ...(secret !== undefined && { secret }) };
  return folder === undefined ? { type: 'none' } : { type: 'folder', folder };
}

async function addSchedule(projectId: string, flags: AddFlags, context: CommandContext): Promise<void> {
  const { client, terminal } = context;
  const { cron, timeZone, keep, catchUp, json } = flags;
  const { project } = await client.call(routes.project, { id: projectId });
  let parameters = {};
  if (flags.param.length > 0) {
    parameters = typedParameters(flags.param, (await describeFilm(projectId, context)).parameters);
    await assertParameters(projectId, parameters, context);
  }
  const request = scheduleRequestSchema.safeParse({
    ...{ projectId, cron, timeZone, keep, catchUp, name: flags.name ?? project.name },
    source: await sourceOf(flags),
    delivery: deliveryOf(flags),
    render: { ...renderRequest(flags), parameters },
  });
  if (!request.success) throw validationError(request.error);
  const created = await client.call(routes.createSchedule, { body: request.data });
  if (json) terminal.result(JSON.stringify(created));
  else {
    terminal.result(created.schedule.id);
    terminal.note(`Next run: ${timeOf(created.schedule.nextRunAt, timeZone)}`);
    if (created.secret !== null) terminal.note(`Secret of the signatures, shown only now: ${created.secret}`);
  }
}

/** What is not given stays as it is. */
async function changeSchedule(id: string, flags: ChangeFlags, { client, terminal }: CommandContext): Promise<void> {
  const { cron, timeZone, name, keep, data, tool, delivery } = flags;
  const { render: before } = await client.call(routes.schedule, { id });
  const { kind: _, ...settings } = renderRequest(flags);
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const patch = schedulePatchSchema.safeParse({
    ...{ cron, timeZone, name, keep },
    ...(((data ?? tool) !== undefined || flags.column.length > 0) && { source: await sourceOf(flags) }),
    ...((!delivery || flags.folder !== undefined || flags.webhook !== undefined) && { delivery: deliveryOf(flags) }),
    ...(given.length > 0 && { render: { ...before, ...Object.fromEntries(given) } }),
  });
  if (!patch.success) throw validationError(patch.error);
  const { schedule, secret } = await client.call(routes.changeSchedule, { id, body: patch.data });
  terminal.note(`Next run: ${timeOf(schedule.nextRunAt, schedule.timeZone)}`);
  if (secret !== null) terminal.note(`Secret of the signatures, shown only now: ${secret}`);
}

function timeOf(at: string | null, timeZone: string): string {
  if (at === null) return 'none';
  return `${new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at))} ${timeZone}`;
}

function resultOf({ state, counts, error, skipped }: ScheduleRun): string {
  const delivered = `${counts.delivered} of ${counts.total} delivered`;
  const words = { complete: delivered, partly: delivered, failed: 'failed', missed: 'missed' } as const;
  const result = state in words ? words[state as keyof typeof words] : state;
  const why = error === null ? '' : `: ${error.message}`;
  return `${result}${why}${skipped === 0 ? '' : ` (${skipped} later runs left out)`}`;
}

function pausedText({ pausedBy }: Schedule): string {
  return pausedBy === 'failures' ? 'paused after three failures' : 'paused';
}

async function listSchedules(project: string | undefined, json: boolean, { client, terminal }: CommandContext): Promise<void> {
  const { items } = await client.call(routes.schedules, { query: project === undefined ? {} : { project } });
  if (json) terminal.result(JSON.stringify(items));
  else
    for (const schedule of items) {
      const { id, name, cron, timeZone, nextRunAt } = schedule;
      const next = schedule.state === 'paused' ? pausedText(schedule) : `next ${timeOf(nextRunAt, timeZone)}`;
      terminal.result(`${id}  ${name}  ${cron}  ${next}`);
    }
  if (!json && items.length === 0)
    terminal.note('No schedules yet. Create one: koda schedule add prj_… --cron "0 17 * * *" --folder foyer');
}

async function showSchedule(id: string, json: boolean, { client, terminal }: CommandContext): Promise<void> {
  const schedule = await client.call(routes.schedule, { id });
  const { items: runs } = await client.call(routes.scheduleRuns, { id });
  if (json) return terminal.result(JSON.stringify({ ...schedule, runs }));
  const { name, projectId, projectName, cron, timeZone, source, delivery, keep, nextRunAt } = schedule;
  terminal.result(`${name}\n  ${id}, film ${projectName} (${projectId})`);
  terminal.result(
    `  When: ${cron} in ${timeZone}; ${schedule.state === 'paused' ? pausedText(schedule) : `next ${timeOf(nextRunAt, timeZone)}`}`,
  );
  terminal.result(`  Data: ${sourceText(source)}`);
  terminal.result(`  Delivery: ${deliveryText(delivery)}; keeps the newest ${keep} runs`);
  for (const run of runs) {
    const missed = missedText(run, timeZone);
    terminal.result(`  ${timeOf(run.startedAt, timeZone)}  ${resultOf(run)}${missed === null ? '' : `. ${missed}`}`);
  }
}

function sourceText(source: Schedule['source']): string {
  switch (source.type) {
    case 'none':
      return 'none';
    case 'table':
      return source.name;
    case 'address':
      return source.url;
    case 'tool':
      return `${source.server}/${source.tool} ${JSON.stringify(source.input)}`;
  }
}

function deliveryText(delivery: Schedule['delivery']): string {
  if (delivery.type === 'none') return 'this project alone';
  return delivery.type === 'folder' ? delivery.folder : delivery.url;
}

async function runSchedule(id: string, wait: boolean, { client, terminal, signal }: CommandContext): Promise<void> {
  const started = await client.call(routes.runSchedule, { id });
  if (!wait) return terminal.note('Started. "koda schedule show" has the result.');
  let run: ScheduleRun | undefined = started;
  while (run !== undefined && run.finishedAt === null) {
    await sleep(pollMs, undefined, { signal });
    run = (await client.call(routes.scheduleRuns, { id })).items.find((item) => item.id === started.id);
    if (run !== undefined) terminal.progress(run.state);
  }
  if (run?.state === 'complete') return terminal.note(resultOf(run));
  const code = errorCodeSchema.safeParse(run?.error?.code);
  const message = run === undefined ? 'The schedule was deleted.' : resultOf(run);
  throw new KodaError(code.success ? code.data : 'RENDER_FAILED', message);
}

export function scheduleCommands(program: Command, context: () => CommandContext): void {
  const schedule = program
    .command('schedule')
    .description('make and deliver films at fixed times')
    .addHelpText('after', examples);
  const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  schedule
    .command('list')
    .description('list all schedules with their next runs')
    .option('--project <project>', 'only those of this project')
    .option('--json', 'print the schedules as JSON', false)
    .action(({ project, json }: { project?: string; json: boolean }) => listSchedules(project, json, context()));

  rangeOptions(
    outputOptions(schedule.command('add').description('create a schedule and print its id').argument('<project>', 'project id')),
  )
    .requiredOption('--cron <fields>', 'when: minute, hour, day, month and weekday, such as "0 17 * * *"')
    .option('--time-zone <zone>', 'IANA time zone in which they count', localZone)
    .option('--name <name>', 'name (default: the project’s)')
    .option('--data <rows>', 'one video per row: a file (CSV, JSON), or an address that is fetched for each run')
    .addOption(toolOption())
    .option('--input <json>', 'input of the tool (default: {})')
    .addOption(columnOption())
    .addOption(new Option('--folder <folder>', 'save videos in this folder of the studio’s exports').conflicts('webhook'))
    .option('--webhook <address>', 'send videos to this address, signed')
    .option('--secret <secret>', 'secret of the signatures: whsec_ and base 64 (default: a new one)')
    .addOption(new Option('--keep <runs>', 'number of runs whose videos are kept').argParser(keepOption).default(10))
    .option('--no-catch-up', 'leave out a run that was missed because the studio was off')
    .option('--json', 'print the schedule as JSON', false)
    .action((projectId: string, flags: AddFlags) => addSchedule(projectId, flags, context()));

  outputOptions(
    schedule
      .command('change')
      .description('change a schedule; what is not given stays as it is')
      .argument('<schedule>', 'schedule id (sch_…)'),
  )
    .option('--cron <fields>', 'when: minute, hour, day, month and weekday')
    .option('--time-zone <zone>', 'IANA time zone in which they count')
    .option('--name <name>', 'name')
    .option('--data <rows>', 'one video per row: a file (CSV, JSON), or an address that is fetched for each run')
    .option('--no-data', 'make the film as it is')
    .addOption(toolOption())
    .option('--input <json>', 'input of the tool (default: {})')
    .addOption(columnOption())
    .addOption(new Option('--folder <folder>', 'save videos in this folder').conflicts('webhook'))
    .option('--webhook <address>', 'send videos to this address, signed')
    .option('--secret <secret>', 'secret of the signatures (default: a new one for a new address)')
    .option('--no-delivery', 'leave the videos in the project')
    .addOption(new Option('--keep <runs>', 'number of runs whose videos are kept').argParser(keepOption))
    .action((id: string, flags: ChangeFlags) => changeSchedule(id, flags, context()));

  schedule
    .command('show')
    .description('show a schedule and its latest runs')
    .argument('<schedule>', 'schedule id (sch_…)')
    .option('--json', 'print both as JSON', false)
    .action((id: string, { json }: { json: boolean }) => showSchedule(id, json, context()));

  schedule
    .command('run')
    .description('start a run now')
    .argument('<schedule>', 'schedule id (sch_…)')
    .option('--wait', 'wait until its videos are delivered', false)
    .action((id: string, { wait }: { wait: boolean }) => runSchedule(id, wait, context()));

  schedule
    .command('pause')
    .description('pause a schedule')
    .argument('<schedule>', 'schedule id (sch_…)')
    .action(async (id: string) => {
      const { client, terminal } = context();
      await client.call(routes.pauseSchedule, { id });
      terminal.note(`Paused ${id}.`);
    });

  schedule
    .command('resume')
    .description('resume a paused schedule')
    .argument('<schedule>', 'schedule id (sch_…)')
    .action(async (id: string) => {
      const { client, terminal } = context();
      const { nextRunAt, timeZone } = await client.call(routes.resumeSchedule, { id });
      terminal.note(`Next run: ${timeOf(nextRunAt, timeZone)}`);
    });

  schedule
    .command('remove')
    .description('delete a schedule; its videos stay in the project')
    .argument('<schedule>', 'schedule id (sch_…)')
    .action(async (id: string) => {
      const { client, terminal } = context();
      await client.call(routes.removeSchedule, { id });
      terminal.note(`Deleted ${id}.`);
    });
}
