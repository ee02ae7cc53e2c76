import type { StageInfo } from '#contract/sandbox/answers.ts';
import type { FilmOutline } from '#kinds/film/contract/film.ts';

export interface TimeRange {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface PlaySettings {
  readonly speed: number;
  /** Whether playback restarts at the end instead of stopping. */
  readonly loop: boolean;
  /** The played range; `null` for the whole film. */
  readonly range: TimeRange | null;
}

/** A film's length in seconds and frame rate in frames per second. */
export interface FilmLength {
  readonly durationSeconds: number;
  readonly fps: number;
}

export const speeds: readonly number[] = [0.25, 0.5, 1, 2];
export const plainSettings: PlaySettings = { speed: 1, loop: true, range: null };

export const isPlain = ({ speed, loop, range }: PlaySettings) => speed === 1 && loop && range === null;

/** Returns the start and end of playback. A range that an edit has made empty is ignored. */
export function playedRange(range: TimeRange | null, { durationSeconds }: FilmLength): TimeRange {
  const endSeconds = Math.min(range?.endSeconds ?? durationSeconds, durationSeconds);
  const startSeconds = range?.startSeconds ?? 0;
  return startSeconds < endSeconds ? { startSeconds, endSeconds } : { startSeconds: 0, endSeconds: durationSeconds };
}

export function lastFrameSeconds(range: TimeRange | null, film: FilmLength): number {
  const { startSeconds, endSeconds } = playedRange(range, film);
  return Math.max(startSeconds, endSeconds - 1 / film.fps);
}

/**
 * Advances the time by `elapsedSeconds`. At the end, playback restarts or stops on the last frame. The template's page uses
 * the same rule (`play-settings.ts`).
 */
export function advance(
  seconds: number,
  elapsedSeconds: number,
  settings: PlaySettings,
  film: FilmLength,
): { seconds: number; playing: boolean } {
  const { startSeconds, endSeconds } = playedRange(settings.range, film);
  const next = Math.max(seconds, startSeconds) + elapsedSeconds;
  if (next < endSeconds) return { seconds: next, playing: true };
  if (!settings.loop) return { seconds: lastFrameSeconds(settings.range, film), playing: false };
  if (seconds >= endSeconds) return { seconds: startSeconds, playing: true };
  return { seconds: startSeconds + ((next - endSeconds) % (endSeconds - startSeconds)), playing: true };
}

/** Returns where playback starts, or `null` to start at the current time. */
export function restartSeconds(seconds: number, { loop, range }: PlaySettings, film: FilmLength): number | null {
  const { startSeconds, endSeconds } = playedRange(range, film);
  const halfFrame = 0.5 / film.fps;
  const atEnd = !loop && seconds >= endSeconds - 1 / film.fps - halfFrame;
  return atEnd || seconds < startSeconds - halfFrame || seconds >= endSeconds ? startSeconds : null;
}

/** A scene in the transport bar. `number` counts from 1, in film order. */
export interface FilmScene {
  readonly number: number;
  readonly title: string;
  readonly startSeconds: number;
  readonly durationSeconds: number;
}

/** Returns the scenes that the page reports, or the plan's until it reports any. */
export function filmScenes(info: StageInfo | null, outline: FilmOutline | null): FilmScene[] {
  const planned = outline?.scenes ?? [];
  if (!info || info.scenes.length === 0) {
    return planned.map(({ number, title, startSeconds, durationSeconds }) => ({ number, title, startSeconds, durationSeconds }));
  }
  const same = planned.length === info.scenes.length;
  return info.scenes.map(({ id, title, startSeconds, durationSeconds }, index) => ({
    number: index + 1,
    title: title || (same && planned[index]?.title) || id,
    startSeconds,
    durationSeconds,
  }));
}

/** Returns the scene at a time, or the later one if two overlap. */
export function sceneAt(scenes: readonly FilmScene[], seconds: number): FilmScene | null {
  // A time rounded to its frame may be slightly before the scene.
  const reached = scenes.filter(({ startSeconds }) => startSeconds <= seconds + 1e-4);
  return reached.reduce<FilmScene | null>(
    (latest, scene) => (latest && latest.startSeconds > scene.startSeconds ? latest : scene),
    null,
  );
}

/** Overlaps up to this length are transitions. */
const transitionSeconds = 0.5;

/** Returns the scenes as blocks on a bar. At a transition, a block ends where the next one starts. */
export function sceneBlocks(scenes: readonly FilmScene[]): FilmScene[] {
  return scenes.map((scene) => {
    const end = scene.startSeconds + scene.durationSeconds;
    const next = scenes.find(
      ({ startSeconds, durationSeconds }) =>
        startSeconds > scene.startSeconds && end - startSeconds <= transitionSeconds && startSeconds + durationSeconds > end,
    );
    return next && next.startSeconds < end ? { ...scene, durationSeconds: next.startSeconds - scene.startSeconds } : scene;
  });
}

/** Returns the start of the current scene, or of the one before if less than `graceSeconds` have passed. */
export function previousStart(scenes: readonly FilmScene[], seconds: number, graceSeconds: number): number {
  return Math.max(0, ...scenes.map((scene) => scene.startSeconds).filter((start) => start < seconds - graceSeconds));
}

export function nextStart(scenes: readonly FilmScene[], seconds: number, fps: number): number | null {
  const later = scenes.map((scene) => scene.startSeconds).filter((start) => start > seconds + 0.5 / fps);
  return later.length > 0 ? Math.min(...later) : null;
}

export const rangeOf = ({ startSeconds, durationSeconds }: FilmScene): TimeRange => ({
  startSeconds,
  endSeconds: startSeconds + durationSeconds,
});
