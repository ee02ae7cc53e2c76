import { createRafDriver, getProject, type ISheet, type ISheetObject } from '@theatre/core';
import { addSeeker } from './clock.ts';
import { compileTracks, type TrackSpec } from './keyframes.ts';

/** A component's keyframes: the values of its channels at the current time. */
export interface Track<Channel extends string = string> {
  /** Name in `defineTracks`; undefined for tracks that a component creates. */
  readonly name?: string;
  /** Updated at every seek, before anything draws. */
  readonly now: Readonly<Partial<Record<Channel, number>>>;
  /** Returns the same keyframes with a delay, for siblings that enter one after another. */
  delayed(seconds: number): Track<Channel>;
}

type Tracks<Spec extends TrackSpec> = { readonly [Key in keyof Spec]: Track<Extract<keyof Spec[Key], string>> };

interface Playhead {
  readonly delaySeconds: number;
  readonly sheet: ISheet;
  readonly outputs: { object: ISheetObject; write: (values: Record<string, number>) => void }[];
}

/** Keyframes by scene id. A hot reload of a scene replaces its entry. */
const playheadsByScene = new Map<string, Playhead[]>();
/** Theatre.js never releases projects, so the same keyframes must reuse the same project. */
const definedTracks = new Map<string, { tracks: unknown; playheads: Playhead[] }>();

/** Theatre.js does not run by itself; each seek of the stage ticks it. */
const driver = createRafDriver({ name: 'koda-stage' });

/** Returns a short, stable name for a text (FNV-1a, 32 bits). */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * Declares a scene's keyframes: track → channel → stops (or a constant), with times in seconds from the scene's start.
 * Compiles them into a Theatre.js project and plays its sequence.
 */
export function defineTracks<const Spec extends TrackSpec>(sceneId: string, spec: Spec): Tracks<Spec> {
  const projectId = `${sceneId}-${fingerprint(JSON.stringify(spec))}`;
  const known = definedTracks.get(projectId);
  if (known) {
    playheadsByScene.set(sceneId, known.playheads);
    return known.tracks as Tracks<Spec>;
  }

  const project = getProject(projectId, { state: compileTracks(sceneId, spec) });
  const playheads: Playhead[] = [];

  const playheadFor = (delaySeconds: number): Playhead => {
    const existing = playheads.find((playhead) => playhead.delaySeconds === delaySeconds);
    if (existing) return existing;
    // Instances of a sheet share its keyframes but have separate positions.
    const created: Playhead = { delaySeconds, sheet: project.sheet(sceneId, `+${delaySeconds}s`), outputs: [] };
    playheads.push(created);
    return created;
  };

  const makeTrack = (key: string, delaySeconds: number): Track => {
    const channels = spec[key] ?? {};
    const initial = Object.fromEntries(
      Object.entries(channels).map(([name, channel]) => [name, typeof channel === 'number' ? channel : (channel[0]?.value ?? 0)]),
    );
    const playhead = playheadFor(delaySeconds);
    const siblings = new Map<number, Track>();
    const track = {
      name: key,
      now: initial,
      delayed(seconds: number): Track {
        const total = Math.round((delaySeconds + seconds) * 1000) / 1000;
        if (total === delaySeconds) return track;
        const sibling = siblings.get(total) ?? makeTrack(key, total);
        siblings.set(total, sibling);
        return sibling;
      },
    };
    playhead.outputs.push({
      object: playhead.sheet.object(key, initial),
      write: (values) => {
        track.now = values;
      },
    });
    return track;
  };

  const tracks = Object.fromEntries(Object.keys(spec).map((key) => [key, makeTrack(key, 0)])) as Tracks<Spec>;
  definedTracks.set(projectId, { tracks, playheads });
  playheadsByScene.set(sceneId, playheads);
  return tracks;
}

/** Moves a scene's sequences to a time (seconds from its start) and reads all values. */
export function seekTracks(sceneId: string, seconds: number): void {
  const playheads = playheadsByScene.get(sceneId) ?? [];
  for (const playhead of playheads) playhead.sheet.sequence.position = Math.max(0, seconds - playhead.delaySeconds);
  driver.tick(seconds * 1000);
  for (const playhead of playheads) {
    for (const output of playhead.outputs) output.write(output.object.value as Record<string, number>);
  }
}

addSeeker(seekTracks);
