import { type Command, InvalidArgumentError, Option } from 'commander';
import { aspectSchema } from '#contract/render.ts';
import { styleSchema } from '#kinds/film/contract/film.ts';
import type { CommandContext } from '../../../cli/client.ts';
import { type OutputFlags, outputOptions, renderRequest } from '../../../cli/render-flags.ts';
import { make } from './make.ts';

const seconds = (text: string): number => {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('Expected a number of seconds above 0.');
  return value;
};

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

interface MakeFlags extends OutputFlags {
  readonly yes: boolean;
  readonly final: boolean;
  readonly json: boolean;
  readonly style?: string;
  readonly aspect?: string;
  readonly duration?: number;
  readonly show: string[];
  readonly leaveOut: string[];
  readonly follow: string[];
  readonly as: string[];
}

export function makeCommand(program: Command, context: () => CommandContext): void {
  outputOptions(
    program
      .command('make')
      .description('plan, accept, generate, render and save a video from a prompt')
      .argument('<prompt>', 'what you want to see, in a sentence'),
  )
    .option('-o, --out <file>', 'output file (default: <project>.<extension>)')
    .option('-y, --yes', 'choose the first answer to the question, and accept the plan and the preview without asking', false)
    .option('--no-final', 'end with the accepted preview, without a video')
    .option('--json', 'print the finished project as JSON, with the path of its video', false)
    .addOption(new Option('--style <style>', 'style, if the prompt does not specify one').choices(styleSchema.options))
    .addOption(new Option('--aspect <ratio>', 'aspect ratio').choices(aspectSchema.options))
    .option('--duration <seconds>', 'film length', seconds)
    .option('--show <words>', 'show these words of the prompt (repeatable)', collect, [])
    .option('--leave-out <words>', 'leave out these words of the prompt (repeatable)', collect, [])
    .option('--follow <words>', 'follow these words as an instruction and do not show them (repeatable)', collect, [])
    .option('--as <use=words>', 'use words of the prompt as title, subtitle, author … (repeatable)', collect, [])
    .action((prompt: string, flags: MakeFlags) =>
      make(
        {
          prompt: prompt.trim(),
          words: { show: flags.show, leaveOut: flags.leaveOut, follow: flags.follow, as: flags.as },
          yes: flags.yes,
          final: flags.final,
          json: flags.json,
          out: flags.out ?? null,
          style: flags.style ? styleSchema.parse(flags.style) : null,
          aspect: flags.aspect ? aspectSchema.parse(flags.aspect) : null,
          durationSeconds: flags.duration ?? null,
          render: renderRequest(flags),
        },
        context(),
      ),
    );
}
