import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from './client.ts';
import { branch, exportZip, importFile, makeCheckpoint, rewind, showDiff, showHistory } from './history.ts';

const count = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Expected a whole number above 0.');
  return value;
};

/** The commands for a project's history. */
export function historyCommands(program: Command, context: () => CommandContext): void {
  program
    .command('history')
    .description('what was kept of a project, newest first')
    .argument('<project>', 'id of the project')
    .option('-n, --limit <count>', 'at most so many', count, 30)
    .action((projectId: string, { limit }: { limit: number }) => showHistory(projectId, limit, context()));

  program
    .command('checkpoint')
    .description('keep the files of a project as they are now, under a name')
    .argument('<project>', 'id of the project')
    .argument('<name>', 'what to call it')
    .action((projectId: string, name: string) => makeCheckpoint(projectId, name, context()));

  program
    .command('diff')
    .description('what a checkpoint changed, or the lines of one of its files')
    .argument('<project>', 'id of the project')
    .argument('[checkpoint]', 'id of the checkpoint (default: the newest)')
    .argument('[path]', 'only this file, with its lines')
    .option('--against <checkpoint>', 'compare with this one (default: the one before)')
    .action((projectId: string, checkpointId: string | undefined, path: string | undefined, flags: { against?: string }) =>
      showDiff(projectId, { checkpointId: checkpointId ?? null, path: path ?? null, against: flags.against ?? null }, context()),
    );

  program
    .command('rewind')
    .description('bring the files of a checkpoint back; what was there before is kept, so it can be undone')
    .argument('<project>', 'id of the project')
    .argument('<checkpoint>', 'id of the checkpoint')
    .action((projectId: string, checkpointId: string) => rewind(projectId, checkpointId, context()));

  program
    .command('branch')
    .description('make a new project from a checkpoint')
    .argument('<project>', 'id of the project')
    .argument('[checkpoint]', 'id of the checkpoint (default: the files as they are now)')
    .option('--name <name>', 'name of the new project')
    .action((projectId: string, checkpointId: string | undefined, { name }: { name?: string }) =>
      branch(projectId, { checkpointId: checkpointId ?? null, name: name ?? null }, context()),
    );

  program
    .command('export')
    .description('save the files of a project as a zip')
    .argument('<project>', 'id of the project')
    .argument('[file]', 'where to save (default: <project>.zip)')
    .option('--checkpoint <checkpoint>', 'the files of this one (default: the newest)')
    .action((projectId: string, file: string | undefined, { checkpoint }: { checkpoint?: string }) =>
      exportZip(projectId, { file: file ?? null, checkpointId: checkpoint ?? null }, context()),
    );

  program
    .command('import')
    .description('make a new project from a zip or a git bundle')
    .argument('<file>', 'the zip or bundle')
    .action((file: string) => importFile(file, context()));
}
