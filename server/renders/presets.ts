import { KodaError } from '../contract/errors.ts';
import type { Aspect } from '../contract/film.ts';
import { frameSize, type RenderRequest, type RenderSettings, renderFiles } from '../contract/render.ts';
import { formatRules, type Platform, platforms } from '../contract/render-rules.ts';
import { assertFits } from './format-rules.ts';
import { type FilmLength, partSeconds, resolveRange, stillRange } from './part.ts';

const preview = { longSide: 640, fps: 15, crf: 28 } as const;

/** What of a plan decides a render. */
export interface PlannedFilm extends Pick<FilmLength, 'durationSeconds' | 'scenes'> {
  readonly aspect: Aspect;
}

/**
 * A request with everything filled in. A preview has its own fixed size, rate and format; a platform
 * decides size and rate; what is left open comes from the plan and the format (`formatRules`; mp4 when none is asked).
 * Throws VALIDATION_ERROR for what does not go together or lies outside the film, NOT_FOUND for an unknown scene,
 * LIMIT_EXCEEDED when the part is longer than the platform takes.
 */
export function resolveSettings(request: RenderRequest, film: PlannedFilm): RenderSettings {
  const durationSeconds = request.durationSeconds ?? film.durationSeconds;
  const length = (fps: number): FilmLength => ({ ...film, durationSeconds, fps });
  const content = { durationSeconds, parameters: request.parameters ?? null, verify: request.verify ?? false };
  if (request.kind === 'preview') {
    const { fps, crf } = preview;
    const range = resolveRange(request.range, length(fps));
    const picture = { ...previewSize(film.aspect), fps, crf, format: 'mp4', transparent: false } as const;
    return { kind: 'preview', ...content, ...picture, preset: null, range };
  }
  const format = request.format ?? 'mp4';
  assertFits(request, format);
  const rules = formatRules[format];
  const platform = request.preset === undefined ? null : platforms[request.preset];
  const fps = platform?.fps ?? request.fps ?? rules.fps;
  const range = renderFiles[format].still ? stillRange(request.atSeconds, length(fps)) : resolveRange(request.range, length(fps));
  if (platform) assertShort(platform, partSeconds(range, length(fps)));
  const size = platform
    ? frameSize(platform.aspect, '1080p')
    : evenSize(frameSize(film.aspect, request.resolution ?? rules.resolution));
  const quality = { format, crf: request.crf ?? rules.crf?.normal ?? 0, transparent: request.transparent ?? false };
  return { kind: 'final', ...content, ...size, fps, ...quality, preset: request.preset ?? null, range };
}

function assertShort({ name, maxSeconds }: Platform, durationSeconds: number): void {
  if (maxSeconds === null || durationSeconds <= maxSeconds) return;
  throw new KodaError(
    'LIMIT_EXCEEDED',
    `The film is ${durationSeconds} s long, but ${name} takes ${maxSeconds} s at most. Render a shorter part, or without this preset.`,
    { details: { maxSeconds, durationSeconds }, recovery: 'shorten_film' },
  );
}

/** The frames of a preview: 640 pixels on the longer side, whatever the shape. */
export function previewSize(aspect: Aspect): { width: number; height: number } {
  const { width, height } = frameSize(aspect, '720p');
  const scale = preview.longSide / Math.max(width, height);
  return evenSize({ width: width * scale, height: height * scale });
}

/** yuv420p halves both sides for its colours, so both must be even. */
function evenSize(size: { width: number; height: number }): { width: number; height: number } {
  const even = (value: number) => Math.max(2, Math.round(value / 2) * 2);
  return { width: even(size.width), height: even(size.height) };
}

/** The slowest that was measured was about 1 s for a frame of 1080p; three times that, and time to start, is generous. */
const msPerMegapixel = 1500;
const startMs = 120_000;

/** After this long a render hangs, whatever it says: about three times what the heaviest scenes took on two slow cores. */
export function renderTimeoutMs(settings: RenderSettings): number {
  const { range, durationSeconds, fps, verify } = settings;
  const frames = range !== null && 'fromFrame' in range ? range.toFrame - range.fromFrame : Math.ceil(durationSeconds * fps);
  const megapixels = (settings.width * settings.height) / 1_000_000;
  // To verify, the page is opened once more and some frames are captured the slow way.
  return Math.round((verify ? 2 : 1) * startMs + frames * Math.max(200, megapixels * msPerMegapixel));
}
