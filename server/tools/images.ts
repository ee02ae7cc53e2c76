import { KodaError } from '#contract/errors.ts';
import { maxImageSide } from '#contract/tools.ts';
import { allPhases, completed, defineTool, type ToolImage } from './tool.ts';

/**
 * Limit for an image for a model, in base64 characters (1.5 MB), because it stays in the conversation and is part of every
 * request.
 */
const maxImageCharacters = 2_000_000;
/** First base64 characters of each type. */
const signatures: Record<ToolImage['mediaType'], string> = { 'image/png': 'iVBORw0KGg', 'image/jpeg': '/9j/' };

/**
 * Validates an image from a sandbox for a model. Throws TOO_LARGE if it would fill the conversation, and CAPTURE_FAILED if
 * its type is wrong, because the model's service would reject the whole conversation.
 */
export function imageForModel({ mediaType, base64 }: ToolImage): ToolImage {
  if (base64.length > maxImageCharacters) {
    const sizeMb = ((base64.length * 3) / 4 / 1e6).toFixed(1);
    throw new KodaError('TOO_LARGE', `The image is ${sizeMb} MB, but the limit is 1.5 MB. Request a smaller size.`);
  }
  if (!base64.startsWith(signatures[mediaType]))
    throw new KodaError(
      'CAPTURE_FAILED',
      `The image from the sandbox is not a valid ${mediaType.slice('image/'.length).toUpperCase()}.`,
    );
  return { mediaType, base64 };
}

/** Returns a check's frames for a model, or `undefined` if there are none. */
export function sheetImages(contactSheet: string | null): readonly ToolImage[] | undefined {
  return contactSheet === null ? undefined : [imageForModel({ mediaType: 'image/jpeg', base64: contactSheet })];
}

export const viewFile = defineTool('file_view', {
  category: 'file',
  risk: 'low',
  timeoutMs: 60_000,
  phases: allPhases,
  readOnly: true,
  label: (input) => `Viewing ${input.path}`,
  async run(input, context) {
    const { sandbox } = await context.sandbox();
    const { mediaType, base64, width, height, sizeBytes, pages } = await sandbox.readImage(
      { path: input.path, maxSide: maxImageSide, page: input.page },
      { signal: context.signal },
    );
    const place = pages === null ? {} : { page: input.page, pages };
    const part = pages === null ? `${width}×${height}` : `page ${input.page} of ${pages}`;
    return completed({ path: input.path, width, height, size_bytes: sizeBytes, ...place }, `Viewed ${input.path}, ${part}`, [
      imageForModel({ mediaType, base64 }),
    ]);
  },
});
