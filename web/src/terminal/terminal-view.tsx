import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SquareTerminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toApiError } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { Button, Empty, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { Shells } from './shells.tsx';
import { shellsApi } from './shells-api.ts';

/** Interval at which the page checks for shells that the agent has started or ended. */
const listEveryMs = 4_000;
const startingPauseMs = 1_000;
/** Number of attempts after which a start counts as slow. Most sandboxes start much sooner. */
const longAttempts = 30;

/** Shows the shells in the project's sandbox, which may be suspended or starting. */
export default function TerminalView() {
  const { projectId } = useProject();
  const queries = useQueryClient();
  const suspended = useView((view) => view.project.sandbox === 'stopped' || view.project.sandbox === 'created');
  /** Whether the user asked to start the sandbox, whatever its last reported state. */
  const [wanted, setWanted] = useState(false);
  /** Shells stay on screen when the sandbox is suspended. */
  const [seen, setSeen] = useState(!suspended);
  // The request is fulfilled once the sandbox is running. After a suspension, the user must ask again.
  useEffect(() => {
    if (suspended) return;
    setWanted(false);
    setSeen(true);
  }, [suspended]);
  const running = !suspended || wanted;
  const queryKey = ['shells', projectId];
  const cancel = () => {
    setWanted(false);
    void queries.cancelQueries({ queryKey });
  };
  const shells = useQuery({
    queryKey,
    queryFn: ({ signal }) => shellsApi.list(projectId, signal),
    enabled: running,
    // The request itself starts the sandbox.
    retry: (_count, error) => ['SERVICE_UNAVAILABLE', 'NETWORK'].includes(toApiError(error).code),
    retryDelay: startingPauseMs,
    staleTime: 0,
    refetchInterval: listEveryMs,
  });

  if (shells.data && seen) {
    const sandbox = { running, start: () => setWanted(true), cancel: suspended && wanted ? cancel : null };
    return <Shells shells={shells.data} sandbox={sandbox} />;
  }
  if (!running) {
    return (
      <Empty
        icon={<SquareTerminal />}
        title="The sandbox is suspended"
        text="A terminal runs in the project’s sandbox, with its files. Starting it takes a moment."
      >
        <Button variant="primary" onClick={() => setWanted(true)}>
          Start sandbox
        </Button>
      </Empty>
    );
  }
  if (shells.isError) {
    return (
      <Empty icon={<SquareTerminal />} title="Terminal unavailable">
        <ErrorNotice error={shells.error} />
        <Button className="mt-3" onClick={() => void shells.refetch()}>
          Try again
        </Button>
      </Empty>
    );
  }
  if (!suspended && shells.failureCount === 0) {
    return (
      <p role="status" className="flex h-full items-center justify-center gap-2 text-[13px] text-ink-2">
        <Spinner />
        Loading…
      </p>
    );
  }
  const long = shells.failureCount > longAttempts;
  return (
    <div role="status" className="h-full">
      <Empty
        icon={<Spinner />}
        title="SandboxControl the sandbox…"
        text={long ? 'This is taking longer than usual. Koda keeps trying.' : 'It will contain your last saved files.'}
      >
        {suspended && <Button onClick={cancel}>Cancel</Button>}
      </Empty>
    </div>
  );
}
