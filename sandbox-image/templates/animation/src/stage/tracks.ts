import { createRafDriver, getProject, type ISheet, type ISheetObject } from '@theatre/core';
import { addSeeker } from './clock.ts';
import { compileTracks, type TrackSpec } from './keyframes.ts';

/** What a component reads of its keyframes: the values of its channels at the stage's present time. */
export interface Track<Channel extends string = string> {
  /** As `defineTracks` was given it; missing where a component made it up. */
  readonly name?: string;
  /** Renewed at every seek, before anything draws. */
  readonly now: Readonly<Partial<Record<Channel, number>>>;
  /** The same keyframes, so many seconds later: for siblings that follow one another. */
  delayed(seconds: number): Track<Channel>;
}

type Tracks<Spec extends TrackSpec> = { readonly [Key in keyof Spec]: Track<Extract<keyof Spec[Key], string>> };

interface Playhead {
  readonly delaySeconds: number;
  readonly sheet: ISheet;
  readonly outputs: { object: ISheetObject; write: (values: Record<string, number>) => void }[];
}

/** Keyframes of each scene by the scene's id; a hot reload of a scene replaces its entry. */
const playheadsByScene = new Map<string, Playhead[]>();
/** Theatre.js keeps projects for good; the same keyframes must find the same project again. */
const definedTracks = new Map<string, { tracks: unknown; playheads: Playhead[] }>();

/** Theatre.js never runs by itself: only a seek of the stage ticks it. */
const driver = createRafDriver({ name: 'koda-stage' });

/** Short, stable name for a text (FNV-1a, 32 bits). */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * Declares the keyframes of a scene: track → channel → stops (or a constant). Times are seconds from the
 * scene's start. They are compiled into a Theatre.js project and played by its sequence.
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
    // Instances of one sheet share its keyframes and have a position each.
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

/** Puts the sequences of a scene to this moment (seconds from its start) and reads every value. */
export function seekTracks(sceneId: string, seconds: number): void {
  const playheads = playheadsByScene.get(sceneId) ?? [];
  for (const playhead of playheads) playhead.sheet.sequence.position = Math.max(0, seconds - playhead.delaySeconds);
  driver.tick(seconds * 1000);
  for (const playhead of playheads) {
    for (const output of playhead.outputs) output.write(output.object.value as Record<string, number>);
  }
}

addSeeker(seekTracks);
