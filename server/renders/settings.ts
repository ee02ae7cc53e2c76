import { KodaError } from '#contract/errors.ts';
import {
  type Aspect,
  countFrames,
  formatsWith,
  frameSize,
  type RenderFormat,
  type RenderRange,
  type RenderRequest,
  type RenderSettings,
  renderFiles,
} from '#contract/render.ts';
import { formatRules, type Platform, platforms } from '#contract/render-rules.ts';

const preview = { longSide: 640, fps: 15, crf: 28 } as const;

/** What the renderer needs to know about the work. */
export interface RenderSubject extends FilmLength {
  readonly aspect: Aspect;
  /** Titles of the parts that can only be drawn in this aspect. Without any, the film can be laid out in every aspect. */
  readonly fixedParts: readonly string[];
}

/**
 * Completes a request's settings. A preview has a fixed size, rate and format; a preset determines shape, size and rate. The
 * film and the format supply the defaults (`formatRules`; mp4 if no format is given). Throws VALIDATION_ERROR for contradictory
 * settings, a shape in which the film cannot be drawn, or a range outside the film, NOT_FOUND for an unknown scene, and LIMIT_EXCEEDED if the range is too long for the preset.
 */
export function resolveSettings(request: RenderRequest, film: RenderSubject): RenderSettings {
  const durationSeconds = request.durationSeconds ?? film.durationSeconds;
  const length = (fps: number): FilmLength => ({ ...film, durationSeconds, fps });
  const content = { durationSeconds, parameters: request.parameters ?? null, verify: request.verify ?? false };
  const fileSize = request.fileSize ?? 'normal';
  if (request.kind === 'preview') {
    const { fps, crf } = preview;
    const range = resolveRange(request.range, length(fps));
    const output = { ...previewSize(film.aspect), aspect: null, fps, crf, format: 'mp4', transparent: false } as const;
    return { kind: 'preview', ...content, ...output, preset: null, range, fileSize };
  }
  const format = request.format ?? 'mp4';
  assertFits(request, format);
  const rules = formatRules[format];
  const platform = request.preset === undefined ? null : platforms[request.preset];
  const fps = platform?.fps ?? request.fps ?? rules.fps ?? film.fps;
  const range = renderFiles[format].still ? stillRange(request.atSeconds, length(fps)) : resolveRange(request.range, length(fps));
  if (platform) assertShort(platform, renderedSeconds(range, length(fps)));
  const size = platform
    ? frameSize(platform.aspect, '1080p')
    : evenSize(frameSize(request.aspect ?? film.aspect, request.resolution ?? rules.resolution));
  const aspect = newAspect(request, platform, film);
  const quality = { format, crf: request.crf ?? rules.crf?.normal ?? 0, transparent: request.transparent ?? false };
  return { kind: 'final', ...content, ...size, aspect, fps, ...quality, preset: request.preset ?? null, range, fileSize };
}

function assertShort({ name, maxSeconds }: Platform, durationSeconds: number): void {
  if (maxSeconds === null || durationSeconds <= maxSeconds) return;
  throw new KodaError(
    'LIMIT_EXCEEDED',
    `The film is ${durationSeconds} s long, but ${name} accepts at most ${maxSeconds} s. Render a shorter range, or leave out the preset.`,
    { details: { maxSeconds, durationSeconds }, recovery: 'shorten_film' },
  );
}

/** Returns the shape in which the film is laid out anew for the request, or `null` if it has that shape. */
function newAspect(request: RenderRequest, platform: Platform | null, film: RenderSubject): Aspect | null {
  const aspect = platform?.aspect ?? request.aspect ?? film.aspect;
  if (platform !== null && request.aspect !== undefined && request.aspect !== platform.aspect)
    throw invalidRequest(`A video for ${platform.name} is ${aspect}, not ${request.aspect}. Leave out the preset or the aspect.`);
  if (aspect === film.aspect) return null;
  const { fixedParts } = film;
  if (fixedParts.length === 0) return aspect;
  const titles = fixedParts.map((title) => `“${title}”`).join(', ');
  const drawn = fixedParts.length === 1 ? 'is code drawn' : 'are code drawn';
  const [what, left] = platform === null ? ['The video', 'aspect'] : [`A video for ${platform.name}`, 'preset'];
  throw invalidRequest(
    `${what} is ${aspect}, but the film is ${film.aspect} and cannot be laid out anew: ${titles} ${drawn} for ${film.aspect}. Leave out the ${left} to render it in ${film.aspect}, or ask for the film in ${aspect} first.`,
  );
}

/** Returns the size of a preview: 640 pixels on the longer side, for any aspect ratio. */
export function previewSize(aspect: Aspect): { width: number; height: number } {
  const { width, height } = frameSize(aspect, '720p');
  const scale = preview.longSide / Math.max(width, height);
  return evenSize({ width: width * scale, height: height * scale });
}

/** Sizes of a final, named after the shorter side in pixels; largest first. */
const finalSizes = { '4k': 2160, '1080p': 1080, '720p': 720 } as const;

/** Returns a final one size lower and that size's name, or `null` if it is a preview, a still, or already the smallest size. */
export function oneSizeLower(settings: RenderSettings): { settings: RenderSettings; size: string } | null {
  if (settings.kind === 'preview' || renderFiles[settings.format].still) return null;
  const { width, height } = settings;
  const shortSide = Math.min(width, height);
  const lower = Object.entries(finalSizes).find(([, side]) => side < shortSide);
  if (lower === undefined) return null;
  const [size, side] = lower;
  const scale = side / shortSide;
  // A preset determines the size, which differs from now on.
  return { settings: { ...settings, ...evenSize({ width: width * scale, height: height * scale }), preset: null }, size };
}

/** yuv420p halves the colour resolution on both axes, so both sides must be even. */
function evenSize(size: { width: number; height: number }): { width: number; height: number } {
  const even = (value: number) => Math.max(2, Math.round(value / 2) * 2);
  return { width: even(size.width), height: even(size.height) };
}

/** The slowest measured render took about 1 s per 1080p frame. This allows three times that, plus startup. */
const msPerMegapixel = 1500;
const startMs = 120_000;

/** Returns the time after which a render counts as stuck: about three times that of the heaviest scenes on two slow cores. */
export function renderTimeoutMs(settings: RenderSettings): number {
  const { range, durationSeconds, fps, verify } = settings;
  const frames = range !== null && 'fromFrame' in range ? range.toFrame - range.fromFrame : Math.ceil(durationSeconds * fps);
  const megapixels = (settings.width * settings.height) / 1_000_000;
  // Verification opens the page again and captures some frames using the slow method.
  return Math.round((verify ? 2 : 1) * startMs + frames * Math.max(200, megapixels * msPerMegapixel));
}

export interface FilmLength {
  readonly durationSeconds: number;
  readonly fps: number;
  readonly scenes?: readonly { readonly id: string; readonly durationSeconds: number }[];
}

/** Ids of planned scenes. A project may also have scenes with other names. */
const plannedSceneId = /^scene-\d+$/;

/** Resolves a range; `null` is the whole film. Throws VALIDATION_ERROR if it is empty or outside the film, and NOT_FOUND. */
export function resolveRange(requested: RenderRequest['range'], film: FilmLength): RenderRange | null {
  if (requested === undefined) return null;
  if ('scene' in requested) {
    assertScene(requested.scene, film);
    return requested;
  }
  const frames = countFrames(film.durationSeconds, film.fps);
  const range =
    'fromFrame' in requested
      ? requested
      : {
          fromFrame: Math.round(requested.fromSeconds * film.fps),
          toFrame: requested.toSeconds === undefined ? frames : Math.round(requested.toSeconds * film.fps),
        };
  if (range.fromFrame < range.toFrame && range.toFrame <= frames) return range;
  throw new KodaError(
    'VALIDATION_ERROR',
    `The range from frame ${range.fromFrame} to ${range.toFrame} is not valid. The film has ${frames} frames (${film.durationSeconds} s at ${film.fps} fps), counted from 0, and a range needs at least one.`,
    { details: { frames, durationSeconds: film.durationSeconds, fps: film.fps }, recovery: 'correct_request' },
  );
}

/** Returns the frame at a timestamp, by default in the middle. Throws VALIDATION_ERROR if it is after the end. */
export function stillRange(atSeconds: number | undefined, film: FilmLength): RenderRange {
  const frames = countFrames(film.durationSeconds, film.fps);
  if (atSeconds !== undefined && atSeconds > film.durationSeconds) {
    throw new KodaError(
      'VALIDATION_ERROR',
      `The film has no frame at ${atSeconds} s: it ends at ${film.durationSeconds} s. Choose an earlier time.`,
      {
        details: { durationSeconds: film.durationSeconds },
        recovery: 'correct_request',
      },
    );
  }
  const frame = Math.min(frames - 1, Math.round((atSeconds ?? film.durationSeconds / 2) * film.fps));
  return { fromFrame: frame, toFrame: frame + 1 };
}

/** Returns a range's duration in seconds. If the plan does not contain the scene, counts the whole film. */
export function renderedSeconds(range: RenderRange | null, film: FilmLength): number {
  if (range === null) return film.durationSeconds;
  if ('fromFrame' in range) return (range.toFrame - range.fromFrame) / film.fps;
  return film.scenes?.find(({ id }) => id === range.scene)?.durationSeconds ?? film.durationSeconds;
}

function assertScene(id: string, { scenes }: FilmLength): void {
  if (scenes === undefined || !plannedSceneId.test(id) || scenes.some((scene) => scene.id === id)) return;
  const known = scenes.map((scene) => scene.id).join(', ');
  throw new KodaError('NOT_FOUND', `The film has no scene "${id}". Its scenes are: ${known}.`, {
    details: { scenes: known },
    recovery: 'correct_request',
  });
}

/** Throws VALIDATION_ERROR if the request does not fit the format. The message names valid alternatives. */
export function assertFits(request: RenderRequest, format: RenderFormat): void {
  const { name, crf } = formatRules[format];
  const { still, alpha } = renderFiles[format];
  if (request.transparent && !alpha)
    throw invalidRequest(`${name} does not support transparency. Formats that do: ${formatsWith((file) => file.alpha)}.`);
  if (request.transparent && request.preset !== undefined)
    throw invalidRequest(`A video for ${request.preset} cannot be transparent. Leave out the preset or the transparency.`);
  const accepted = request.preset === undefined ? null : platforms[request.preset].formats;
  if (accepted !== null && !accepted.includes(format))
    throw invalidRequest(`${request.preset} does not accept ${name}. Accepted formats: ${accepted.join(', ')}.`);
  if (request.crf !== undefined && crf === null)
    throw invalidRequest(
      `${name} has no quality setting (crf). Formats that do: ${formatsWith((_, other) => formatRules[other].crf !== null)}.`,
    );
  if (request.crf !== undefined && crf !== null && request.crf > crf.max)
    throw invalidRequest(`The quality (crf) of ${name} must be 0 to ${crf.max}, where lower is better. It was ${request.crf}.`);
  if (request.fileSize === 'small' && crf === null)
    throw invalidRequest(
      `${name} has no smaller files. Formats that do: ${formatsWith((_, other) => formatRules[other].crf !== null)}.`,
    );
  if (request.atSeconds !== undefined && !still)
    throw invalidRequest(
      `A time (atSeconds) applies to single images only: ${formatsWith((file) => file.still)}. Specify a range instead.`,
    );
  if (request.range !== undefined && still)
    throw invalidRequest(`${name} is a single image and has no range. Specify its time (atSeconds) instead.`);
}

function invalidRequest(message: string): KodaError {
  return new KodaError('VALIDATION_ERROR', message, { recovery: 'correct_request' });
}
