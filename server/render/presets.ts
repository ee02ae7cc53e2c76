import { KodaError } from '../contract/errors.ts';
import type { Aspect } from '../contract/project.ts';
import { frameSize, type Preset, type RenderFormat, type RenderRequest, type RenderSettings } from '../contract/render.ts';

interface Platform {
  readonly name: string;
  readonly aspect: Aspect;
  readonly fps: 30 | 60;
  readonly maxSeconds: number | null;
}

/** What the platforms take (A17). All of them at 1080p. */
const platforms: Record<Preset, Platform> = {
  youtube: { name: 'YouTube', aspect: '16:9', fps: 60, maxSeconds: null },
  reels: { name: 'Instagram Reels', aspect: '9:16', fps: 30, maxSeconds: 90 },
  tiktok: { name: 'TikTok', aspect: '9:16', fps: 30, maxSeconds: 180 },
  twitter: { name: 'Twitter', aspect: '16:9', fps: 30, maxSeconds: 140 },
};

/** Constant-quality factors; the scales of H.264 and VP9 differ, these look alike. The other formats have none. */
const finalCrf: Record<RenderFormat, number> = { mp4: 18, webm: 24, mov: 0, gif: 0, 'png-sequence': 0, png: 0, jpeg: 0 };

const preview = { longSide: 640, fps: 15, crf: 28 } as const;

/** What of a plan decides a render. */
export interface PlannedFilm {
  readonly aspect: Aspect;
  readonly durationSeconds: number;
}

/**
 * A request with everything filled in. A preview has its own fixed size, rate and format; a platform
 * decides size and rate; what is left open comes from the plan and the defaults (1080p, 60 fps, mp4).
 * Throws LIMIT_EXCEEDED when the film is longer than the platform takes.
 */
export function resolveSettings(request: RenderRequest, film: PlannedFilm): RenderSettings {
  const durationSeconds = request.durationSeconds ?? film.durationSeconds;
  const special = {
    transparent: request.transparent ?? false,
    range: request.range ?? null,
    parameters: request.parameters ?? null,
    verify: request.verify ?? false,
  };
  if (request.kind === 'preview') {
    const { fps, crf } = preview;
    return { kind: 'preview', ...previewSize(film.aspect), fps, crf, format: 'mp4', durationSeconds, preset: null, ...special };
  }
  const format = request.format ?? 'mp4';
  const common = { kind: 'final', format, crf: request.crf ?? finalCrf[format], durationSeconds, ...special } as const;
  if (request.preset === undefined) {
    const size = frameSize(film.aspect, request.resolution ?? '1080p');
    return { ...common, ...evenSize(size), fps: request.fps ?? 60, preset: null };
  }
  const platform = platforms[request.preset];
  if (platform.maxSeconds !== null && durationSeconds > platform.maxSeconds)
    throw tooLong(platform, platform.maxSeconds, durationSeconds);
  return { ...common, ...frameSize(platform.aspect, '1080p'), fps: platform.fps, preset: request.preset };
}

function tooLong(platform: Platform, maxSeconds: number, durationSeconds: number): KodaError {
  return new KodaError(
    'LIMIT_EXCEEDED',
    `The film is ${durationSeconds} s long, but ${platform.name} takes ${maxSeconds} s at most. Render a shorter part, or without this preset.`,
    { details: { maxSeconds, durationSeconds }, recovery: 'shorten_film' },
  );
}

/** 640 pixels on the longer side, whatever the shape. */
function previewSize(aspect: Aspect): { width: number; height: number } {
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
  const frames = Math.ceil(settings.durationSeconds * settings.fps);
  const megapixels = (settings.width * settings.height) / 1_000_000;
  return Math.round(startMs + frames * Math.max(200, megapixels * msPerMegapixel));
}
