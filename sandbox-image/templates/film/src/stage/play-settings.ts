/** Playback settings from the embedding window. */
export interface PlaySettings {
  readonly speed: number;
  /** Whether playback restarts at the end instead of stopping. */
  readonly loop: boolean;
  /** The range to play, or `null` for the whole film. */
  readonly range: { readonly startSeconds: number; readonly endSeconds: number } | null;
}

export const plainSettings: PlaySettings = { speed: 1, loop: true, range: null };

/** Reads settings from a message. Missing or invalid values get their defaults. */
export function readSettings(message: { speed?: unknown; loop?: unknown; range?: unknown }): PlaySettings {
  const { speed, loop } = message;
  return {
    speed: typeof speed === 'number' && speed >= 0.05 && speed <= 16 ? speed : plainSettings.speed,
    loop: typeof loop === 'boolean' ? loop : plainSettings.loop,
    range: readRange(message.range),
  };
}

function readRange(range: unknown): PlaySettings['range'] {
  if (typeof range !== 'object' || range === null) return null;
  const { startSeconds, endSeconds } = range as { startSeconds?: unknown; endSeconds?: unknown };
  if (typeof startSeconds !== 'number' || typeof endSeconds !== 'number') return null;
  return startSeconds >= 0 && endSeconds > startSeconds ? { startSeconds, endSeconds } : null;
}

interface Played {
  readonly durationSeconds: number;
  readonly fps: number;
}

/** Returns the time after `elapsedSeconds`. At the end, it stays on the last frame or restarts. */
export function advance(
  seconds: number,
  elapsedSeconds: number,
  { loop, range }: PlaySettings,
  { durationSeconds, fps }: Played,
): { seconds: number; playing: boolean } {
  const end = Math.min(range?.endSeconds ?? durationSeconds, durationSeconds);
  // If an edit leaves an empty range, the whole film plays.
  const start = range !== null && range.startSeconds < end ? range.startSeconds : 0;
  const next = Math.max(seconds, start) + elapsedSeconds;
  if (next < end) return { seconds: next, playing: true };
  if (!loop) return { seconds: Math.max(start, end - 1 / fps), playing: false };
  // A position past the end wraps around to the start.
  return { seconds: seconds >= end ? start : start + ((next - end) % (end - start)), playing: true };
}
