import { assetIdSchema, projectIdSchema, renderIdSchema } from '../ids.ts';

/** A surface shows only Koda's own pictures: uploads, and pictures of renders. An address elsewhere would tell who looks at it. */

const asset = /^\/api\/projects\/([^/]+)\/assets\/([^/]+)$/;
const render = /^\/storage\/renders\/([^/]+)\/thumbnail\.jpg$/;

/** Returns whether a text is the path of one of Koda's own pictures. Whether the picture exists and may be seen is for its route. */
export function isPicture(path: string): boolean {
  const [, project, upload] = asset.exec(path) ?? [];
  if (project !== undefined) return projectIdSchema.safeParse(project).success && assetIdSchema.safeParse(upload).success;
  return renderIdSchema.safeParse(render.exec(path)?.[1]).success;
}
