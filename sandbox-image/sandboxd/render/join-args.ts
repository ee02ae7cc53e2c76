import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import { alphaMark, colourTags, type FfmpegPlan, reproducible } from './ffmpeg-args.ts';
import { formatTraits } from './formats.ts';
import { type HeardPart, planMix, type Sound } from './sounds.ts';

export interface Segment {
  readonly path: string;
  readonly frames: number;
}

/**
 * The content of the list file that FFmpeg's concat demuxer reads. Each length is told, since a file knows
 * when its last frame begins but not when it ends.
 */
export function concatList(segments: readonly Segment[], fps: number): string {
  return segments
    .map(({ path, frames }) => `file '${path.replaceAll("'", "'\\''")}'\nduration ${(frames / fps).toFixed(6)}\n`)
    .join('');
}

/** The index at the front lets players start before they have the whole file. */
function container(format: RenderJob['format']): string[] {
  if (format === 'webm') return ['-f', 'webm'];
  return ['-movflags', '+faststart', '-f', format];
}

const soundCodecs = {
  aac: ['-c:a', 'aac', '-b:a', '192k'],
  opus: ['-c:a', 'libopus', '-b:a', '160k'],
  // Beside ProRes, which is for cutting, sound stays as it is.
  pcm: ['-c:a', 'pcm_s24le'],
} as const;

export interface JoinOptions {
  /** Path of the list of ranges (`concatList`). */
  readonly list: string;
  /** Path of the chapters (`chapterFile`); null = none. */
  readonly chapters: string | null;
  readonly sounds: readonly Sound[];
  readonly part: HeardPart;
  readonly output: string;
}

/** Ranges joined into the film without encoding the picture again, with its sound and its chapters. */
export function planJoin(job: Pick<RenderJob, 'format' | 'transparent'>, options: JoinOptions): FfmpegPlan {
  const { sound } = formatTraits[job.format];
  const before = [
    { options: ['-f', 'concat', '-safe', '0'], path: options.list },
    ...(options.chapters === null ? [] : [{ options: ['-f', 'ffmetadata'], path: options.chapters }]),
  ];
  const mix = sound === null ? null : planMix(options.sounds, options.part, before.length);
  return {
    inputs: [...before, ...(mix?.inputs ?? [])],
    outputOptions: [
      // Told again: NUT has no place for the tags, and a ProRes stream is not looked into by every FFmpeg.
      ...['-map', '0:v:0', '-c:v', 'copy', ...colourTags],
      ...(mix && sound ? ['-filter_complex', mix.graph, '-map', '[sound]', ...soundCodecs[sound]] : []),
      ...['-map_chapters', options.chapters === null ? '-1' : '1'],
      ...reproducible,
      ...alphaMark(job),
      ...container(job.format),
    ],
    output: options.output,
  };
}
