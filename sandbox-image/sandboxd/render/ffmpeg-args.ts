import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import type { ImageFormat } from '../browser/stage.ts';
import type { ColourFilter, FfmpegInput, FfmpegPlan } from './encode.ts';
import { type FrameRate, formatTraits, gopFrames, pictureFormat } from './formats.ts';
import { type HeardPart, planMix, type Sound } from './sounds.ts';

export type EncodeSettings = Pick<RenderJob, 'fps' | 'format' | 'crf' | 'speed' | 'transparent'>;

/**
 * The number of encoder threads is part of the picture (x264 decides a little differently with each), so
 * it is a constant and not the machine's. Three cost no more processor time than one; four were measured to
 * cost 8 % more. Capturing is what takes the time, not this.
 */
const encoderThreads = 3;

const carefully = 'flags=accurate_rnd+full_chroma_int+bitexact';

/** JPEG is full-range BT.601 by its standard (JFIF). */
const jpegToBt709: Record<ColourFilter, string> = {
  zscale: 'zscale=matrixin=470bg:rangein=full:matrix=709:range=limited',
  scale: `scale=in_color_matrix=bt601:in_range=pc:out_color_matrix=bt709:out_range=tv:${carefully}`,
};

/** Always swscale: zscale makes 1020 of 1023 out of a full alpha of eight bits, which is not opaque any more. */
const pngToBt709 = `scale=in_range=pc:out_color_matrix=bt709:out_range=tv:${carefully}`;

/** How the encoder holds a pixel: ProRes 4444 with full colours and ten bits, the others with halved colours. */
export function pixelFormat({ format, transparent }: Pick<RenderJob, 'format' | 'transparent'>): string {
  if (format === 'mov') return transparent ? 'yuva444p10le' : 'yuv444p10le';
  return transparent ? 'yuva420p' : 'yuv420p';
}

/** Turns captured pictures into what the encoder gets: video players expect limited-range BT.709, with tags that say so. */
export function toEncoderPixels(
  settings: Pick<EncodeSettings, 'format' | 'transparent'>,
  source: { readonly picture: ImageFormat; readonly filter: ColourFilter },
): string {
  const convert = source.picture === 'jpeg' ? jpegToBt709[source.filter] : pngToBt709;
  const tags = 'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709';
  return `${convert},format=${pixelFormat(settings)},${tags}`;
}

/** What the file says of its colours. */
export const colourTags = ['-color_range', 'tv', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'];

/** Nothing in the file but the film, and the titles of its chapters: two runs give the same bytes. */
export const reproducible = [
  ...['-map_metadata:g', '-1', '-map_metadata:s', '-1'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
];

function h264(settings: EncodeSettings): string[] {
  const gop = String(gopFrames(settings.fps));
  return [
    ...['-c:v', 'libx264', '-preset', settings.speed, '-crf', String(settings.crf)],
    // Keyframes stand at fixed places, so that ranges join anywhere between GOPs.
    ...['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-flags', '+cgop'],
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
    ...['-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', String(settings.crf)],
    ...['-deadline', deadline, '-cpu-used', cpuUsed, '-row-mt', '1', '-tile-columns', '2'],
    ...['-g', gop, '-keyint_min', gop],
    // A frame that is never shown has no alpha to go with it, and libvpx refuses the two together.
    ...(settings.transparent ? ['-auto-alt-ref', '0'] : []),
  ];
}

/** Profile 4444 holds alpha and full colours; every frame stands for itself, and its quality is that of the profile. */
function prores(settings: EncodeSettings): string[] {
  return [
    ...['-c:v', 'prores_ks', '-profile:v', '4444', '-vendor', 'apl0'],
    ...['-alpha_bits', settings.transparent ? '16' : '0'],
  ];
}

function codec(settings: EncodeSettings): string[] {
  if (settings.format === 'mp4') return h264(settings);
  if (settings.format === 'webm') return vp9(settings);
  if (settings.format === 'mov') return prores(settings);
  throw new Error(`${settings.format} is no video.`);
}

/** A container's own mark that the second stream of VP9 is an alpha channel. */
export function alphaMark({ format, transparent }: Pick<RenderJob, 'format' | 'transparent'>): string[] {
  return format === 'webm' && transparent ? ['-metadata:s:v:0', 'alpha_mode=1'] : [];
}

/** The part of FFmpeg's file names that says what a range is kept in until it is joined with the others. */
export function segmentExtension(format: RenderJob['format']): 'webm' | 'nut' {
  // NUT keeps every timestamp exact, where Matroska rounds to a millisecond; but it drops alpha and colour tags of
  // VP9. What ends as WebM is rounded anyway, and ranges begin at whole seconds, so it is rounded only once.
  return format === 'webm' ? 'webm' : 'nut';
}

/** Progress as `key=value` lines on standard error, five times a second, instead of padded text. */
const progressOptions = ['-nostats', '-stats_period', '0.2', '-progress', 'pipe:2'];

export function rateText({ numerator, denominator }: FrameRate): string {
  return denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;
}

const decoders: Record<ImageFormat, string> = { jpeg: 'mjpeg', png: 'png' };

/**
 * Captured pictures one after another, from standard input or a file. Everything about them is given, so
 * FFmpeg need not hold back megabytes of pictures to find it out.
 */
export function pictureInput(
  picture: ImageFormat,
  options: { readonly rate: FrameRate; readonly path: string | null },
): FfmpegInput {
  return {
    options: [
      ...['-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0'],
      ...['-f', 'image2pipe', '-c:v', decoders[picture], '-framerate', rateText(options.rate)],
    ],
    path: options.path,
  };
}

/** Pictures on standard input into one file that holds a range of the video. */
export function planEncode(
  settings: EncodeSettings,
  options: { readonly filter: ColourFilter; readonly output: string; readonly live?: boolean },
): FfmpegPlan {
  const picture = pictureFormat(settings);
  return {
    inputs: [pictureInput(picture, { rate: { numerator: settings.fps, denominator: 1 }, path: null })],
    outputOptions: [
      ...progressOptions,
      '-an',
      ...['-vf', toEncoderPixels(settings, { picture, filter: options.filter }), '-pix_fmt', pixelFormat(settings)],
      ...colourTags,
      ...codec(settings),
      ...['-threads', String(encoderThreads)],
      ...reproducible,
      ...alphaMark(settings),
      ...(options.live ? liveContainer : ['-f', segmentExtension(settings.format)]),
    ],
    output: options.output,
  };
}

/** MP4 in fragments of a third of a second, without an index, written as they are complete; no frame is held back for others. */
const liveContainer = [
  ...['-tune', 'zerolatency', '-flush_packets', '1', '-f', 'mp4'],
  ...['-movflags', '+empty_moov+default_base_moof', '-frag_duration', '333333'],
];

/**
 * A captured picture made small, as JPEG; the longer side gets `maxSidePixels` at most. What is transparent
 * becomes grey: on it, white shows as well as black.
 */
export function planThumbnail(options: {
  readonly frame: string;
  readonly picture: ImageFormat;
  readonly output: string;
  readonly maxSidePixels: number;
}): FfmpegPlan {
  const side = options.maxSidePixels;
  const small = `scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease`;
  const flat = 'format=rgba,split[above][below];[below]lutrgb=r=128:g=128:b=128:a=255[grey];[grey][above]overlay=format=rgb';
  return {
    inputs: [{ options: ['-f', 'image2', '-c:v', decoders[options.picture]], path: options.frame }],
    outputOptions: [
      ...['-vf', options.picture === 'jpeg' ? small : `${small},${flat}`],
      ...['-frames:v', '1', '-q:v', '3', '-fflags', '+bitexact', '-f', 'image2', '-update', '1'],
    ],
    output: options.output,
  };
}

export interface Segment {
  readonly path: string;
  readonly frames: number;
}

/**
 * The content of the list file that FFmpeg's concat demuxer reads. Each length is given, since a file knows
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
      // Set again: NUT has no place for the tags, and a ProRes stream is not looked into by every FFmpeg.
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
