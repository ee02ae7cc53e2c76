/** Keyframes as data, before they are printed as code. The ease names are those of the template's `stage/easing.ts`. */
export type EaseName =
  | 'linear'
  | 'hold'
  | 'fall'
  | 'rise'
  | 'swingOver'
  | 'easeInCubic'
  | 'easeOutCubic'
  | 'easeInOutCubic'
  | 'easeOutQuint'
  | 'easeInQuart'
  | 'easeOutQuart'
  | 'easeInOutQuart'
  | 'easeOutBack'
  | 'easeOutSoftBack'
  | 'easeInBack'
  | 'easeOutElastic';

export interface KeyStop {
  readonly time: number;
  readonly value: number;
  /** What stands for the value in the code, when it can be set from outside. */
  readonly code?: string;
  /** How the value is reached from the stop before; null for the first one. */
  readonly ease: EaseName | null;
  /** The beat that the stop marks, printed as a comment. */
  readonly note: string | null;
}

export type KeyChannels = Readonly<Record<string, readonly KeyStop[] | number>>;

export interface KeyTrack {
  readonly name: string;
  /** What the track does, printed as a comment above it. */
  readonly comment: string | null;
  readonly channels: KeyChannels;
}

export function stop(time: number, value: number, ease: EaseName | null = null, note: string | null = null): KeyStop {
  return { time, value, ease, note };
}

/** Where a channel is at this moment; its stops are joined by straight lines. */
export function valueAt(channel: KeyChannels[string] | undefined, time: number): number {
  if (channel === undefined || typeof channel === 'number') return channel ?? 0;
  const next = channel.findIndex((key) => key.time >= time);
  const [before, after] = [channel[next - 1], channel[next]];
  if (!before || !after) return (after ?? channel.at(-1))?.value ?? 0;
  return before.value + ((after.value - before.value) * (time - before.time)) / (after.time - before.time);
}

/**
 * Joins pieces of one channel in order of time. A stop that repeats its predecessor's time replaces it; a
 * stop between two equal values with nothing to say is left out.
 */
export function joinStops(...parts: readonly (readonly KeyStop[])[]): KeyStop[] {
  const joined: KeyStop[] = [];
  for (const next of parts.flat()) {
    const before = joined.at(-1);
    if (before && next.time <= before.time + 1e-6) {
      joined[joined.length - 1] = { ...next, time: before.time, ease: before.ease, note: before.note ?? next.note };
      continue;
    }
    joined.push(next);
  }
  return joined;
}

/** The shortest time between two stops of a channel: a little over one frame at 60 per second. */
const closestSeconds = 0.02;

/** In a scene that is too short for its moves, beats would overtake one another; then they queue up instead. */
export function inOrder(track: KeyTrack): KeyTrack {
  const channels = Object.entries(track.channels).map(([name, stops]) => {
    if (typeof stops === 'number') return [name, stops] as const;
    let last = Number.NEGATIVE_INFINITY;
    const queued = stops.map((key) => {
      last = key.time > last ? key.time : last + closestSeconds;
      return last === key.time ? key : { ...key, time: last };
    });
    return [name, queued] as const;
  });
  return { ...track, channels: Object.fromEntries(channels) };
}
