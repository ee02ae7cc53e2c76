import { KodaError } from '../contract/errors.ts';
import { formatsWith, type RenderFormat, type RenderRequest, renderFiles } from '../contract/render.ts';
import { formatRules, platforms } from '../contract/render-rules.ts';

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
