import { page } from '../../../server/contract/api.ts';
import {
  checkpointEntrySchema,
  checkpointResponseSchema,
  diffResponseSchema,
  restoreResponseSchema,
} from '../../../server/contract/history.ts';
import { projectSchema } from '../../../server/contract/project.ts';
import { getJson, jsonInit, send } from './client.ts';

const checkpointPageSchema = page(checkpointEntrySchema);
const checkpoints = (projectId: string) => `/api/projects/${encodeURIComponent(projectId)}/checkpoints`;
const checkpoint = (projectId: string, id: string) => `${checkpoints(projectId)}/${encodeURIComponent(id)}`;

/** Calls about a project's history. Each one throws an ApiError. */
export const historyApi = {
  /** Newest first. */
  list(projectId: string, { cursor, limit }: { cursor: string | null; limit: number }, signal?: AbortSignal) {
    const query = new URLSearchParams({ limit: String(limit) });
    if (cursor !== null) query.set('cursor', cursor);
    return getJson(`${checkpoints(projectId)}?${query}`, checkpointPageSchema, signal);
  },
  async keep(projectId: string, name: string) {
    const response = await send(checkpoints(projectId), jsonInit('POST', { name }));
    return checkpointResponseSchema.parse(await response.json());
  },
  /** What changed from `against` (null = the one before) to a checkpoint; with a path, the lines of that file. */
  diff(
    projectId: string,
    { checkpointId, against, path }: { checkpointId: string; against: string | null; path: string | null },
    signal: AbortSignal,
  ) {
    const query = new URLSearchParams();
    if (against !== null) query.set('against', against);
    if (path !== null) query.set('path', path);
    return getJson(`${checkpoint(projectId, checkpointId)}/diff?${query}`, diffResponseSchema, signal);
  },
  /** Refused with INVALID_TRANSITION while the agent is at work. Goes on when the page is left. */
  async restore(projectId: string, checkpointId: string) {
    const response = await send(`${checkpoint(projectId, checkpointId)}/restore`, jsonInit('POST', {}));
    return restoreResponseSchema.parse(await response.json());
  },
  /** A new project with the files of a checkpoint. */
  async branch(projectId: string, checkpointId: string) {
    const path = `/api/projects/${encodeURIComponent(projectId)}/branch`;
    const response = await send(path, jsonInit('POST', { checkpointId }));
    return projectSchema.parse(await response.json());
  },
  archiveUrl: (projectId: string, checkpointId: string) => `${checkpoint(projectId, checkpointId)}/archive.zip`,
  /** What `git clone` takes. `origin` as of `location.origin`. */
  cloneUrl: (projectId: string, origin: string) => `${origin}/git/${encodeURIComponent(projectId)}.git`,
};
