import { cloneUrl, routes, routeUrl } from '../../../server/contract/routes.ts';
import { call } from './client.ts';

/** Calls about a project's history. Each one throws an ApiError. */
export const historyApi = {
  /** Newest first. */
  list: (id: string, { cursor, limit }: { cursor: string | null; limit: number }, signal?: AbortSignal) =>
    call(routes.checkpoints, { id, query: { limit, ...(cursor !== null && { cursor }) } }, signal ? { signal } : {}),
  keep: (id: string, name: string) => call(routes.keepCheckpoint, { id, body: { name } }),
  /** What changed from `against` (null = the one before) to a checkpoint; with a path, the lines of that file. */
  diff(
    id: string,
    { checkpointId, against, path }: { checkpointId: string; against: string | null; path: string | null },
    signal: AbortSignal,
  ) {
    const query = { ...(against !== null && { against }), ...(path !== null && { path }) };
    return call(routes.checkpointDiff, { id, cid: checkpointId, query }, { signal });
  },
  /** Refused with INVALID_TRANSITION while the agent is at work. Goes on when the page is left. */
  restore: (id: string, cid: string) => call(routes.restoreCheckpoint, { id, cid }),
  /** A new project with the files of a checkpoint. */
  branch: (id: string, checkpointId: string) => call(routes.branchProject, { id, body: { checkpointId } }),
  archiveUrl: (id: string, cid: string) => routeUrl(routes.checkpointArchive, { id, cid }),
  /** What `git clone` takes. `origin` as of `location.origin`. */
  cloneUrl: (id: string, origin: string) => `${origin}${cloneUrl(id)}`,
};
