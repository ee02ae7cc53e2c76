import { useEffect, useRef } from 'react';
import { useWorkbench } from '../project/context.ts';

/** Brings the preview to the moment that another part of the page asked for, once it answers. */
export function useSeekRequests(show: (seconds: number) => void, ready: boolean): void {
  const request = useWorkbench((workbench) => workbench.seekRequest);
  const answered = useRef<typeof request>(null);
  useEffect(() => {
    if (request === null || request === answered.current || !ready) return;
    answered.current = request;
    show(request.seconds);
  }, [request, ready, show]);
}
