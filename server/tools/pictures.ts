import { KodaError } from '#contract/errors.ts';
import { allPhases, completed, defineTool, type ToolImage } from './tool.ts';

/** The longer side of a picture for a model: larger ones cost more and are made smaller by the service anyway. */
export const maxPictureSide = 1280;

/** The size in which a picture is taken that was asked for in another: the same shape, no larger than a model can use. */
export function fitForModel({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, maxPictureSide / Math.max(width, height));
  return { width: Math.max(16, Math.round(width * scale)), height: Math.max(16, Math.round(height * scale)) };
}

/** Most that a picture for a model may have, in characters of base64 (1.5 MB): it stays in the conversation, request by request. */
const maxPictureCharacters = 2_000_000;
/** How files of each type begin, in base64. */
const signatures: Record<ToolImage['mediaType'], string> = { 'image/png': 'iVBORw0KGg', 'image/jpeg': '/9j/' };

/**
 * A picture that a sandbox has sent, for a model. Throws TOO_LARGE for one that would fill the conversation, and
 * CAPTURE_FAILED for one that is not what it says to be: a model's service refuses the whole conversation with it.
 */
export function pictureForModel({ mediaType, base64 }: ToolImage): ToolImage {
  if (base64.length > maxPictureCharacters) {
    const sizeMb = ((base64.length * 3) / 4 / 1e6).toFixed(1);
    throw new KodaError('TOO_LARGE', `The picture has ${sizeMb} MB; at most 1.5 MB can be shown. Take it in a smaller size.`);
  }
  if (!base64.startsWith(signatures[mediaType]))
    throw new KodaError(
      'CAPTURE_FAILED',
      `What the sandbox sent as a picture is no ${mediaType.slice('image/'.length).toUpperCase()}.`,
    );
  return { mediaType, base64 };
}

export const viewFile = defineTool('file_view', {
  category: 'file',
  risk: 'low',
  timeoutMs: 60_000,
  phases: allPhases,
  readOnly: true,
  label: (input) => `Looking at ${input.path}`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    const { mediaType, base64, width, height, sizeBytes, pages } = await sandbox.readImage(
      { path: input.path, maxSide: maxPictureSide, page: input.page },
      { signal: context.signal },
    );
    const place = pages === null ? {} : { page: input.page, pages };
    const part = pages === null ? `${width}×${height}` : `page ${input.page} of ${pages}`;
    return completed({ path: input.path, width, height, size_bytes: sizeBytes, ...place }, `Looked at ${input.path}, ${part}`, [
      pictureForModel({ mediaType, base64 }),
    ]);
  },
});
