import { type RenderSettings, renderFiles, renderRateSchema, type resolutionSchema } from '../../../server/contract/render.ts';
import { formatRules } from '../../../server/contract/render-rules.ts';
import type { RenderRequestInput } from '../api/renders.ts';

const resolutions: Record<number, (typeof resolutionSchema.options)[number]> = { 720: '720p', 1080: '1080p', 2160: '4k' };

/** The request that leads to these settings again; the length is left to the film, which may have changed since. */
export function requestAgain(settings: RenderSettings): RenderRequestInput {
  const { kind, format, preset, crf, transparent, range, parameters, verify, fps } = settings;
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
    ...(transparent ? { transparent } : {}),
    ...(range && !still ? { range } : {}),
    ...moment,
  };
}
