import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import { gopFrames } from './ranges.ts';

/** Arguments for one run of FFmpeg: what stands before `-i`, what it reads, what stands before the output, the output. */
export interface FfmpegPlan {
  readonly inputOptions: readonly string[];
  /** A path, or null when frames come on standard input. */
  readonly input: string | null;
  readonly outputOptions: readonly string[];
  readonly output: string;
}

export type EncodeSettings = Pick<RenderJob, 'fps' | 'format' | 'crf' | 'speed'>;

/** Which filter changes the colours; zscale is as exact as swscale at its most careful, and ten times as fast. */
export type ColourFilter = 'zscale' | 'scale';

/**
 * The number of encoder threads is part of the picture (x264 decides a little differently with each), so
 * it is a constant and not the machine's. Capturing is what takes the time, not this.
 */
const encoderThreads = 4;

const toBt709: Record<ColourFilter, string> = {
  zscale: 'zscale=matrixin=470bg:rangein=full:matrix=709:range=limited',
  scale:
    'scale=in_color_matrix=bt601:in_range=pc:out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int+bitexact',
};

/** JPEG is full-range BT.601 by its standard (JFIF); video players expect limited-range BT.709, and to be told so. */
function colourOptions(filter: ColourFilter): string[] {
  const tags = 'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709';
  return [
    ...['-vf', `${toBt709[filter]},format=yuv420p,${tags}`],
    ...['-color_range', 'tv', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'],
  ];
}

/** Nothing in the file but the film: two runs give the same bytes. */
const reproducible = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact'];

function h264(settings: EncodeSettings): string[] {
  const gop = String(gopFrames(settings.fps));
  return [
    ...['-c:v', 'libx264', '-preset', settings.speed, '-crf', String(settings.crf), '-pix_fmt', 'yuv420p'],
    // Keyframes stand at fixed places, so that ranges join anywhere between GOPs.
    ...['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-flags', '+cgop'],
    ...['-threads', String(encoderThreads)],
  ];
}

/** libvpx has no presets: `cpu-used` is its scale of speed against size. */
const vp9Speed: Record<EncodeSettings['speed'], { deadline: string; cpuUsed: string }> = {
  ultrafast: { deadline: 'realtime', cpuUsed: '8' },
  veryfast: { deadline: 'good', cpuUsed: '4' },
  medium: { deadline: 'good', cpuUsed: '2' },
};

function vp9(settings: EncodeSettings): string[] {
  const { deadline, cpuUsed } = vp9Speed[settings.speed];
  const gop = String(gopFrames(settings.fps));
  return [
    // `-b:v 0` makes `-crf` the only measure of quality.
    ...['-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', String(settings.crf), '-pix_fmt', 'yuv420p'],
    ...['-deadline', deadline, '-cpu-used', cpuUsed, '-row-mt', '1', '-tile-columns', '2'],
    ...['-g', gop, '-keyint_min', gop],
    ...['-threads', String(encoderThreads)],
  ];
}

/** The index at the front lets players start before they have the whole file. */
function containerOptions(format: RenderJob['format']): string[] {
  return format === 'mp4' ? ['-movflags', '+faststart', '-f', 'mp4'] : ['-f', 'webm'];
}

/** Progress as `key=value` lines on standard error, five times a second, instead of padded text. */
const progressOptions = ['-nostats', '-stats_period', '0.2', '-progress', 'pipe:2'];

/**
 * JPEG frames on standard input into one video file. `final` says whether `output` is the film itself or
 * a range to be joined, which goes into NUT: Matroska would round every timestamp to a millisecond.
 */
export function planEncode(
  settings: EncodeSettings,
  options: { readonly filter: ColourFilter; readonly output: string; readonly final: boolean },
): FfmpegPlan {
  return {
    // Everything about the input is told, so FFmpeg need not hold back megabytes of frames to find it out.
    inputOptions: [
      ...['-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0'],
      ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-framerate', String(settings.fps)],
    ],
    input: null,
    outputOptions: [
      ...progressOptions,
      '-an',
      ...colourOptions(options.filter),
      ...(settings.format === 'mp4' ? h264(settings) : vp9(settings)),
      ...reproducible,
      ...(options.final ? containerOptions(settings.format) : ['-f', 'nut']),
    ],
    output: options.output,
  };
}

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

/** Ranges joined into the film, without encoding anything again. */
export function planConcat(format: RenderJob['format'], options: { readonly list: string; readonly output: string }): FfmpegPlan {
  return {
    inputOptions: ['-f', 'concat', '-safe', '0'],
    input: options.list,
    outputOptions: ['-c', 'copy', ...reproducible, ...containerOptions(format)],
    output: options.output,
  };
}

/** A captured frame made small; the longer side gets `maxSidePixels` at most. */
export function planThumbnail(options: {
  readonly frame: string;
  readonly output: string;
  readonly maxSidePixels: number;
}): FfmpegPlan {
  const side = options.maxSidePixels;
  return {
    inputOptions: ['-f', 'image2', '-c:v', 'mjpeg'],
    input: options.frame,
    outputOptions: [
      ...['-vf', `scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease`],
      ...['-frames:v', '1', '-q:v', '3', '-fflags', '+bitexact', '-f', 'image2', '-update', '1'],
    ],
    output: options.output,
  };
}
