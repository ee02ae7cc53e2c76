import { countFrames, type Render, type RenderFormat, type RenderSettings, renderFiles } from '../contract/render.ts';
import { partSeconds } from './settings.ts';

/** What a render would cost, as far as it can be known from renders that are finished. */
export interface Cost {
  /** What is likeliest; null when nothing like it was ever rendered here. */
  readonly workSeconds: number | null;
  /** Between these it will be, as a rule; null together with `workSeconds`. */
  readonly workRangeSeconds: { readonly from: number; readonly to: number } | null;
  /** Of the file; null when this project has none of that format and quality. */
  readonly sizeBytes: number | null;
  /** Whose renders the time was measured on; null = none. */
  readonly basis: 'project' | 'studio' | null;
  /** Those were of another kind or format. */
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

/**
 * What belongs to a frame of any size takes as long as this many pixels of it. Everything is counted in pixels, so that one
 * measure of this machine's speed is enough: a machine that has other work is slow at all of it.
 */
const framePixels = 400_000;
/**
 * Before the first frame: a production build and its browsers for a final, hardly anything for a preview, whose page is
 * open already. Measured on two cores, idle and busy: 75 to 160 million for finals of 5 s to 6 s, 6 to 20 for previews.
 */
const startPixels = { preview: 10_000_000, final: 140_000_000 } as const;
/** How far off the time was, by what it was measured on: the first final of a project took up to 1.9 times as long. */
const spread = {
  project: { alike: { from: 0.8, to: 1.3 }, rough: { from: 0.6, to: 2 } },
  studio: { alike: { from: 0.5, to: 2 }, rough: { from: 0.4, to: 2.5 } },
} as const;
/** Renders with fewer frames show how long the start takes, not a frame. */
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
  if (near.length === 0) return { workSeconds: null, workRangeSeconds: null, sizeBytes, basis: null, rough: false };

  const effort = ({ settings, frames }: AskedFrames) => startPixels[settings.kind] + frames * (framePixels + pixelsOf(settings));
  const msPerPixel = near.reduce((sum, { workMs }) => sum + workMs, 0) / near.reduce((sum, sample) => sum + effort(sample), 0);
  const workMs = effort(asked) * msPerPixel;
  const rough = !near.some((sample) => isOneKind(sample.settings, asked.settings));
  const { from, to } = spread[basis][rough ? 'rough' : 'alike'];
  const seconds = (factor: number) => Math.max(1, Math.round(workMs * factor)) / 1000;
  return { workSeconds: seconds(1), workRangeSeconds: { from: seconds(from), to: seconds(to) }, sizeBytes, basis, rough };
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
