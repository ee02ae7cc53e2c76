import { KodaError } from '../contract/errors.ts';
import { formatsWith, type Preset, type RenderFormat, type RenderRequest, renderFiles } from '../contract/render.ts';

interface FormatRules {
  /** What is said to a person. */
  readonly name: string;
  /** The scale of constant quality and the value that looks like the others; null = the format has none. */
  readonly crf: { readonly normal: number; readonly max: number } | null;
  readonly resolution: '720p' | '1080p';
  readonly fps: number;
}

const film = { crf: null, resolution: '1080p', fps: 60 } as const;

/**
 * What each format can do and what it is made with when nothing else is asked. A GIF times its frames in hundredths of a
 * second: 25 and 50 fps are exact, 30 become 33⅓ and 60 become 50.
 */
export const formatRules: Record<RenderFormat, FormatRules> = {
  mp4: { ...film, name: 'MP4', crf: { normal: 18, max: 51 } },
  webm: { ...film, name: 'WebM', crf: { normal: 24, max: 63 } },
  mov: { ...film, name: 'MOV' },
  gif: { ...film, name: 'GIF', resolution: '720p', fps: 25 },
  'png-sequence': { ...film, name: 'PNG sequence' },
  png: { ...film, name: 'PNG' },
  jpeg: { ...film, name: 'JPEG' },
};

/** What the platforms take of what can be made. */
const presetFormats: Record<Preset, readonly RenderFormat[]> = {
  youtube: ['mp4', 'webm', 'mov'],
  reels: ['mp4'],
  tiktok: ['mp4', 'webm'],
  twitter: ['mp4'],
};

/** Throws VALIDATION_ERROR when what is asked does not go together with the format; the message names what does. */
export function assertFits(request: RenderRequest, format: RenderFormat): void {
  const { name, crf } = formatRules[format];
  const { still, alpha } = renderFiles[format];
  if (request.transparent && !alpha)
    throw refused(`${name} has no transparency. These formats have: ${formatsWith((file) => file.alpha)}.`);
  if (request.transparent && request.preset !== undefined)
    throw refused(`A video for ${request.preset} is not transparent. Leave out the preset or the transparency.`);
  const taken = request.preset === undefined ? null : presetFormats[request.preset];
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
