import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { stillKey } from '#contract/still.ts';
import { toApiError } from '../api/client.ts';
import { filmApi } from '../api/film-document.ts';
import { useProject, useView } from '../project/context.ts';
import { isRunning } from '../project/renders.ts';
import { useEditorState } from './document-store.ts';

const maxRetryDelayMs = 10_000;
/** Codes of errors that end when Koda, a render or the preview's start is finished. */
const passingErrors: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'NETWORK']);

let turns: Promise<unknown> = Promise.resolve();

/** Runs tasks one after another, because a browser opens only a few connections and edits need one. */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const result = turns.then(task);
  turns = result.catch(() => undefined);
  return result;
}

/** Returns the address of the scene's newest still, which may be older than the last edit, or `null` if there is none yet. */
export function useStill(sceneId: string): string | null {
  const { projectId } = useProject();
  const stored = useEditorState(({ film }) => film?.stored ?? null);
  const key = useMemo(() => (stored === null ? null : stillKey(stored, sceneId)), [stored, sceneId]);
  // The server would reject requests in all other states.
  const canCapture = useView(
    ({ project, renders }) => project.previewUrl !== null && !project.running && !renders.some(isRunning),
  );
  const { data } = useQuery({
    queryKey: ['still', projectId, sceneId, key],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        signal.throwIfAborted();
        return await filmApi.sceneStill(projectId, sceneId, key ?? '', signal);
      }),
    enabled: key !== null && canCapture,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (_, error) => passingErrors.has(toApiError(error).code),
    retryDelay: (failures) => Math.min(maxRetryDelayMs, 1000 * 1.5 ** failures),
    placeholderData: (before) => before,
  });
  return data ?? null;
}
