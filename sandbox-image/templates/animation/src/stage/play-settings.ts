/** How the window around the page wants the film played. */
export interface PlaySettings {
  /** 1 = real time. */
  readonly speed: number;
  /** Whether it begins anew at the end, or stops there. */
  readonly loop: boolean;
  /** The part that is played; null = all of it. */
  readonly range: { readonly startSeconds: number; readonly endSeconds: number } | null;
}

export const plainSettings: PlaySettings = { speed: 1, loop: true, range: null };

/** Settings out of a message; whatever is missing or makes no sense is as usual. */
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

/** The moment after `elapsedSeconds` of the film; at the end it stands still on the last frame, or begins anew. */
export function advance(
  seconds: number,
  elapsedSeconds: number,
  { loop, range }: PlaySettings,
  { durationSeconds, fps }: Played,
): { seconds: number; playing: boolean } {
  const end = Math.min(range?.endSeconds ?? durationSeconds, durationSeconds);
  // A part that an edit has left without any time is as good as none.
  const start = range !== null && range.startSeconds < end ? range.startSeconds : 0;
  const next = Math.max(seconds, start) + elapsedSeconds;
  if (next < end) return { seconds: next, playing: true };
  if (!loop) return { seconds: Math.max(start, end - 1 / fps), playing: false };
  // A position behind the end goes back to the beginning.
  return { seconds: seconds >= end ? start : start + ((next - end) % (end - start)), playing: true };
}
