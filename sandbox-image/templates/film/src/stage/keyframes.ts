import type { Bezier, Ease } from './easing.ts';
import { linear } from './easing.ts';

/** One keyframe of a channel: time (seconds into the scene), value, and the ease that leads to it. */
export interface Stop {
  readonly time: number;
  readonly value: number;
  readonly ease: Ease;
}

export type Channel = readonly Stop[];
/** A channel is either keyframed or constant. */
export type Channels = Readonly<Record<string, Channel | number>>;
export type TrackSpec = Readonly<Record<string, Channels>>;

/** `at(0.4, 0, fall)`: the value is 0 at 0.4 s, and the ease `fall` leads to it. */
export function at(time: number, value: number, ease: Ease = linear): Stop {
  return { time, value, ease };
}

/** Creates a keyframed channel. Stops must be in order of time. */
export function keys(stops: readonly Stop[]): Channel {
  const first = stops[0];
  if (!first) throw new Error('keys() needs at least one stop');
  stops.reduce((before, stop) => {
    if (stop.time < before.time) throw new Error(`keys(): ${stop.time} s comes after ${before.time} s`);
    return stop;
  }, first);
  return stops;
}

/** A keyframe in Theatre.js's format. Handles are [in.x, in.y, out.x, out.y], each in its interval's unit square. */
export interface TheatreKeyframe {
  readonly id: string;
  readonly position: number;
  readonly connectedRight: boolean;
  readonly handles: [number, number, number, number];
  readonly type: 'bezier' | 'hold';
  readonly value: number;
}

/** Subset of a Theatre.js project's saved state that this stage uses. */
export interface TheatreState {
  sheetsById: Record<
    string,
    {
      staticOverrides: { byObject: Record<string, never> };
      sequence: {
        subUnitsPerUnit: number;
        length: number;
        type: 'PositionalSequence';
        tracksByObject: Record<
          string,
          {
            trackData: Record<string, { type: 'BasicKeyframedTrack'; keyframes: TheatreKeyframe[] }>;
            trackIdByPropPath: Record<string, string>;
          }
        >;
      };
    }
  >;
  definitionVersion: '0.4.0';
  revisionHistory: string[];
}

interface Span {
  readonly time: number;
  readonly value: number;
  readonly shape: Bezier | 'hold';
}

/** Expands multi-piece eases, so that each pair of neighbours has exactly one Bézier curve. */
function spans(channel: Channel): Span[] {
  const result: Span[] = [];
  for (const stop of channel) {
    const before = result.at(-1);
    if (!before || stop.ease === 'hold' || stop.time === before.time) {
      result.push({ time: stop.time, value: stop.value, shape: 'hold' });
      continue;
    }
    for (const piece of stop.ease) {
      const last = piece.until === 1;
      result.push({
        time: last ? stop.time : before.time + (stop.time - before.time) * piece.until,
        value: last ? stop.value : before.value + (stop.value - before.value) * piece.value,
        shape: piece.bezier,
      });
    }
  }
  return result;
}

export function compileChannel(channel: Channel, idPrefix: string): TheatreKeyframe[] {
  const list = spans(channel);
  return list.map((span, index) => {
    const next = list[index + 1];
    const out = next && next.shape !== 'hold' ? next.shape : null;
    const into = span.shape === 'hold' ? ([0, 0, 1, 1] as const) : span.shape;
    return {
      id: `${idPrefix}:${index}`,
      position: span.time,
      connectedRight: true,
      handles: [into[2], into[3], out ? out[0] : 0, out ? out[1] : 0],
      type: next?.shape === 'hold' ? 'hold' : 'bezier',
      value: span.value,
    };
  });
}

/**
 * Compiles a scene's tracks into project state: one sheet, one object per track, one sequence track per keyframed channel.
 */
export function compileTracks(sheetId: string, spec: TrackSpec): TheatreState {
  const tracksByObject: TheatreState['sheetsById'][string]['sequence']['tracksByObject'] = {};
  let length = 1;
  for (const [objectKey, channels] of Object.entries(spec)) {
    const trackData: (typeof tracksByObject)[string]['trackData'] = {};
    const trackIdByPropPath: Record<string, string> = {};
    for (const [name, channel] of Object.entries(channels)) {
      if (typeof channel === 'number') continue;
      const trackId = `${objectKey}.${name}`;
      trackIdByPropPath[JSON.stringify([name])] = trackId;
      trackData[trackId] = { type: 'BasicKeyframedTrack', keyframes: compileChannel(channel, trackId) };
      length = Math.max(length, channel.at(-1)?.time ?? 0);
    }
    tracksByObject[objectKey] = { trackData, trackIdByPropPath };
  }
  return {
    sheetsById: {
      [sheetId]: {
        staticOverrides: { byObject: {} },
        sequence: { subUnitsPerUnit: 60, length: length + 1, type: 'PositionalSequence', tracksByObject },
      },
    },
    definitionVersion: '0.4.0',
    revisionHistory: [],
  };
}
