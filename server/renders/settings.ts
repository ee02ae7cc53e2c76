import { KodaError } from '../contract/errors.ts';
import { type Aspect, type Scene, sceneIdOf } from '../contract/film.ts';
import {
  countFrames,
  formatsWith,
  frameSize,
  type RenderFormat,
  type RenderRange,
  type RenderRequest,
  type RenderSettings,
  renderFiles,
} from '../contract/render.ts';
import { formatRules, type Platform, platforms } from '../contract/render-rules.ts';

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

/** What of a plan decides which part of the film can be asked for. */
export interface FilmLength {
  readonly durationSeconds: number;
  readonly fps: number;
  /** The scenes of the plan; absent when they are not known. */
  readonly scenes?: readonly Pick<Scene, 'id' | 'number' | 'durationSeconds'>[];
}

/** The scenes of a plan are called so in the project; a project may have scenes of other names. */
const plannedSceneId = /^scene-\d+$/;

/**
 * The asked part of a film in frames, or its scene; null = all of it. Throws VALIDATION_ERROR when the part is empty or
 * lies outside the film, NOT_FOUND when the plan has no such scene.
 */
export function resolveRange(asked: RenderRequest['range'], film: FilmLength): RenderRange | null {
  if (asked === undefined) return null;
  if ('scene' in asked) {
    assertScene(asked.scene, film);
    return asked;
  }
  const frames = countFrames(film.durationSeconds, film.fps);
  const range =
    'fromFrame' in asked
      ? asked
      : {
          fromFrame: Math.round(asked.fromSeconds * film.fps),
          toFrame: asked.toSeconds === undefined ? frames : Math.round(asked.toSeconds * film.fps),
        };
  if (range.fromFrame < range.toFrame && range.toFrame <= frames) return range;
  throw new KodaError(
    'VALIDATION_ERROR',
    `Frames ${range.fromFrame} to ${range.toFrame} are no part of the film: it has ${frames} (${film.durationSeconds} s at ${film.fps} fps), counted from 0, and a part holds at least one.`,
    { details: { frames, durationSeconds: film.durationSeconds, fps: film.fps }, recovery: 'correct_request' },
  );
}

/** The one frame of a still: that of the moment, or the film's middle. Throws VALIDATION_ERROR for a moment after its end. */
export function stillRange(atSeconds: number | undefined, film: FilmLength): RenderRange {
  const frames = countFrames(film.durationSeconds, film.fps);
  if (atSeconds !== undefined && atSeconds > film.durationSeconds) {
    throw new KodaError(
      'VALIDATION_ERROR',
      `The film ends at ${film.durationSeconds} s, so there is no picture at ${atSeconds} s.`,
      {
        details: { durationSeconds: film.durationSeconds },
        recovery: 'correct_request',
      },
    );
  }
  const frame = Math.min(frames - 1, Math.round((atSeconds ?? film.durationSeconds / 2) * film.fps));
  return { fromFrame: frame, toFrame: frame + 1 };
}

/** How long the part plays, in seconds; for a scene that the plan does not know, as long as the whole film. */
export function partSeconds(range: RenderRange | null, film: FilmLength): number {
  if (range === null) return film.durationSeconds;
  if ('fromFrame' in range) return (range.toFrame - range.fromFrame) / film.fps;
  return film.scenes?.find((scene) => sceneIdOf(scene) === range.scene)?.durationSeconds ?? film.durationSeconds;
}

function assertScene(id: string, { scenes }: FilmLength): void {
  if (scenes === undefined || !plannedSceneId.test(id) || scenes.some((scene) => sceneIdOf(scene) === id)) return;
  const known = scenes.map(sceneIdOf).join(', ');
  throw new KodaError('NOT_FOUND', `The film has no scene "${id}". Its scenes are: ${known}.`, {
    details: { scenes: known },
    recovery: 'correct_request',
  });
}

/** Throws VALIDATION_ERROR when what is asked does not go together with the format; the message names what does. */
export function assertFits(request: RenderRequest, format: RenderFormat): void {
  const { name, crf } = formatRules[format];
  const { still, alpha } = renderFiles[format];
  if (request.transparent && !alpha)
    throw refused(`${name} has no transparency. These formats have: ${formatsWith((file) => file.alpha)}.`);
  if (request.transparent && request.preset !== undefined)
    throw refused(`A video for ${request.preset} is not transparent. Leave out the preset or the transparency.`);
  const taken = request.preset === undefined ? null : platforms[request.preset].formats;
  if (taken !== null && !taken.includes(format))
    throw refused(`${request.preset} does not take ${name}. It takes: ${taken.join(', ')}.`);
  if (request.crf !== undefined && crf === null)
    throw refused(
      `${name} has no constant quality (crf). These formats have: ${formatsWith((_, other) => formatRules[other].crf !== null)}.`,
    );
  if (request.crf !== undefined && crf !== null && request.crf > crf.max)
    throw refused(`The constant quality (crf) of ${name} is 0 to ${crf.max}, smaller being better; it was ${request.crf}.`);
  if (request.atSeconds !== undefined && !still)
    throw refused(`A moment is for a single picture: ${formatsWith((file) => file.still)}. Ask for a range instead.`);
  if (request.range !== undefined && still)
    throw refused(`${name} is a single picture and has no range. Name its moment (atSeconds) instead.`);
}

function refused(message: string): KodaError {
  return new KodaError('VALIDATION_ERROR', message, { recovery: 'correct_request' });
}
