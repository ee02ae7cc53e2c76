import { countFrames, renderFiles } from '#contract/render.ts';
import type { RenderJob, StageInfo } from '#contract/sandbox/answers.ts';
import { invalidRequest } from '../http.ts';
import { type AudioInput, findAudioInputs, type SoundFileOptions } from './audio-mix.ts';
import { captureFormat, type FrameFormat, type FrameRange, formatTraits, frameRate } from './formats.ts';

export interface ContentOptions extends SoundFileOptions {
  /** Whether the page may draw its own frames: for each scene that allows it, only if all do, or never. */
  readonly direct: 'scene' | 'film' | 'never';
}

/** The output file's content, planned before the first capture. */
export interface FilmContent {
  readonly range: FrameRange;
  readonly fps: number;
  readonly formatAt: (frame: number) => FrameFormat;
  readonly filmSeconds: number;
  readonly chapters: readonly Chapter[];
  /** The scenes, even if the file does not list them as chapters. */
  readonly scenes: readonly Chapter[];
  readonly audioInputs: readonly AudioInput[];
}

export function outputFps(job: Pick<RenderJob, 'format' | 'fps'>): number {
  const { numerator, denominator } = frameRate(job);
  return numerator / denominator;
}

/** Throws VALIDATION_ERROR if the film lacks the requested range, or an audio file is unusable. */
export async function planContent(job: RenderJob, info: StageInfo, options: ContentOptions): Promise<FilmContent> {
  const fps = outputFps(job);
  const range = resolveFrameRange(job, { info, fps });
  const { kind, sound } = formatTraits[job.format];
  const scenes = planChapters(info.scenes, { startSeconds: range.first / fps, endSeconds: (range.first + range.count) / fps });
  return {
    range,
    fps,
    formatAt: options.direct === 'never' ? () => captureFormat(job) : frameFormats(job, info, { range, fps, ...options }),
    filmSeconds: filmSeconds(job, info),
    scenes,
    // A single chapter would only repeat the film.
    chapters: kind === 'video' && job.chapters && scenes.length > 1 ? scenes : [],
    audioInputs: sound === null ? [] : await findAudioInputs(info.audio, options),
  };
}

/**
 * Returns the format of each frame. The page draws its own frames while only formats are visible, which
 * `npm run formats -- --direct` compares with captures of the page. Code may use CSS that a canvas does not show. Encoders of RGB
 * or alpha need images.
 */
export function frameFormats(
  job: Pick<RenderJob, 'format' | 'transparent'>,
  { scenes }: Pick<StageInfo, 'scenes'>,
  { range, fps, direct }: Pick<ContentOptions, 'direct'> & { readonly range: FrameRange; readonly fps: number },
): (frame: number) => FrameFormat {
  const page = captureFormat(job);
  if (formatTraits[job.format].kind !== 'video' || page === 'png') return () => page;
  const ends = scenes.map((scene) => ({ ...scene, endSeconds: scene.startSeconds + scene.durationSeconds }));
  const formatAt = (frame: number) => {
    const seconds = frame / fps;
    const visible = ends.filter(({ startSeconds, endSeconds }) => seconds >= startSeconds && seconds < endSeconds);
    return visible.length > 0 && visible.every(({ isFormat = false }) => isFormat) ? 'i420' : page;
  };
  if (direct === 'scene') return formatAt;
  const frames = Array.from({ length: range.count }, (_, index) => range.first + index);
  const whole = frames.every((frame) => formatAt(frame) === 'i420') ? 'i420' : page;
  return () => whole;
}

/** Returns the film's duration. A job may request more than the page declares, or only the beginning. */
export function filmSeconds(job: Pick<RenderJob, 'durationSeconds'>, info: Pick<StageInfo, 'durationSeconds'>): number {
  return Math.max(job.durationSeconds, info.durationSeconds);
}

/**
 * Returns the requested frames, counted from the film's start: frame n shows the film at n / `fps` seconds. `fps` is the
 * output rate, which differs slightly from the requested one for a GIF; a frame range uses the requested rate. A still is the
 * first frame. Throws VALIDATION_ERROR if the film lacks that scene or range.
 */
export function resolveFrameRange(
  job: Pick<RenderJob, 'range' | 'fps' | 'durationSeconds' | 'format'>,
  options: { readonly info: Pick<StageInfo, 'durationSeconds' | 'scenes'>; readonly fps: number },
): FrameRange {
  const range = requestedRange(job, options);
  return renderFiles[job.format].still ? { first: range.first, count: 1 } : range;
}

function requestedRange(
  job: Pick<RenderJob, 'range' | 'fps' | 'durationSeconds'>,
  options: { readonly info: Pick<StageInfo, 'durationSeconds' | 'scenes'>; readonly fps: number },
): FrameRange {
  const { info, fps } = options;
  if (job.range === null) return { first: 0, count: countFrames(job.durationSeconds, fps) };
  const lengthSeconds = filmSeconds(job, info);
  const { startSeconds, endSeconds } =
    'scene' in job.range ? sceneTimes(job.range.scene, info.scenes) : frameTimes(job.range, { fps: job.fps, lengthSeconds });
  const filmFrames = countFrames(lengthSeconds, fps);
  const first = Math.round(startSeconds * fps);
  if (first >= filmFrames) {
    throw invalidRequest(
      `The range starts at ${startSeconds.toFixed(2)} s, but the film ends at ${lengthSeconds.toFixed(2)} s. Choose a range within the film.`,
    );
  }
  return { first, count: Math.max(1, Math.min(Math.round(endSeconds * fps), filmFrames) - first) };
}

interface Times {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

function sceneTimes(id: string, scenes: StageInfo['scenes']): Times {
  const scene = scenes.find((candidate) => candidate.id === id);
  if (scene) return { startSeconds: scene.startSeconds, endSeconds: scene.startSeconds + scene.durationSeconds };
  const known = scenes.map((candidate) => candidate.id).join(', ');
  throw invalidRequest(
    scenes.length > 0
      ? `The film has no scene "${id}". Its scenes are: ${known}.`
      : `The film has no scene "${id}": its page declares no scenes (window.__exportInfo.scenes). Use a range of frames instead.`,
  );
}

function frameTimes(
  range: { readonly fromFrame: number; readonly toFrame: number },
  film: { readonly fps: number; readonly lengthSeconds: number },
): Times {
  const total = countFrames(film.lengthSeconds, film.fps);
  if (range.fromFrame >= range.toFrame || range.toFrame > total) {
    throw invalidRequest(
      `Frames ${range.fromFrame} to ${range.toFrame} cannot be rendered: the film has ${total} at ${film.fps} fps, counted from 0, and the range must contain at least one.`,
    );
  }
  return { startSeconds: range.fromFrame / film.fps, endSeconds: range.toFrame / film.fps };
}

export interface Chapter {
  readonly title: string;
  /** Relative to the start of the output file. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Converts scenes to chapters. Scenes may overlap in transitions, so each chapter ends where the next one starts. */
export function planChapters(
  scenes: StageInfo['scenes'],
  range: { readonly startSeconds: number; readonly endSeconds: number },
): Chapter[] {
  const inOrder = scenes.toSorted((one, other) => one.startSeconds - other.startSeconds);
  return inOrder.flatMap(({ id, title, startSeconds, durationSeconds }, index) => {
    const next = inOrder[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY;
    const start = Math.max(startSeconds, range.startSeconds);
    const end = Math.min(startSeconds + durationSeconds, next, range.endSeconds);
    if (milliseconds(end) <= milliseconds(start)) return [];
    return [{ title: title || id, startSeconds: start - range.startSeconds, endSeconds: end - range.startSeconds }];
  });
}

/** Formats chapters for FFmpeg (https://ffmpeg.org/ffmpeg-formats.html#Metadata-1), in milliseconds. */
export function chapterFile(chapters: readonly Chapter[]): string {
  const marks = chapters.map(
    ({ title, startSeconds, endSeconds }) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${milliseconds(startSeconds)}\nEND=${milliseconds(endSeconds)}\ntitle=${escaped(title)}\n`,
  );
  return [';FFMETADATA1\n', ...marks].join('');
}

function escaped(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[=;#\\]/g, '\\$&');
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** Positions within a scene, away from the transitions at both ends. */
const positionsInScene = [0.6, 0.4];
const maxCandidates = 24;

/** Returns at least one frame that can represent the film. Deterministic. */
export function posterCandidates({ range, fps, scenes }: Pick<FilmContent, 'range' | 'fps' | 'scenes'>): number[] {
  const whole = { startSeconds: 0, endSeconds: range.count / fps };
  const last = range.first + range.count - 1;
  const frames = (scenes.length > 0 ? scenes : [whole]).flatMap(({ startSeconds, endSeconds }) =>
    positionsInScene.map((position) => {
      const seconds = startSeconds + position * (endSeconds - startSeconds);
      return Math.min(last, range.first + Math.round(seconds * fps));
    }),
  );
  return [...new Set(frames)].slice(0, maxCandidates);
}
