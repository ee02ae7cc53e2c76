import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SquareTerminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { toApiError } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Shells } from './shells.tsx';
import { shellsApi } from './shells-api.ts';

/** How often the list is looked at for shells that the agent has begun or ended. */
const listEveryMs = 4_000;
const startingPauseMs = 1_000;
/** A sandbox usually is up long before. */
const longAttempts = 30;

/** Shells in the project's sandbox: asleep, on its way up, or there. */
export default function TerminalView() {
  const { projectId } = useProject();
  const queries = useQueryClient();
  const asleep = useView((view) => view.project.sandbox === 'stopped' || view.project.sandbox === 'created');
  /** Somebody wants it up, whatever the last news of it was. */
  const [waking, setWaking] = useState(false);
  // Once it was up, a wish is fulfilled: when it falls asleep again, that is another matter.
  useEffect(() => {
    if (!asleep) setWaking(false);
  }, [asleep]);
  const awake = !asleep || waking;
  const queryKey = ['shells', projectId];
  const shells = useQuery({
    queryKey,
    queryFn: ({ signal }) => shellsApi.list(projectId, signal),
    enabled: awake,
    // What is not there is brought up by asking for it.
    retry: (_count, error) => ['SERVICE_UNAVAILABLE', 'NETWORK'].includes(toApiError(error).code),
    retryDelay: startingPauseMs,
    staleTime: 0,
    refetchInterval: listEveryMs,
  });

  if (shells.data) return <Shells shells={shells.data} awake={awake} onWake={() => setWaking(true)} />;
  if (!awake) {
    return (
      <Empty icon={<SquareTerminal />} title={texts.terminal.asleepTitle} text={texts.terminal.asleepText}>
        <Button variant="primary" onClick={() => setWaking(true)}>
          {texts.terminal.wake}
        </Button>
      </Empty>
    );
  }
  if (shells.isError) {
    return (
      <Empty icon={<SquareTerminal />} title={texts.terminal.failedTitle} text="">
        <ErrorNotice error={shells.error} />
        <Button className="mt-3" onClick={() => void shells.refetch()}>
          {texts.common.retry}
        </Button>
      </Empty>
    );
  }
  const long = shells.failureCount > longAttempts;
  return (
    <div role="status" className="h-full">
      <Empty
        icon={<Spinner />}
        title={texts.terminal.startingTitle}
        text={long ? texts.terminal.startingLong : texts.terminal.startingText}
      >
        {asleep && (
          <Button
            onClick={() => {
              setWaking(false);
              void queries.cancelQueries({ queryKey });
            }}
          >
            {texts.common.cancel}
          </Button>
        )}
      </Empty>
    </div>
  );
}
