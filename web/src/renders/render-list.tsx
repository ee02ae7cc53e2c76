import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { QueueTurn } from '../../../server/contract/estimate.ts';
import type { Render } from '../../../server/contract/render.ts';
import { renderApi } from '../api/renders.ts';
import { useProject } from '../project/context.ts';
import { RenderRow } from './render-row.tsx';

/** Turns change when others come and go, which no event of this project tells. */
const queueIntervalMs = 5000;

interface RenderListProps {
  renders: readonly Render[];
  shown: string | null;
  onPlay: (renderId: string) => void;
}

/** All renders, newest first. */
export function RenderList({ renders, shown, onPlay }: RenderListProps) {
  const { projectId } = useProject();
  const turns = useTurns(projectId, renders);
  return (
    <ul className="flex flex-col gap-0.5 px-2 pb-2">
      {renders.map((render) => (
        <RenderRow
          key={render.id}
          render={render}
          shown={render.id === shown}
          turn={render.status === 'queued' ? (turns.get(render.id) ?? null) : null}
          onPlay={onPlay}
        />
      ))}
    </ul>
  );
}

function useTurns(projectId: string, renders: readonly Render[]): ReadonlyMap<string, QueueTurn> {
  // Asked anew when one comes, begins or ends.
  const atWork = renders.filter(({ status }) => status === 'queued' || status === 'running').map(({ id, status }) => id + status);
  const waiting = renders.some(({ status }) => status === 'queued');
  const { data } = useQuery({
    queryKey: ['queue', projectId, atWork.join(' ')],
    queryFn: ({ signal }) => renderApi.queue(projectId, signal),
    enabled: waiting,
    refetchInterval: queueIntervalMs,
  });
  return useMemo(() => new Map(data?.items.map((turn) => [turn.renderId, turn])), [data]);
}
