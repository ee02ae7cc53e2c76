#!/usr/bin/env node
import { join, resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { errorMessage, errorTraits, isCancelled, KodaError } from '#contract/errors.ts';
import { aspectSchema, styleSchema } from '#contract/film.ts';
import { backup, restore } from './backup.ts';
import { renderBatch } from './batch.ts';
import { StudioClient } from './client.ts';
import { doctor } from './doctor.ts';
import { historyCommands } from './history-commands.ts';
import { make } from './make.ts';
import { bridge, tokenOf } from './mcp.ts';
import { cancel, listProjects, showProject } from './projects.ts';
import { renderWithParameters } from './render.ts';
import { type OutputFlags, outputOptions, type RangeFlags, rangeOptions, renderRequest } from './render-flags.ts';
import { type CycleOptions, runCycle } from './run-cycle.ts';
import { sceneCommands } from './scene-commands.ts';
import { Terminal } from './terminal.ts';
import { tokenCommands } from './token.ts';
import { verify } from './verify.ts';

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

Examples:
  koda make "A red ball bounces three times, playful, with the title 'Hello'" --yes --out ball.mp4
  koda make "snow falls on a dark blue night, cinematic, vertical" --preset reels
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
  koda render prj_… --data rows.json --name-template '{title}-{index}' --out videos`;

const seconds = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('Expected a number of seconds above 0.');
  return value;
};

/** Default data folder for compose and the npm scripts. */
const defaultDataDir = join(import.meta.dirname, '../../data');

const terminal = new Terminal();
const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
process.once('SIGTERM', () => interrupt.abort());

const program = new Command('koda')
  .description('Turns a sentence into a finished animation, using a running Koda studio.')
  .addOption(new Option('--url <address>', 'studio address').env('KODA_URL').default('http://localhost:3000'))
  .addHelpText('after', exitCodes)
  .showHelpAfterError()
  .exitOverride();
const context = () => ({ client: new StudioClient(program.opts<{ url: string }>().url), terminal, signal: interrupt.signal });

outputOptions(
  program
    .command('make')
    .description('plan, accept, generate, render and save a video from a prompt')
    .argument('<prompt>', 'what you want to see, in a sentence'),
)
  .option('-o, --out <file>', 'output file (default: <project>.<extension>)')
  .option('-y, --yes', 'choose the first answer to the question, and accept the plan and the preview without asking', false)
  .addOption(new Option('--style <style>', 'style, if the prompt does not specify one').choices(styleSchema.options))
  .addOption(new Option('--aspect <ratio>', 'aspect ratio').choices(aspectSchema.options))
  .option('--duration <seconds>', 'film length', seconds)
  .action((prompt: string, flags: OutputFlags & { yes: boolean; style?: string; aspect?: string; duration?: number }) =>
    make(
      {
        prompt,
        yes: flags.yes,
        out: flags.out ?? null,
        style: flags.style ? styleSchema.parse(flags.style) : null,
        aspect: flags.aspect ? aspectSchema.parse(flags.aspect) : null,
        durationSeconds: flags.duration ?? null,
        render: renderRequest(flags),
      },
      context(),
    ),
  );

program
  .command('list')
  .description('list all projects, newest first')
  .option('-s, --search <text>', 'only projects whose name or prompt contains this text')
  .action((flags: { search?: string }) => listProjects(flags.search ?? null, context()));

program
  .command('show')
  .description('show a project’s state, plan, todos and videos')
  .argument('<project>', 'project id')
  .action((projectId: string) => showProject(projectId, context()));

rangeOptions(
  outputOptions(
    program
      .command('render')
      .description('render a project, a range of it, or one video per row of a file, and save the result')
      .argument('<project>', 'project id'),
  ),
)
  .option('--data <rows>', 'one video per row: a JSON array of objects with parameters, or one object per line')
  .option('--name-template <name>', 'file names for --data; fields that start with “_” are used in names only', '{index}')
  .option('--force', 'also render rows whose videos already exist')
  .option('-o, --out <path>', 'output file (default: <project>.<extension>), or folder with --data (default: <project>)')
  .addHelpText('after', renderExamples)
  .action((projectId: string, flags: OutputFlags & RangeFlags & { data?: string; nameTemplate: string; force?: true }) => {
    const { data, nameTemplate, force = false, param: given } = flags;
    const out = flags.out ?? null;
    const request = renderRequest(flags);
    return data === undefined
      ? renderWithParameters(projectId, { request, out, given }, context())
      : renderBatch(projectId, { request, data, outFolder: out, nameTemplate, force, given }, context());
  });

program
  .command('run-cycle')
  .description('implement dev_documents/CYCLE<id>/SPEC.md in src/ of a repository, in a sandbox, and bring the result back')
  .requiredOption('--id <id>', 'cycle id, for example 03')
  .option('--root <folder>', 'the repository’s folder', '.')
  .option('--dry-run', 'print the diff and change nothing', false)
  .option('--keep-sandbox', 'leave the sandbox running', false)
  .option('--branch <name>', 'commit the result on a new branch instead of changing the files')
  .option('--local', 'without a running studio and WITHOUT isolation: everything runs on this machine', false)
  .action((flags: Omit<CycleOptions, 'branch'> & { branch?: string }) =>
    runCycle(
      { ...flags, branch: flags.branch ?? null },
      { url: program.opts<{ url: string }>().url, terminal, signal: interrupt.signal },
    ),
  );

sceneCommands(program, context);
historyCommands(program, context);
tokenCommands(program, context);

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
  .action((file: string, flags: { withoutRenders?: true }) =>
    backup(file, { renders: flags.withoutRenders !== true }, context()),
  );

program
  .command('restore')
  .description('replace a stopped studio’s data folder with a backup; - is standard input')
  .argument('<file>', 'the backup file')
  .addOption(new Option('--data <folder>', 'the data folder').env('KODA_DATA_DIR').default(defaultDataDir))
  .option('--force', 'replace a folder that is not empty; its content is moved aside', false)
  .action(async (file: string, { data, force }: { data: string; force: boolean }) => {
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
    if (!(await verify({ dataDir: data === undefined ? null : resolve(data), json }, context()))) process.exitCode = 1;
  });

program
  .command('mcp')
  .description('connect an MCP client on standard input and output to the running studio')
  .addOption(new Option('--token <token>', 'access token, not needed on the studio’s computer').env('KODA_TOKEN'))
  .action(({ token }: { token?: string }) => bridge(tokenOf(token), context()));

program
  .command('doctor')
  .description('check that this machine has what Koda needs; each failed check says what to do')
  .action(async () => {
    if (!(await doctor(context()))) process.exitCode = 6;
  });

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the error. It also throws after printing help or the version.
    process.exitCode = error.exitCode === 0 ? 0 : errorTraits('BAD_REQUEST').exit;
  } else if (interrupt.signal.aborted || (isCancelled(error) && !(error instanceof KodaError))) {
    terminal.note('Cancelled.');
    process.exitCode = 130;
  } else if (error instanceof KodaError) {
    terminal.note(error.message);
    process.exitCode = errorTraits(error.code).exit;
  } else {
    terminal.note(`Koda failed: ${errorMessage(error)}`);
    process.exitCode = 1;
  }
}
