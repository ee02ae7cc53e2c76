import { countFrames, type Render, type RenderFormat, type RenderSettings, renderFiles } from '../contract/render.ts';
import { partSeconds } from './part.ts';

/** What a render would cost, as far as it can be known from renders that are finished. */
export interface Cost {
  /** Null when nothing like it was ever rendered here. */
  readonly workSeconds: number | null;
  /** Of the file; null when this project has none of that format and quality. */
  readonly sizeBytes: number | null;
  /** Whose renders the time was measured on; null = nobody's. */
  readonly basis: 'project' | 'studio' | null;
  /** Those were of another kind or format: the time may well be twice as long, or half. */
  readonly rough: boolean;
}

/** Finished renders to measure by; others among them are left out. */
export interface PastRenders {
  readonly project: readonly Render[];
  /** Of all projects. */
  readonly studio: readonly Render[];
}

/** A picture that is asked for: its settings, and how many frames there are of it. */
export interface AskedFrames {
  readonly settings: RenderSettings;
  readonly frames: number;
}

interface Sample extends AskedFrames {
  readonly workMs: number;
  readonly sizeBytes: number;
  /** Share of its frames that were pictured for it, 0…1: the others were known from an earlier render. */
  readonly fresh: number;
}

/** Before the first frame: a production build for a final, none for a preview, and a browser for both. */
const startMs = { preview: 1500, final: 4000 } as const;
/** What belongs to a frame of any size takes as long as this many pixels of it. */
const framePixels = 400_000;
/** Renders with fewer frames tell how long the start takes, not how long a frame does. */
const minFrames = 10;
const nearest = 5;
/** Bytes grow slower than pixels where neighbours are predicted from each other. */
const byteGrowth: Partial<Record<RenderFormat, number>> = { mp4: 0.75, webm: 0.75 };

/** How many frames a render of these settings has; a scene that only the plan knows counts as the whole film. */
export function framesOf(settings: RenderSettings): number {
  return renderFiles[settings.format].still ? 1 : countFrames(partSeconds(settings.range, settings), settings.fps);
}

/**
 * Time and size of a render, from how long finished ones took: those of the project if it has any, else those of all.
 * Time goes by frames and their pixels; those most like it count, and such as were mostly known before do not. Pure.
 */
export function costOf(asked: AskedFrames, past: PastRenders): Cost {
  const ofProject = samplesOf(past.project);
  const [basis, samples] = ofProject.some(tellsSpeed)
    ? (['project', ofProject] as const)
    : (['studio', samplesOf(past.studio)] as const);
  const sizeBytes = sizeOf(asked, ofProject);
  const near = mostLike(asked, samples.filter(tellsSpeed));
  if (near.length === 0) return { workSeconds: null, sizeBytes, basis: null, rough: false };

  const startOf = (kind: RenderSettings['kind']) => {
    // None took less than its start.
    const quickest = samples.filter(({ settings }) => settings.kind === kind).map(({ workMs }) => 0.8 * workMs);
    return Math.min(startMs[kind], ...quickest);
  };
  const effort = ({ settings, frames }: AskedFrames) => frames * (framePixels + pixelsOf(settings));
  const frameMs = near.reduce((sum, { workMs, settings }) => sum + workMs - startOf(settings.kind), 0);
  const msPerEffort = frameMs / near.reduce((sum, sample) => sum + effort(sample), 0);
  const workMs = startOf(asked.settings.kind) + effort(asked) * msPerEffort;
  const rough = !near.some((sample) => isOneKind(sample.settings, asked.settings));
  return { workSeconds: Math.round(workMs) / 1000, sizeBytes, basis, rough };
}

function samplesOf(renders: readonly Render[]): Sample[] {
  const samples = renders.flatMap(({ status, settings, probe, renderTimeMs }) => {
    if (status !== 'complete' || probe === null || renderTimeMs === null || settings.verify) return [];
    const { frames, sizeBytes, capturedFrames } = probe;
    const fresh = Math.min(1, (capturedFrames ?? frames) / frames);
    return [{ settings, frames, sizeBytes, workMs: renderTimeMs, fresh }];
  });
  // A film that stands still at times never has all of its frames pictured.
  const freshest = Math.max(0, ...samples.map(({ fresh }) => fresh));
  return samples.filter(({ fresh }) => fresh >= freshest / 2);
}

const tellsSpeed = ({ frames }: Sample) => frames >= minFrames;
const pixelsOf = ({ width, height }: RenderSettings) => width * height;
const isOneKind = (a: RenderSettings, b: RenderSettings) => a.kind === b.kind && a.format === b.format;

/** The few of the same kind and format, else those that are nearest in size. */
function mostLike({ settings }: AskedFrames, samples: readonly Sample[]): Sample[] {
  const far = (sample: Sample) => Math.abs(Math.log(pixelsOf(sample.settings) / pixelsOf(settings)));
  const alike = samples.filter((sample) => isOneKind(sample.settings, settings));
  return (alike.length > 0 ? alike : samples).toSorted((a, b) => far(a) - far(b)).slice(0, nearest);
}

function sizeOf({ settings, frames }: AskedFrames, samples: readonly Sample[]): number | null {
  const alike = samples.filter(
    (sample) =>
      isOneKind(sample.settings, settings) &&
      sample.settings.crf === settings.crf &&
      sample.settings.transparent === settings.transparent,
  );
  const near = mostLike({ settings, frames }, alike);
  if (near.length === 0) return null;
  const weight = (asked: AskedFrames) => asked.frames * pixelsOf(asked.settings) ** (byteGrowth[settings.format] ?? 1);
  const bytes = near.reduce((sum, sample) => sum + sample.sizeBytes, 0);
  return Math.round((bytes / near.reduce((sum, sample) => sum + weight(sample), 0)) * weight({ settings, frames }));
}
