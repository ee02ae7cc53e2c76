import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { historyApi } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { type CheckpointPage, withNewest } from './entries.ts';

const pageSize = 60;
const newestSize = 20;
/** Checkpoints come in groups. One request after the last one covers them all. */
const settleMs = 300;

/** Returns the history page by page, newest first. New checkpoints appear at the top. */
export function useCheckpoints() {
  const { projectId } = useProject();
  const version = useView((view) => view.historyVersion);
  const client = useQueryClient();
  const queryKey = useMemo(() => ['checkpoints', projectId], [projectId]);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => historyApi.list(projectId, { cursor: pageParam, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    // Only the newest page changes, and the effect below fetches it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  // The `historyVersion` up to which the list is complete.
  const covered = useRef(query.data ? null : version);
  const ready = query.isSuccess && !query.isFetching;
  useEffect(() => {
    if (!ready || covered.current === version) return;
    const stop = new AbortController();
    const refresh = async () => {
      try {
        const newest = await historyApi.list(projectId, { cursor: null, limit: newestSize }, stop.signal);
        covered.current = version;
        client.setQueryData<InfiniteData<CheckpointPage, string | null>>(queryKey, (known) => known && withNewest(known, newest));
      } catch {
        // The next checkpoint triggers another attempt. The top bar reports an unavailable server.
      }
    };
    const timer = setTimeout(() => void refresh(), settleMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [ready, version, projectId, client, queryKey]);
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  return { query, entries };
}
