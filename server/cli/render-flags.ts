import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { KodaError } from '#contract/errors.ts';
import {
  fileSizeSchema,
  presetSchema,
  type RenderFormat,
  type RenderRequest,
  renderFiles,
  renderFormatSchema,
  renderRateSchema,
  renderRequestSchema,
  resolutionSchema,
} from '#contract/render.ts';

export interface OutputFlags {
  readonly resolution?: string;
  readonly fps?: string;
  readonly format?: string;
  readonly preset?: string;
  readonly crf?: number;
  readonly size?: string;
  readonly out?: string;
}

export interface RangeFlags {
  readonly transparent?: true;
  readonly scene?: string;
  readonly from?: number;
  readonly to?: number;
  readonly frames?: { readonly fromFrame: number; readonly toFrame: number };
  readonly at?: number;
  readonly verify?: true;
  readonly param: readonly (readonly [name: string, text: string])[];
}

/** Parses a number of seconds, 0 or more. */
export function secondsOption(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('Expected a number of seconds.');
  return value;
}

/** Parses `30-90` or `30`, both ends inclusive, into the API's half-open range. */
export function framesOption(text: string): { fromFrame: number; toFrame: number } {
  const [, first, last] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  const range = { fromFrame: Number(first), toFrame: Number(last ?? first) + 1 };
  if (first === undefined || range.toFrame <= range.fromFrame) throw new InvalidArgumentError('Expected frames such as 30-90.');
  return range;
}

function crfOption(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 0 to 63.');
  return Number(text);
}

function paramOption(text: string, before: RangeFlags['param'] = []): RangeFlags['param'] {
  const cut = text.indexOf('=');
  if (cut < 1) throw new InvalidArgumentError('Expected name=value.');
  return [...before, [text.slice(0, cut), text.slice(cut + 1)]];
}

export function outputOptions(command: Command): Command {
  return command
    .addOption(new Option('--resolution <size>', 'frame size (default: 1080p; GIF: 720p)').choices(resolutionSchema.options))
    .addOption(
      new Option('--fps <n>', 'frames per second (default: the film’s; GIF: 25)').choices(
        [...renderRateSchema.values].map(String),
      ),
    )
    .addOption(
      new Option(
        '--format <format>',
        'mov is ProRes 4444, png-sequence a zip, png and jpeg a single image (default: by the extension of --out, or mp4)',
      ).choices(renderFormatSchema.options),
    )
    .addOption(
      new Option('--preset <platform>', 'a platform’s shape, size, frame rate and length limit').choices(presetSchema.options),
    )
    .addOption(
      new Option('--crf <n>', 'quality, lower is better: mp4 0-51 (default 18), webm 0-63 (default 24)').argParser(crfOption),
    )
    .addOption(
      new Option('--size <size>', 'small takes longer to encode for fewer bytes in most films (mp4, webm)').choices(
        fileSizeSchema.options,
      ),
    );
}

export function rangeOptions(command: Command): Command {
  return command
    .option('--transparent', 'omit the background: webm, mov, gif, png-sequence, png')
    .option('--scene <scene>', 'only this scene: its number or id')
    .addOption(new Option('--from <seconds>', 'start of the range').argParser(secondsOption))
    .addOption(new Option('--to <seconds>', 'end of the range').argParser(secondsOption))
    .addOption(new Option('--frames <a-b>', 'only these frames, counted from 0, both included').argParser(framesOption))
    .addOption(new Option('--at <seconds>', 'a single image at this time (png, unless --format jpeg)').argParser(secondsOption))
    .addOption(
      new Option('--param <name=value>', 'set a film parameter; repeatable')
        .argParser(paramOption)
        .default([], 'the film’s own values'),
    )
    .option('--verify', 'capture some frames again as plain screenshots, and report how close the video is');
}

/**
 * Builds the render request from the options, without parameters, whose types only the film declares. Throws
 * VALIDATION_ERROR.
 */
export function renderRequest(flags: OutputFlags & Partial<RangeFlags>): RenderRequest {
  const { resolution, fps, preset, crf, size, transparent, at, verify } = flags;
  const format = flags.format ?? formatOf(flags.out) ?? (at === undefined ? undefined : 'png');
  return renderRequestSchema.parse({
    kind: 'final',
    ...{ resolution, format, preset, crf, fileSize: size, transparent, verify, atSeconds: at, range: rangeOf(flags) },
    ...(fps === undefined ? {} : { fps: Number(fps) }),
  });
}

function rangeOf({ scene, from, to, frames }: Partial<RangeFlags>): RenderRequest['range'] {
  const inSeconds = from !== undefined || to !== undefined;
  if ([scene !== undefined, inSeconds, frames !== undefined].filter(Boolean).length > 1)
    throw new KodaError('VALIDATION_ERROR', 'Several ranges were given. Use only one of --scene, --from with --to, or --frames.');
  if (scene !== undefined) return { scene: /^\d+$/.test(scene) ? `scene-${scene}` : scene };
  if (inSeconds) return { fromSeconds: from ?? 0, ...(to === undefined ? {} : { toSeconds: to }) };
  return frames;
}

/** Returns the format for a file name's extension, or `undefined` if it is unknown. */
function formatOf(out: string | undefined): RenderFormat | undefined {
  const ending = extname(out ?? '').toLowerCase();
  if (ending === '.jpeg') return 'jpeg';
  return renderFormatSchema.options.find((format) => extname(renderFiles[format].name) === ending);
}
