#!/usr/bin/env node
import { resolve } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { errorMessage, errorTraits, isCancelled, KodaError } from '#contract/errors.ts';
import { appCommands, withMakeApp } from '../kinds/app/cli/commands.ts';
import { cycleCommand } from '../kinds/cycle/cli/command.ts';
import { makeCommand } from '../kinds/film/cli/make-command.ts';
import { sceneCommands } from '../kinds/film/cli/scene-commands.ts';
import { actCommands, reportState } from './act.ts';
import { StudioClient } from './client.ts';
import { defaultDataDir, tokenFor } from './credentials.ts';
import { historyCommands } from './history-commands.ts';
import { modelCommand } from './model-file/command.ts';
import { cancel, listProjects, showProject } from './projects.ts';
import { renderWithParameters } from './render.ts';
import { type OutputFlags, outputOptions, type RangeFlags, rangeOptions, renderRequest } from './render-flags.ts';
import { scheduleCommands } from './schedule.ts';
import { Terminal } from './terminal.ts';
import { tokenCommands } from './token.ts';

const exitCodes = `
Exit codes:
  0   done
  1   a bug in Koda
  2   invalid request (argument, plan, limit)
  3   not allowed
  4   not found
  5   not possible in the project's current phase
  6   the studio or a service is not responding
  7   sandbox, generation or render failed; trying again may help
  8   the disk is full
  130 cancelled (Ctrl+C)

Environment:
  KODA_URL    address of the studio
  KODA_TOKEN  access token; not needed on the studio’s computer by a user who can read its data folder

Examples:
  koda make "A red ball bounces three times, playful, with the title 'Hello'" --yes --out ball.mp4
  koda make "snow falls on a dark blue night, cinematic, vertical" --preset reels
  koda make "A countdown from 5" --no-final --json | jq -r .id
  koda make --app "lend tools to neighbours" --yes
  koda message prj_… "make it 12 seconds" && koda accept prj_… --out film.mp4
  koda render prj_… --data rows.json --out videos
  koda run-cycle --id 03 --dry-run
  koda backup koda-$(date +%F).tar.gz`;

const renderExamples = `
Examples:
  koda render prj_… --resolution 4k --fps 30
  koda render prj_… --scene 2 --out scene.gif
  koda render prj_… --from 1.5 --to 3 --format mov --transparent
  koda render prj_… --at 2 --out poster.png
  koda render prj_… --param title=Hello --param ballColor=#ff8800 --verify
  koda render prj_… --data rows.csv --name-template '{title}-{index}' --out videos`;

const terminal = new Terminal();
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const program = new Command('koda')
  .description('Turns a sentence into a finished animation, using a running Koda studio.')
  .addOption(new Option('--url <address>', 'studio address').env('KODA_URL').default('http://localhost:3000'))
  .addHelpText('after', exitCodes)
  .showHelpAfterError('Add --help to see what the command takes.')
  .exitOverride();
const context = () => {
  const { url } = program.opts<{ url: string }>();
  // scripts/koda.sh passes the public address on with this computer's studio alone.
  const isOther = program.getOptionValueSource('url') === 'cli';
  const address = isOther ? url : process.env['KODA_PUBLIC_URL'] || url;
  return { client: new StudioClient(url, () => tokenFor(url), address), terminal, signal: interrupt.signal };
};

// Commands that few people use import their modules only when they run, so that the others start quickly.
makeCommand(program, context);
actCommands(program, context);

program
  .command('list')
  .description('list all projects, newest first')
  .option('-s, --search <text>', 'only projects whose name or prompt contains this text')
  .option('--json', 'print the projects as JSON', false)
  .action((flags: { search?: string; json: boolean }) => listProjects(flags.search ?? null, flags.json, context()));

program
  .command('show')
  .description('show a project’s state, plan, todos and videos')
  .argument('<project>', 'project id')
  .option('--json', 'print the state that `koda make --json` prints', false)
  .action((projectId: string, { json }: { json: boolean }) =>
    json ? reportState(projectId, { json, video: null }, context()) : showProject(projectId, context()),
  );

rangeOptions(
  outputOptions(
    program
      .command('render')
      .description('render a project, a range of it, or one video per row of a file, and save the result')
      .argument('<project>', 'project id'),
  ),
)
  .option(
    '--data <rows>',
    'one video per row of a table (CSV) whose header names parameters, or of JSON: an array of objects, or one per line',
  )
  .option('--name-template <name>', 'file names for --data; fields that start with “_” are used in names only', '{index}')
  .option('--force', 'also render rows whose videos already exist')
  .option('-o, --out <path>', 'output file (default: <project>.<extension>), or folder with --data (default: <project>)')
  .addHelpText('after', renderExamples)
  .action(async (projectId: string, flags: OutputFlags & RangeFlags & { data?: string; nameTemplate: string; force?: true }) => {
    const { data, nameTemplate, force = false, param: given } = flags;
    const out = flags.out ?? null;
    const request = renderRequest(flags);
    if (data === undefined) return await renderWithParameters(projectId, { request, out, given }, context());
    const { renderBatch } = await import('./batch.ts');
    await renderBatch(projectId, { request, data, outFolder: out, nameTemplate, force, given }, context());
  });

cycleCommand(program, context);
sceneCommands(program, context);
appCommands(program, context);
historyCommands(program, context);
scheduleCommands(program, context);
tokenCommands(program, context);
modelCommand(program, context);

program
  .command('cancel')
  .description('cancel a render (rnd_…) or stop a project (prj_…)')
  .argument('<id>', 'render id or project id')
  .action(async (id: string) => {
    await cancel(id, context().client);
    terminal.note(`Cancelled ${id}.`);
  });

program
  .command('backup')
  .description('save all of the running studio’s data to a file (.tar or .tar.gz); - is standard output')
  .argument('<file>', 'output file')
  .option('--without-renders', 'leave out finished videos')
  .action(async (file: string, flags: { withoutRenders?: true }) => {
    const { backup } = await import('./backup.ts');
    await backup(file, { renders: flags.withoutRenders !== true }, context());
  });

program
  .command('restore')
  .description('replace a stopped studio’s data folder with a backup; - is standard input')
  .argument('<file>', 'the backup file')
  .addOption(new Option('--data <folder>', 'the data folder').env('KODA_DATA_DIR').default(defaultDataDir))
  .option('--force', 'replace a folder that is not empty; its content is moved aside', false)
  .action(async (file: string, { data, force }: { data: string; force: boolean }) => {
    const { restore } = await import('./backup.ts');
    if (!(await restore(file, { dataDir: resolve(data), force }, context()))) process.exitCode = 1;
  });

program
  .command('verify')
  .description(
    'check all of the running studio’s data: database, histories, uploads, videos; exits with code 1 if anything is damaged',
  )
  .addOption(new Option('--data <folder>', 'check a stopped studio’s data folder instead'))
  .option('--json', 'print the report as JSON', false)
  .action(async ({ data, json }: { data?: string; json: boolean }) => {
    const { verify } = await import('./verify.ts');
    if (!(await verify({ dataDir: data === undefined ? null : resolve(data), json }, context()))) process.exitCode = 1;
  });

program
  .command('mcp')
  .description('connect an MCP client on standard input and output to the running studio')
  .action(async () => {
    const { bridge } = await import('./mcp.ts');
    await bridge(context());
  });

program
  .command('doctor')
  .description('check that this machine has what Koda needs; each failed check says what to do')
  .action(async () => {
    const { doctor } = await import('./doctor.ts');
    if (!(await doctor(context()))) process.exitCode = 6;
  });

try {
  await program.parseAsync(withMakeApp(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the error. It also throws after printing help or the version.
    process.exitCode = error.exitCode === 0 ? 0 : errorTraits('BAD_REQUEST').exit;
  } else if (interrupt.signal.aborted || (isCancelled(error) && !(error instanceof KodaError))) {
    terminal.note('Cancelled.');
    process.exitCode = 130;
  } else if (error instanceof KodaError) {
    terminal.note(error.message);
    if (process.argv.includes('--json')) terminal.result(JSON.stringify({ error: { code: error.code, message: error.message } }));
    process.exitCode = errorTraits(error.code).exit;
  } else {
    terminal.note(`Koda failed: ${errorMessage(error)}`);
    process.exitCode = 1;
  }
}
