export interface TimeRange {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** How a film is played. */
export interface PlaySettings {
  /** 1 = real time. */
  readonly speed: number;
  /** Whether it begins anew at the end, or stops there. */
  readonly loop: boolean;
  /** The part that is played; null = all of it. */
  readonly range: TimeRange | null;
}

/** Of what is played: seconds, frames a second. */
export interface FilmLength {
  readonly durationSeconds: number;
  readonly fps: number;
}

export const speeds: readonly number[] = [0.25, 0.5, 1, 2];
export const plainSettings: PlaySettings = { speed: 1, loop: true, range: null };

export const isPlain = ({ speed, loop, range }: PlaySettings) => speed === 1 && loop && range === null;

/** First moment and end of what is played. A part that an edit has left without any time is as good as none. */
export function playedRange(range: TimeRange | null, { durationSeconds }: FilmLength): TimeRange {
  const endSeconds = Math.min(range?.endSeconds ?? durationSeconds, durationSeconds);
  const startSeconds = range?.startSeconds ?? 0;
  return startSeconds < endSeconds ? { startSeconds, endSeconds } : { startSeconds: 0, endSeconds: durationSeconds };
}

/** The last frame of what is played. */
export function lastFrameSeconds(range: TimeRange | null, film: FilmLength): number {
  const { startSeconds, endSeconds } = playedRange(range, film);
  return Math.max(startSeconds, endSeconds - 1 / film.fps);
}

/**
 * The moment after `elapsedSeconds` of the film. At the end it begins anew, or stands still on the last frame. The
 * template's page counts in the same way (`play-settings.ts` there).
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

/** Where playing begins when it is asked for at this moment; null = where it is. */
export function restartSeconds(seconds: number, { loop, range }: PlaySettings, film: FilmLength): number | null {
  const { startSeconds, endSeconds } = playedRange(range, film);
  const halfFrame = 0.5 / film.fps;
  const atEnd = !loop && seconds >= endSeconds - 1 / film.fps - halfFrame;
  return atEnd || seconds < startSeconds - halfFrame || seconds >= endSeconds ? startSeconds : null;
}
