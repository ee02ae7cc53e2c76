import { z } from 'zod';
import {
  frameSize,
  type ParameterValues,
  type Preset,
  presetSchema,
  type RenderFormat,
  type RenderRequest,
  type RenderSettings,
  renderFiles,
  renderRateSchema,
  resolutionSchema,
} from '#contract/render.ts';
import { formatRules, platforms } from '#contract/render-rules.ts';
import type { RenderRequestInput } from '../api/client.ts';
import { parseStored, projectTextName, type StoredTexts } from '../browser-storage.ts';
import type { RenderSubject } from '../kind-page.ts';
import { parseTime } from '../time-text.ts';

/** Formats for films; the player exports single frames. */
export const filmFormats = ['mp4', 'webm', 'mov', 'gif', 'png-sequence'] as const satisfies readonly RenderFormat[];
export type FilmFormat = (typeof filmFormats)[number];
export const qualities = ['small', 'normal', 'best'] as const;

/** Chosen output settings, as the dialog stores them. A field keeps its value while another setting overrides it. */
const choiceSchema = z.object({
  target: z.enum(['custom', ...presetSchema.options]),
  resolution: resolutionSchema,
  /** `null` for the film's own. */
  fps: renderRateSchema.nullable(),
  format: z.enum(filmFormats),
  quality: z.enum(qualities),
  transparent: z.boolean(),
});
export type RenderChoice = z.infer<typeof choiceSchema>;

export const firstChoice: RenderChoice = {
  target: 'custom',
  resolution: '1080p',
  fps: null,
  format: 'mp4',
  quality: 'normal',
  transparent: false,
};

/** The range to render. Numbers are stored as typed; `to` in frames is the last frame. */
export type RangeChoice =
  | { readonly kind: 'film' }
  | { readonly kind: 'scene'; readonly scene: string }
  | { readonly kind: 'range'; readonly unit: 'seconds' | 'frames'; readonly from: string; readonly to: string };

/** Offsets from the default constant quality, for smaller files or for more detail than is visible. */
const crfSteps = { small: 8, normal: 0, best: -6 } as const;
/** A GIF times its frames in hundredths of a second. */
const gifRates = [25, 50] as const;

type Rate = z.infer<typeof renderRateSchema>;

/** The options still available for a target and format, and their effective values. */
export interface Offer {
  readonly formats: readonly FilmFormat[];
  readonly format: FilmFormat;
  readonly rates: readonly Rate[] | null;
  readonly fps: Rate;
  readonly canBeTransparent: boolean;
  readonly crf: number | null;
  readonly size: { readonly width: number; readonly height: number };
}

export function offerOf(choice: RenderChoice, film: Pick<RenderSubject, 'aspect' | 'fps'>): Offer {
  const platform = choice.target === 'custom' ? null : platforms[choice.target];
  const formats = filmFormats.filter((format) => platform?.formats.includes(format) ?? true);
  const format = formats.find((name) => name === choice.format) ?? 'mp4';
  const rules = formatRules[format];
  const formatRates = format === 'gif' ? gifRates : [...renderRateSchema.values];
  const rates = platform ? null : formatRates;
  const fps = platform?.fps ?? rates?.find((rate) => rate === (choice.fps ?? film.fps)) ?? rules.fps ?? 60;
  const size = platform ? frameSize(platform.aspect, '1080p') : frameSize(film.aspect, choice.resolution);
  return {
    formats,
    format,
    rates,
    fps,
    canBeTransparent: platform === null && renderFiles[format].alpha,
    crf: rules.crf ? rules.crf.normal + crfSteps[choice.quality] : null,
    size,
  };
}

export function requestOf(
  choice: RenderChoice,
  { range, parameters }: { range: RenderRequest['range'] | undefined; parameters: ParameterValues | undefined },
): RenderRequestInput {
  // The request does not depend on the film.
  const offer = offerOf(choice, { aspect: '16:9', fps: 60 });
  const { format } = offer;
  const rate = choice.fps === null ? {} : { fps: offer.fps };
  const picture = choice.target === 'custom' ? { resolution: choice.resolution, ...rate } : { preset: choice.target };
  return {
    kind: 'final',
    ...picture,
    format,
    ...(offer.crf !== null && choice.quality !== 'normal' ? { crf: offer.crf } : {}),
    ...(offer.crf !== null && choice.quality === 'small' ? { fileSize: 'small' } : {}),
    ...(offer.canBeTransparent && choice.transparent ? { transparent: true } : {}),
    ...(range ? { range } : {}),
    ...(parameters ? { parameters } : {}),
  };
}

/**
 * Converts the range to the API's format; `incomplete` names an unreadable field. The server checks that the range is within
 * the film.
 */
export function rangeOf(part: RangeChoice): { range: RenderRequest['range'] | undefined } | { incomplete: 'from' | 'to' } {
  switch (part.kind) {
    case 'film':
      return { range: undefined };
    case 'scene':
      return { range: { scene: part.scene } };
    case 'range': {
      const isFrames = part.unit === 'frames';
      const [from, to] = [readNumber(part.from, isFrames), readNumber(part.to, isFrames)];
      if (from === null) return { incomplete: 'from' };
      if (to === null || to < from || (to === from && !isFrames)) return { incomplete: 'to' };
      return { range: isFrames ? { fromFrame: from, toFrame: to + 1 } : { fromSeconds: from, toSeconds: to } };
    }
  }
}

/** Converts a range to the other unit, to the nearest frame. */
export function inUnit(part: Extract<RangeChoice, { kind: 'range' }>, unit: 'seconds' | 'frames', fps: number): RangeChoice {
  const [from, to] = [readNumber(part.from, false), readNumber(part.to, false)];
  if (unit === part.unit || from === null || to === null) return { ...part, unit };
  const seconds = (frame: number) => String(Math.round((frame / fps) * 1000) / 1000);
  return unit === 'seconds'
    ? { ...part, unit, from: seconds(from), to: seconds(to + 1) }
    : { ...part, unit, from: String(Math.round(from * fps)), to: String(Math.max(0, Math.round(to * fps) - 1)) };
}

/** Parses seconds as users write them, or a frame number. */
function readNumber(text: string, whole: boolean): number | null {
  if (!whole) return parseTime(text, null);
  const frame = /^(\d+)\s*f?$/i.exec(text.trim())?.[1];
  return frame === undefined ? null : Number(frame);
}

/** Returns the longest range from the film's start that a platform accepts, or `null` if it accepts any length. */
export function rangeWithin(preset: Preset): RangeChoice | null {
  const { maxSeconds } = platforms[preset];
  return maxSeconds === null ? null : { kind: 'range', unit: 'seconds', from: '0', to: String(maxSeconds) };
}

const keyOf = (projectId: string) => projectTextName('render', projectId);

/** Returns the settings of the project's last render, or the default if none are stored or readable. */
export function recallChoice(projectId: string, storage: Pick<StoredTexts, 'read'>): RenderChoice {
  return parseStored(choiceSchema, storage.read(keyOf(projectId))) ?? firstChoice;
}

export function rememberChoice(projectId: string, choice: RenderChoice, storage: Pick<StoredTexts, 'write'>): void {
  storage.write(keyOf(projectId), JSON.stringify(choice));
}

const resolutions: Record<number, (typeof resolutionSchema.options)[number]> = { 720: '720p', 1080: '1080p', 2160: '4k' };

/** Builds a request that repeats these settings for the whole film, whose length may have changed. */
export function repeatRequest(settings: RenderSettings): RenderRequestInput {
  const { kind, format, preset, crf, fileSize, transparent, range, parameters, verify, fps } = settings;
  const content = { ...(parameters ? { parameters } : {}), ...(verify ? { verify } : {}) };
  if (kind === 'preview') return { kind, ...content, ...(range ? { range } : {}) };
  const rate = renderRateSchema.safeParse(fps);
  const resolution = resolutions[Math.min(settings.width, settings.height)];
  const picture = preset ? { preset } : { ...(rate.success ? { fps: rate.data } : {}), ...(resolution ? { resolution } : {}) };
  const { still } = renderFiles[format];
  const moment = still && range && 'fromFrame' in range ? { atSeconds: range.fromFrame / fps } : {};
  return {
    kind,
    format,
    ...picture,
    ...content,
    ...(formatRules[format].crf ? { crf } : {}),
    ...(fileSize === 'small' ? { fileSize } : {}),
    ...(transparent ? { transparent } : {}),
    ...(range && !still ? { range } : {}),
    ...moment,
  };
}
