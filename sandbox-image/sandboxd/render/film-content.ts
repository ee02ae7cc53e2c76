import { stat } from 'node:fs/promises';
import { countFrames, renderFiles } from '../../../server/contract/render.ts';
import type { RenderJob, StageInfo } from '../../../server/contract/sandboxd.ts';
import { invalidRequest } from '../http.ts';
import { type FrameRange, formatTraits, frameRate } from './formats.ts';
import { findSounds, type Sound, type SoundFileOptions } from './sounds.ts';

/** What goes into the file of a job, known before the first frame is captured. */
export interface FilmContent {
  /** Frames of the film, at `fps`. */
  readonly part: FrameRange;
  readonly fps: number;
  /** Length of the whole film. */
  readonly filmSeconds: number;
  readonly chapters: readonly Chapter[];
  readonly sounds: readonly Sound[];
}

/** Frames per second of the finished file. */
export function outputFps(job: Pick<RenderJob, 'format' | 'fps'>): number {
  const { numerator, denominator } = frameRate(job);
  return numerator / denominator;
}

/** Throws VALIDATION_ERROR when the film has no such part, or when a file of its sound cannot be used. */
export async function planContent(job: RenderJob, info: StageInfo, options: SoundFileOptions): Promise<FilmContent> {
  const fps = outputFps(job);
  const part = resolvePart(job, { info, fps });
  const { kind, sound } = formatTraits[job.format];
  const times = { startSeconds: part.first / fps, endSeconds: (part.first + part.count) / fps };
  return {
    part,
    fps,
    filmSeconds: filmSeconds(job, info),
    chapters: kind === 'video' ? planChapters(info.scenes, times) : [],
    sounds: sound === null ? [] : await findSounds(info.audio, options),
  };
}

/** How long the film is. A job may ask for more than the page says, or for a short beginning of it. */
export function filmSeconds(job: Pick<RenderJob, 'durationSeconds'>, info: Pick<StageInfo, 'durationSeconds'>): number {
  return Math.max(job.durationSeconds, info.durationSeconds);
}

/**
 * The frames of the film that a job asks for, counted from the film's beginning at `fps`: frame n shows the
 * film at n / fps seconds, also where the finished file begins later than the film. `fps` is the rate of the
 * finished file, which for a GIF is not quite the one that was asked for; a range in frames counts in the
 * latter. A still is the part's first frame. Throws VALIDATION_ERROR when the film has no such scene or frames.
 */
export function resolvePart(
  job: Pick<RenderJob, 'range' | 'fps' | 'durationSeconds' | 'format'>,
  options: { readonly info: Pick<StageInfo, 'durationSeconds' | 'scenes'>; readonly fps: number },
): FrameRange {
  const part = askedPart(job, options);
  return renderFiles[job.format].still ? { first: part.first, count: 1 } : part;
}

function askedPart(
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
      `The part begins at ${startSeconds.toFixed(2)} s, but the film ends at ${lengthSeconds.toFixed(2)} s. Ask for a part within the film.`,
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
      : `The film has no scene "${id}": its page names no scenes (window.__exportInfo.scenes). Ask for frames instead.`,
  );
}

function frameTimes(
  range: { readonly fromFrame: number; readonly toFrame: number },
  film: { readonly fps: number; readonly lengthSeconds: number },
): Times {
  const total = countFrames(film.lengthSeconds, film.fps);
  if (range.fromFrame >= range.toFrame || range.toFrame > total) {
    throw invalidRequest(
      `Frames ${range.fromFrame} to ${range.toFrame} cannot be rendered: the film has ${total} at ${film.fps} fps, counted from 0, and the range must hold at least one.`,
    );
  }
  return { startSeconds: range.fromFrame / film.fps, endSeconds: range.toFrame / film.fps };
}

export interface Chapter {
  readonly title: string;
  /** From the beginning of the finished file. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/**
 * The scenes as chapters of the part of the film from `startSeconds` to `endSeconds`. Scenes may overlap
 * (a transition belongs to both), chapters may not: one ends where the next begins.
 */
export function planChapters(
  scenes: StageInfo['scenes'],
  part: { readonly startSeconds: number; readonly endSeconds: number },
): Chapter[] {
  const inOrder = scenes.toSorted((one, other) => one.startSeconds - other.startSeconds);
  return inOrder.flatMap(({ id, title, startSeconds, durationSeconds }, index) => {
    const next = inOrder[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY;
    const start = Math.max(startSeconds, part.startSeconds);
    const end = Math.min(startSeconds + durationSeconds, next, part.endSeconds);
    if (milliseconds(end) <= milliseconds(start)) return [];
    return [{ title: title || id, startSeconds: start - part.startSeconds, endSeconds: end - part.startSeconds }];
  });
}

/** Chapters in the form that FFmpeg reads (https://ffmpeg.org/ffmpeg-formats.html#Metadata-1), times in milliseconds. */
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

/** Where in a scene it shows what it is about: not at its ends, which fade into the neighbours. */
const placesInScene = [0.6, 0.4];
/** The picture of each is kept until the end of the render. */
const mostCandidates = 24;

/** Frames of the film that may stand for it, the same ones each time; at least one. */
export function posterCandidates({ part, fps, chapters }: Pick<FilmContent, 'part' | 'fps' | 'chapters'>): number[] {
  const whole = { startSeconds: 0, endSeconds: part.count / fps };
  const last = part.first + part.count - 1;
  const frames = (chapters.length > 0 ? chapters : [whole]).flatMap(({ startSeconds, endSeconds }) =>
    placesInScene.map((place) => {
      const seconds = startSeconds + place * (endSeconds - startSeconds);
      return Math.min(last, part.first + Math.round(seconds * fps));
    }),
  );
  return [...new Set(frames)].slice(0, mostCandidates);
}

/**
 * The fullest of some pictures, as paths: what is compressed is the larger the more there is to see, and one that is
 * faded or empty is small. Of equal ones the first.
 */
export async function fullestPicture(paths: readonly string[]): Promise<string> {
  let fullest = { path: '', sizeBytes: -1 };
  for (const path of paths) {
    const { size: sizeBytes } = await stat(path);
    if (sizeBytes > fullest.sizeBytes) fullest = { path, sizeBytes };
  }
  return fullest.path;
}
