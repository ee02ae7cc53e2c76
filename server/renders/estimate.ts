import { countFrames, type Render, type RenderFormat, type RenderSettings, renderFiles } from '#contract/render.ts';
import { renderedSeconds } from './settings.ts';

export interface Cost {
  readonly workSeconds: number | null;
  readonly workRangeSeconds: { readonly from: number; readonly to: number } | null;
  /** File size. `null` if the project has no render of that format and quality. */
  readonly sizeBytes: number | null;
  /** Origin of the renders that were measured, or `null` if there are none. */
  readonly basis: 'project' | 'studio' | null;
  /** Whether those renders are of another kind or format. */
  readonly rough: boolean;
}

export interface PastRenders {
  readonly project: readonly Render[];
  readonly studio: readonly Render[];
}

export interface RequestedFrames {
  readonly settings: RenderSettings;
  readonly frames: number;
}

interface Sample extends RequestedFrames {
  readonly workMs: number;
  readonly sizeBytes: number;
  /** Fraction of frames captured for this render, 0 to 1. The others were reused. */
  readonly fresh: number;
}

/** A frame's fixed cost, in pixels. With all costs in pixels, one speed describes the machine. */
const framePixels = 400_000;
/**
 * Cost before the first frame: a production build and browser startup for a final, very little for a preview, whose page is
 * already open. Measured on two cores, idle and busy: 75 to 160 million for finals of 5 s to 6 s, 6 to 20 million for
 * previews.
 */
const startPixels = { preview: 10_000_000, final: 140_000_000 } as const;
/** Error factors, depending on what the estimate is based on. A project's first final took up to 1.9 times the estimate. */
const spread = {
  project: { alike: { from: 0.8, to: 1.3 }, rough: { from: 0.6, to: 2 } },
  studio: { alike: { from: 0.5, to: 2 }, rough: { from: 0.4, to: 2.5 } },
} as const;
/** A render with fewer frames would measure startup time rather than time per frame. */
const minFrames = 10;
const nearest = 5;
/** Exponent of file size over pixels. Below 1 for formats that predict pixels from their neighbours. */
const byteGrowth: Partial<Record<RenderFormat, number>> = { mp4: 0.75, webm: 0.75 };

/** Returns a render's number of frames. If only the plan contains the scene, counts the whole film. */
export function framesOf(settings: RenderSettings): number {
  return renderFiles[settings.format].still ? 1 : countFrames(renderedSeconds(settings.range, settings), settings.fps);
}

/** Estimates time and size from the most similar finished renders in the project, or otherwise in all projects. */
export function costOf(requested: RequestedFrames, past: PastRenders): Cost {
  const ofProject = samplesOf(past.project);
  const [basis, samples] = ofProject.some(measuresSpeed)
    ? (['project', ofProject] as const)
    : (['studio', samplesOf(past.studio)] as const);
  const sizeBytes = sizeOf(requested, ofProject);
  const near = mostSimilar(requested, samples.filter(measuresSpeed));
  if (near.length === 0) return { workSeconds: null, workRangeSeconds: null, sizeBytes, basis: null, rough: false };

  const effort = ({ settings, frames }: RequestedFrames) =>
    startPixels[settings.kind] + frames * (framePixels + pixelsOf(settings));
  const msPerPixel = near.reduce((sum, { workMs }) => sum + workMs, 0) / near.reduce((sum, sample) => sum + effort(sample), 0);
  const workMs = effort(requested) * msPerPixel;
  const rough = !near.some((sample) => isOneKind(sample.settings, requested.settings));
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
  // A partly static film never captures all of its frames.
  const freshest = Math.max(0, ...samples.map(({ fresh }) => fresh));
  return samples.filter(({ fresh }) => fresh >= freshest / 2);
}

const measuresSpeed = ({ frames }: Sample) => frames >= minFrames;
const pixelsOf = ({ width, height }: RenderSettings) => width * height;
const isOneKind = (a: RenderSettings, b: RenderSettings) => a.kind === b.kind && a.format === b.format;

/** Returns the most similar renders: those of the same kind and format, or otherwise those closest in size. */
function mostSimilar({ settings }: RequestedFrames, samples: readonly Sample[]): Sample[] {
  const sizeDistance = (sample: Sample) => Math.abs(Math.log(pixelsOf(sample.settings) / pixelsOf(settings)));
  const alike = samples.filter((sample) => isOneKind(sample.settings, settings));
  return (alike.length > 0 ? alike : samples).toSorted((a, b) => sizeDistance(a) - sizeDistance(b)).slice(0, nearest);
}

function sizeOf({ settings, frames }: RequestedFrames, samples: readonly Sample[]): number | null {
  const alike = samples.filter(
    (sample) =>
      isOneKind(sample.settings, settings) &&
      sample.settings.crf === settings.crf &&
      sample.settings.fileSize === settings.fileSize &&
      sample.settings.transparent === settings.transparent,
  );
  const near = mostSimilar({ settings, frames }, alike);
  if (near.length === 0) return null;
  const weight = (sample: RequestedFrames) => sample.frames * pixelsOf(sample.settings) ** (byteGrowth[settings.format] ?? 1);
  const bytes = near.reduce((sum, sample) => sum + sample.sizeBytes, 0);
  return Math.round((bytes / near.reduce((sum, sample) => sum + weight(sample), 0)) * weight({ settings, frames }));
}
