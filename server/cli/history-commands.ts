import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from './client.ts';
import { branch, exportZip, importFile, makeCheckpoint, rewind, showDiff, showHistory } from './history.ts';

const positiveInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Expected a whole number above 0.');
  return value;
};

export function historyCommands(program: Command, context: () => CommandContext): void {
  program
    .command('history')
    .description('list a project’s checkpoints, newest first')
    .argument('<project>', 'project id')
    .option('-n, --limit <count>', 'maximum number of checkpoints', positiveInteger, 30)
    .action((projectId: string, { limit }: { limit: number }) => showHistory(projectId, limit, context()));

  program
    .command('checkpoint')
    .description('save a project’s current files as a named checkpoint')
    .argument('<project>', 'project id')
    .argument('<name>', 'checkpoint name')
    .action((projectId: string, name: string) => makeCheckpoint(projectId, name, context()));

  program
    .command('diff')
    .description('show the files that a checkpoint changed, or the changed lines of one file')
    .argument('<project>', 'project id')
    .argument('[checkpoint]', 'checkpoint id (default: the newest)')
    .argument('[path]', 'show the changed lines of this file')
    .option('--against <checkpoint>', 'compare with this checkpoint (default: the previous one)')
    .action((projectId: string, checkpointId: string | undefined, path: string | undefined, flags: { against?: string }) =>
      showDiff(projectId, { checkpointId: checkpointId ?? null, path: path ?? null, against: flags.against ?? null }, context()),
    );

  program
    .command('rewind')
    .description('restore a checkpoint’s files; the current files are saved first, so that you can undo it')
    .argument('<project>', 'project id')
    .argument('<checkpoint>', 'checkpoint id')
    .action((projectId: string, checkpointId: string) => rewind(projectId, checkpointId, context()));

  program
    .command('branch')
    .description('create a project from a checkpoint')
    .argument('<project>', 'project id')
    .argument('[checkpoint]', 'checkpoint id (default: the current files)')
    .option('--name <name>', 'name of the new project')
    .action((projectId: string, checkpointId: string | undefined, { name }: { name?: string }) =>
      branch(projectId, { checkpointId: checkpointId ?? null, name: name ?? null }, context()),
    );

  program
    .command('export')
    .description('save a project’s files as a zip')
    .argument('<project>', 'project id')
    .argument('[file]', 'output file (default: <project>.zip)')
    .option('--checkpoint <checkpoint>', 'checkpoint id (default: the newest)')
    .action((projectId: string, file: string | undefined, { checkpoint }: { checkpoint?: string }) =>
      exportZip(projectId, { file: file ?? null, checkpointId: checkpoint ?? null }, context()),
    );

  program
    .command('import')
    .description('create a project from a zip or a git bundle')
    .argument('<file>', 'the zip or bundle')
    .action((file: string) => importFile(file, context()));
}
