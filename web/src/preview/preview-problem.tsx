import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, RotateCw, Square, Wrench } from 'lucide-react';
import type { PreviewServerRequest } from '#contract/api.ts';
import type { PreviewError } from '#contract/project.ts';
import { api } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { Button, ErrorNotice } from '../ui/elements.tsx';

const shownLines = 10;

function repairRequest({ message }: PreviewError): string {
  return `The live preview is broken. Repair it.\n\n${message}`;
}

/** Overlays the film with the reason why the preview is broken, and offers to fix it. */
export function PreviewProblem({ error }: { error: PreviewError }) {
  const { projectId } = useProject();
  const [title = '', ...lines] = error.message.split('\n');
  // While a question or plan is open, a message would be the reply to it.
  const acceptsMessage = useView(({ approval }) => approval === null || approval.type === 'preview');
  const health = useQuery({ queryKey: ['health'], queryFn: ({ signal }) => api.health(signal) });
  const control = useControlPreview();
  const repair = useMutation({ mutationFn: () => api.sendMessage(projectId, repairRequest(error)) });
  const failure = control.error ?? repair.error;
  return (
    <div
      role="alert"
      className="absolute inset-x-3 bottom-3 z-30 mx-auto flex max-h-[90%] max-w-2xl animate-rise flex-col gap-2 overflow-hidden rounded-xl border border-bad/30 bg-panel p-3 text-left text-[13px] shadow-card"
    >
      <p className="flex items-center gap-2 font-medium text-bad">
        <CircleAlert className="size-4 shrink-0" />
        {title}
      </p>
      {lines.length > 0 && (
        <pre className="min-h-0 overflow-auto whitespace-pre-wrap rounded-lg bg-sunken p-2 font-mono text-ink-2 text-xs">
          {lines.slice(0, shownLines).join('\n')}
        </pre>
      )}
      {failure && <ErrorNotice error={failure} />}
      <div className="flex flex-wrap gap-2">
        {health.data?.model.canRepair && acceptsMessage && (
          <Button
            size="sm"
            variant="primary"
            icon={Wrench}
            pending={repair.isPending && 'Sending…'}
            disabled={repair.isSuccess}
            onClick={() => repair.mutate()}
          >
            {repair.isSuccess ? 'Repair requested' : 'Ask to repair'}
          </Button>
        )}
        <Button
          size="sm"
          icon={RotateCw}
          pending={control.isPending && control.variables === 'restart' && 'Restarting…'}
          onClick={() => control.mutate('restart')}
        >
          Restart
        </Button>
        <Button
          size="sm"
          variant="quiet"
          icon={Square}
          pending={control.isPending && control.variables === 'stop' && 'Stopping…'}
          onClick={() => control.mutate('stop')}
        >
          Stop
        </Button>
      </div>
    </div>
  );
}

export function useControlPreview() {
  const { projectId } = useProject();
  return useMutation({ mutationFn: (action: PreviewServerRequest['action']) => api.controlPreview(projectId, action) });
}
