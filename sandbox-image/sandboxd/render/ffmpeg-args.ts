import type { RenderJob } from '#contract/sandbox/answers.ts';
import type { Size } from '../browser/chromium.ts';
import type { ImageFormat } from '../browser/stage.ts';
import { type AudibleRange, type AudioInput, planMix } from './audio-mix.ts';
import type { ColourFilter, FfmpegInput, FfmpegPlan } from './encode.ts';
import { type FrameFormat, type FrameRate, formatTraits, gopFrames } from './formats.ts';

export type EncodeSettings = Pick<RenderJob, 'fps' | 'format' | 'crf' | 'speed' | 'transparent' | 'width' | 'height'>;

/** Constant, because x264's output depends on it. Four threads measured 8 % more CPU time than three. */
const encoderThreads = 3;

const carefully = 'flags=accurate_rnd+full_chroma_int+bitexact';

/** JFIF defines JPEG as full-range BT.601. */
const jpegToBt709: Record<ColourFilter, string> = {
  zscale: 'zscale=matrixin=470bg:rangein=full:matrix=709:range=limited',
  scale: `scale=in_color_matrix=bt601:in_range=pc:out_color_matrix=bt709:out_range=tv:${carefully}`,
};

const bt709ToJpeg = 'in_color_matrix=bt709:in_range=tv:out_color_matrix=bt601:out_range=pc';

/** Uses swscale, because zscale converts an opaque 8-bit alpha to 1020 of 1023. */
const pngToBt709 = `scale=in_range=pc:out_color_matrix=bt709:out_range=tv:${carefully}`;

/** Returns the encoder's pixel format: 10 bits without subsampling for ProRes 4444, else 4:2:0. */
export function pixelFormat({ format, transparent }: Pick<RenderJob, 'format' | 'transparent'>): string {
  if (format === 'mov') return transparent ? 'yuva444p10le' : 'yuv444p10le';
  return transparent ? 'yuva420p' : 'yuv420p';
}

/** Returns the filter from captured images to the encoder's input: limited-range BT.709 with tags, as video players expect. */
export function toEncoderPixels(
  settings: Pick<EncodeSettings, 'format' | 'transparent'>,
  source: { readonly frameFormat: FrameFormat; readonly filter: ColourFilter },
): string {
  const tags = 'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709';
  if (source.frameFormat === 'i420') return tags;
  const convert = source.frameFormat === 'jpeg' ? jpegToBt709[source.filter] : pngToBt709;
  return `${convert},format=${pixelFormat(settings)},${tags}`;
}

export const colourTags = ['-color_range', 'tv', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'];

/** Strips metadata except chapter titles, so that two runs produce identical bytes. */
export const reproducible = [
  ...['-map_metadata:g', '-1', '-map_metadata:s', '-1'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
];

/**
 * Returns x264's options for a quality and a speed. `fast` is the preset `veryfast` with less analysis and a little more quality
 * to make up for it: less CPU time, while no film's SSIM is lower. `medium` looks ahead less than its preset, which gives films
 * of formats a higher quality than asked for, in larger files. `npm run bench -- encoder` has the figures.
 */
export function x264Options({ speed, crf }: Pick<EncodeSettings, 'speed' | 'crf'>): string[] {
  if (speed === 'ultrafast') return ['-preset', speed, '-crf', String(crf)];
  if (speed === 'medium') return ['-preset', speed, '-crf', String(crf), '-x264-params', 'rc-lookahead=10'];
  const analysis = 'subme=2:me=dia:b-adapt=0:rc-lookahead=8:partitions=p8x8,i4x4,i8x8';
  return ['-preset', 'veryfast', '-crf', Math.max(0, crf - 0.8).toFixed(1), '-bf', '1', '-x264-params', analysis];
}

function h264(settings: EncodeSettings): string[] {
  const gop = String(gopFrames(settings.fps));
  return [
    ...['-c:v', 'libx264', ...x264Options(settings)],
    // Fixed keyframes, so that segments can be joined at every GOP.
    ...['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-flags', '+cgop'],
  ];
}

/** `cpu-used` is libvpx's trade-off between quality and speed. */
const vp9Speed: Record<EncodeSettings['speed'], { deadline: string; cpuUsed: string }> = {
  ultrafast: { deadline: 'realtime', cpuUsed: '8' },
  fast: { deadline: 'good', cpuUsed: '4' },
  medium: { deadline: 'good', cpuUsed: '2' },
};

function vp9(settings: EncodeSettings): string[] {
  const { deadline, cpuUsed } = vp9Speed[settings.speed];
  const gop = String(gopFrames(settings.fps));
  return [
    // `-b:v 0` makes `-crf` the only quality target.
    ...['-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', String(settings.crf)],
    ...['-deadline', deadline, '-cpu-used', cpuUsed, '-row-mt', '1', '-tile-columns', '2'],
    ...['-g', gop, '-keyint_min', gop],
    // libvpx does not support alternate reference frames with alpha.
    ...(settings.transparent ? ['-auto-alt-ref', '0'] : []),
  ];
}

/** Profile 4444 supports alpha and full chroma. All frames are intra-coded, and the profile sets the quality. */
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
  throw new Error(`${settings.format} is not a video format.`);
}

/** Returns the WebM tag that declares VP9's second stream as alpha. */
export function alphaTag({ format, transparent }: Pick<RenderJob, 'format' | 'transparent'>): string[] {
  return format === 'webm' && transparent ? ['-metadata:s:v:0', 'alpha_mode=1'] : [];
}

/** Returns the file extension of an intermediate segment. */
export function segmentExtension(format: RenderJob['format']): 'webm' | 'nut' {
  // NUT keeps exact timestamps, but drops VP9's alpha and colour tags. WebM rounds to milliseconds in any case; segments
  // start at whole seconds, so rounding occurs only once.
  return format === 'webm' ? 'webm' : 'nut';
}

/** Reports progress as `key=value` lines on stderr, five times per second. */
const progressOptions = ['-nostats', '-stats_period', '0.2', '-progress', 'pipe:2'];

export function rateText({ numerator, denominator }: FrameRate): string {
  return denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;
}

const decoders: Record<ImageFormat, string> = { jpeg: 'mjpeg', png: 'png' };

export interface FrameInput {
  readonly rate: FrameRate;
  /** A file with one or more frames, or `null` for stdin. */
  readonly path: string | null;
}

/** Describes a stream of images completely, so that FFmpeg does not buffer megabytes to detect its format. */
export function imageInput(imageFormat: ImageFormat, { rate, path }: FrameInput): FfmpegInput {
  return {
    options: [
      ...['-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0'],
      ...['-f', 'image2pipe', '-c:v', decoders[imageFormat], '-framerate', rateText(rate)],
    ],
    path,
  };
}

/** A stream of captured frames. I420 has no header, so FFmpeg must be told their size. */
export interface FrameStream extends Size {
  readonly frameFormat: FrameFormat;
}

export function frameInput({ frameFormat, width, height }: FrameStream, { rate, path }: FrameInput): FfmpegInput {
  if (frameFormat !== 'i420') return imageInput(frameFormat, { rate, path });
  const pixels = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${width}x${height}`];
  return { options: [...pixels, '-framerate', rateText(rate)], path };
}

export interface EncodeOptions {
  readonly frameFormat: FrameFormat;
  readonly filter: ColourFilter;
  readonly output: string;
  readonly live?: boolean;
}

/** Plans the encoding of frames from stdin into one segment. */
export function planEncode(settings: EncodeSettings, options: EncodeOptions): FfmpegPlan {
  const { frameFormat, filter } = options;
  const { fps, width, height } = settings;
  return {
    inputs: [frameInput({ frameFormat, width, height }, { rate: { numerator: fps, denominator: 1 }, path: null })],
    outputOptions: [
      ...progressOptions,
      '-an',
      ...['-vf', toEncoderPixels(settings, { frameFormat, filter }), '-pix_fmt', pixelFormat(settings)],
      ...colourTags,
      ...codec(settings),
      ...['-threads', String(encoderThreads)],
      ...reproducible,
      ...alphaTag(settings),
      ...(options.live ? liveContainer : ['-f', segmentExtension(settings.format)]),
    ],
    output: options.output,
  };
}

/** MP4 fragments of a third of a second without an index, flushed at once and without reordering. */
const liveContainer = [
  ...['-tune', 'zerolatency', '-flush_packets', '1', '-f', 'mp4'],
  ...['-movflags', '+empty_moov+default_base_moof', '-frag_duration', '333333'],
];

/** Plans a JPEG thumbnail whose longer side is at most `maxSidePixels`. Transparency becomes grey. */
export function planThumbnail(options: {
  readonly frame: string;
  readonly stream: FrameStream;
  readonly output: string;
  readonly maxSidePixels: number;
}): FfmpegPlan {
  const { maxSidePixels: side, stream } = options;
  const fit = `scale='min(${side},iw)':'min(${side},ih)':force_original_aspect_ratio=decrease`;
  const small = stream.frameFormat === 'i420' ? `${fit}:${bt709ToJpeg},format=yuvj420p` : fit;
  const flat = 'format=rgba,split[above][below];[below]lutrgb=r=128:g=128:b=128:a=255[grey];[grey][above]overlay=format=rgb';
  return {
    inputs: [frameInput(stream, { rate: { numerator: 1, denominator: 1 }, path: options.frame })],
    outputOptions: [
      ...['-vf', stream.frameFormat === 'png' ? `${small},${flat}` : small],
      ...['-frames:v', '1', '-q:v', '3', '-fflags', '+bitexact', '-f', 'image2', '-update', '1'],
    ],
    output: options.output,
  };
}

export interface Segment {
  readonly path: string;
  readonly frames: number;
}

/** Returns FFmpeg's concat list, with durations, because a segment does not record the end of its last frame. */
export function concatList(segments: readonly Segment[], fps: number): string {
  return segments
    .map(({ path, frames }) => `file '${path.replaceAll("'", "'\\''")}'\nduration ${(frames / fps).toFixed(6)}\n`)
    .join('');
}

const soundCodecs = {
  aac: ['-c:a', 'aac', '-b:a', '192k'],
  opus: ['-c:a', 'libopus', '-b:a', '160k'],
  // ProRes is an editing format, so its audio stays uncompressed.
  pcm: ['-c:a', 'pcm_s24le'],
} as const;

/** libopus puts this many samples before the first one. WebM declares them as a delay, which players subtract. */
const opusDelaySamples = 312;

export interface JoinOptions {
  readonly list: string;
  readonly chapters: string | null;
  readonly audioInputs: readonly AudioInput[];
  readonly range: AudibleRange;
  readonly output: string;
}

/** Plans the final file: joins segments without re-encoding, and adds audio and chapters. */
export function planJoin(job: Pick<RenderJob, 'format' | 'transparent'>, options: JoinOptions): FfmpegPlan {
  const { sound } = formatTraits[job.format];
  const before = [
    { options: ['-f', 'concat', '-safe', '0'], path: options.list },
    ...(options.chapters === null ? [] : [{ options: ['-f', 'ffmetadata'], path: options.chapters }]),
  ];
  // FFmpeg would delay the pictures instead.
  const delaySamples = sound === 'opus' ? opusDelaySamples : 0;
  const mix = sound === null ? null : planMix(options.audioInputs, options.range, before.length);
  return {
    inputs: [...before, ...(mix?.inputs ?? [])],
    outputOptions: [
      // Set again, because NUT has no colour tags, and not every FFmpeg reads those from ProRes.
      ...['-map', '0:v:0', '-c:v', 'copy', ...colourTags],
      ...(mix && sound ? ['-filter_complex', `${mix.graph};[sound]asetpts=PTS+${delaySamples}[late]`] : []),
      ...(mix && sound ? ['-map', '[late]', ...soundCodecs[sound]] : []),
      ...['-map_chapters', options.chapters === null ? '-1' : '1'],
      ...reproducible,
      ...alphaTag(job),
      // An index at the front lets players start before the download is complete.
      ...(job.format === 'webm' ? ['-f', 'webm'] : ['-movflags', '+faststart', '-f', job.format]),
    ],
    output: options.output,
  };
}
