import type { Preset, RenderRequest } from '#contract/render.ts';
import { formatRules, platforms } from '#contract/render-rules.ts';

type Resolution = NonNullable<RenderRequest['resolution']>;

const renderVerb =
  /^(?:render|export|rendere?|exportiere?|rends|exporte|exporta|renderiza)(?:[- ]?(?:it|es|le|la|lo))?\b|^(?:rendér?|expórt|renderíz)al[oa]\b/iu;
/** These verbs can also request a change. They request a render only together with a size, a format or a platform. */
const makeVerb = /^(?:make|create|produce|give me|i want|i need|i'd like|mach|erstelle|gib mir|donne-moi|dame|quiero)\b/iu;
const resolutions: readonly (readonly [RegExp, Resolution])[] = [
  [/\b(?:4k|uhd|ultra hd|2160p)\b/iu, '4k'],
  [/\b(?:1080p|full[ -]?hd)\b/iu, '1080p'],
  [/\b720p\b/iu, '720p'],
];
const formats: readonly (readonly [RegExp, 'mp4' | 'webm' | 'mov' | 'gif'])[] = [
  [/\bmp4\b/iu, 'mp4'],
  [/\bwebm\b/iu, 'webm'],
  [/\b(?:mov|prores)\b/iu, 'mov'],
  [/\b(?:animated )?gif\b/iu, 'gif'],
];
const presets: readonly (readonly [RegExp, Preset])[] = [
  [/\btik ?tok\b/iu, 'tiktok'],
  [/\b(?:instagram(?: reels?)?|reels?)\b/iu, 'reels'],
  [/\byou ?tube\b/iu, 'youtube'],
  [/\btwitter\b/iu, 'twitter'],
];
const rates: readonly (readonly [RegExp, 30 | 60])[] = [
  [/\b30 ?(?:fps|frames(?: per second)?|bilder[n]?(?: pro sekunde)?)\b/iu, 30],
  [/\b60 ?(?:fps|frames(?: per second)?|bilder[n]?(?: pro sekunde)?)\b/iu, 60],
];
/** Words that do not change the meaning of a render request. A message with any other word requests something else. */
const filler =
  /\b(?:please|pls|now|just|can|could|you|we|me|it|this|that|the|a|an|my|our|your|final|finished|film|movie|video|animation|clip|version|file|in|as|at|for|to|with|and|then|resolution|quality|format|bitte|jetzt|nun|es|das|den|die|der|ein|eine|einen|finale|fertige|mir|als|für|mit|und|auflösung|s'il te plaît|s'il vous plaît|maintenant|le|la|un|une|en|pour|avec|et|finale?|vidéo|por favor|ahora|lo|el|una|como|para|con|y)\b/giu;
const polite = /^(?:(?:please|pls|now|just|can you|could you|and|then|ok|okay|bitte|jetzt|por favor)[\s,]+)+/iu;

/**
 * Returns the render that the text requests (“render it in 4k”, “export as webm for TikTok”), or `null` if it requests anything
 * else, even in part.
 */
export function renderRequestIn(text: string): RenderRequest | null {
  const request = text.trim().replace(polite, '');
  const isRender = renderVerb.test(request);
  if (!isRender && !makeVerb.test(request)) return null;
  let rest = request.replace(isRender ? renderVerb : makeVerb, ' ');
  const pick = <Value>(choices: readonly (readonly [RegExp, Value])[]): Value | undefined => {
    const found = choices.find(([pattern]) => pattern.test(rest));
    if (found === undefined) return undefined;
    rest = rest.replace(found[0], ' ');
    return found[1];
  };
  const [preset, format, resolution, fps] = [pick(presets), pick(formats), pick(resolutions), pick(rates)];
  if (!isRender && preset === undefined && format === undefined && resolution === undefined) return null;
  if (/[\p{L}\p{N}]/u.test(rest.replaceAll(filler, ' '))) return null;
  // A platform determines the size and the frame rate.
  const size = preset === undefined ? { ...(resolution && { resolution }), ...(fps && { fps }) } : { preset };
  return { kind: 'final', ...(format && { format }), ...size };
}

/** Describes a request for the user: “in 4k as WebM”, “for TikTok”. */
export function describeRequest({ format = 'mp4', preset, resolution, fps }: RenderRequest): string {
  const rules = formatRules[format];
  const size = preset === undefined ? `in ${resolution ?? rules.resolution}` : `for ${platforms[preset].name}`;
  const rate = fps === undefined ? '' : ` at ${fps} fps`;
  return `${size}${rate} as ${rules.name}`;
}
