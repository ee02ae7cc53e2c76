import { type Command, Option } from 'commander';
import type { CommandContext } from '../../../cli/client.ts';
import type { CycleOptions } from './run-cycle.ts';

export function cycleCommand(program: Command, context: () => CommandContext): void {
  program
    .command('run-cycle')
    .description('implement dev_documents/CYCLE<id>/SPEC.md in src/ of a repository, in a sandbox, and bring the result back')
    .requiredOption('--id <id>', 'cycle id, for example 03')
    .option('--root <folder>', 'the repository’s folder', '.')
    .option('--dry-run', 'print the diff and change nothing', false)
    .option('--keep-sandbox', 'leave the sandbox running', false)
    .option('--branch <name>', 'commit the result on a new branch instead of changing the files')
    .option('--local', 'without a running studio and WITHOUT isolation: everything runs on this machine', false)
    .addOption(
      new Option('--include <file>', 'send a file that git ignores or that looks like a secret; repeatable')
        .default([])
        .argParser((path: string, others: readonly string[]) => [...others, path]),
    )
    .option('--verbose', 'list the files that are sent', false)
    .action(async (flags: Omit<CycleOptions, 'branch'> & { branch?: string }) => {
      // Imported here, so that other commands start quickly.
      const { runCycle } = await import('./run-cycle.ts');
      await runCycle({ ...flags, branch: flags.branch ?? null }, context());
    });
}
