import { allPhases, completed, defineTool } from './define.ts';

/** The longer side of a picture for a model: larger ones cost more and are made smaller by the service anyway. */
export const maxPictureSide = 1280;

/** The size in which a picture is taken that was asked for in another: the same shape, no larger than a model can use. */
export function fitForModel({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, maxPictureSide / Math.max(width, height));
  return { width: Math.max(16, Math.round(width * scale)), height: Math.max(16, Math.round(height * scale)) };
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
    const { mediaType, base64, width, height, sizeBytes } = await sandbox.picture(
      { path: input.path, maxSide: maxPictureSide },
      { signal: context.signal },
    );
    return completed({ path: input.path, width, height, size_bytes: sizeBytes }, `Looked at ${input.path}, ${width}×${height}`, [
      { mediaType, base64 },
    ]);
  },
});
