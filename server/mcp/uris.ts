import { projectIdSchema, renderIdSchema } from '#contract/ids.ts';

/** Addresses of resources: a project, its files, its stills and its videos. */
export const templates = {
  project: 'koda://projects/{project_id}',
  file: 'koda://projects/{project_id}/files/{+path}',
  still: 'koda://projects/{project_id}/stills/{seconds}',
  video: 'koda://projects/{project_id}/renders/{render_id}',
} as const;

export type ResourceAddress =
  | { readonly type: 'project'; readonly projectId: string }
  | { readonly type: 'file'; readonly projectId: string; readonly path: string }
  | { readonly type: 'still'; readonly projectId: string; readonly seconds: number }
  | { readonly type: 'video'; readonly projectId: string; readonly renderId: string };

export const projectUri = (projectId: string) => `koda://projects/${projectId}`;
export const fileUri = (projectId: string, path: string) =>
  `${projectUri(projectId)}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
export const videoUri = (projectId: string, renderId: string) => `${projectUri(projectId)}/renders/${renderId}`;

/** Returns what an address names, or `null` if it is none of a resource. Paths are not validated. */
export function parseUri(uri: string): ResourceAddress | null {
  const match = /^koda:\/\/projects\/([^/]+)(?:\/(files|stills|renders)\/(.+))?$/.exec(uri);
  const projectId = projectIdSchema.safeParse(match?.[1]).data;
  if (projectId === undefined) return null;
  const rest = match?.[3] ?? '';
  switch (match?.[2]) {
    case undefined:
      return { type: 'project', projectId };
    case 'files': {
      const path = decoded(rest);
      return path === null ? null : { type: 'file', projectId, path };
    }
    case 'stills':
      return /^\d{1,3}(\.\d{1,6})?$/.test(rest) ? { type: 'still', projectId, seconds: Number(rest) } : null;
    default: {
      const renderId = renderIdSchema.safeParse(rest).data;
      return renderId === undefined ? null : { type: 'video', projectId, renderId };
    }
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    // Malformed percent encoding.
    return null;
  }
}
