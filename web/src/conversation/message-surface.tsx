import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { readSurface } from '#contract/surface/messages.ts';
import type { Surface, SurfaceMessages } from '#contract/surface/surface.ts';
import { api } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { actionOf, type PressedAction } from '../surface/surface-context.ts';
import { SurfaceRefusal } from '../surface/surface-refusal.tsx';
import { SurfaceView } from '../surface/surface-view.tsx';
import { useSurface } from '../surface/use-surface.ts';
import { ErrorNotice } from '../ui/elements.tsx';

/** Shows a surface below a message. Its actions become user messages. */
export function MessageSurface({ messages }: { messages: SurfaceMessages }) {
  const read = useMemo(() => readSurface(messages), [messages]);
  return read.ok ? <Shown given={read.value} /> : <SurfaceRefusal issue={read.issue} />;
}

function Shown({ given }: { given: Surface }) {
  const { projectId } = useProject();
  const { surface, setData } = useSurface(given);
  const acting = useMutation({
    mutationFn: (pressed: PressedAction) => api.act(projectId, actionOf(surface.surfaceId, pressed)),
  });
  return (
    <div className="mt-2.5 flex min-w-0 flex-col gap-2.5 rounded-xl border border-line p-3.5">
      <SurfaceView surface={surface} busy={acting.isPending} onData={setData} onAction={acting.mutate} />
      {acting.isError && <ErrorNotice error={acting.error} onDismiss={() => acting.reset()} />}
    </div>
  );
}
