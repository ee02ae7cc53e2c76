import type { ProjectEvent } from '../../../server/contract/events.ts';
import type { EventHub } from './hub.ts';
import { goneAfterMs, type ToPage, type ToWorker } from './messages.ts';

/** As much of a MessagePort as is needed. */
interface Port {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: ToPage): void;
}

/** Events that came within this time go to the page in one message. */
const burstMs = 16;

/**
 * Serves one page over its port. Nobody tells a worker that a page is gone, so one that says nothing for
 * `goneAfterMs` is taken for gone, and what it followed is given up: when it comes back, it asks anew.
 */
export function servePort(port: Port, hub: EventHub): void {
  const stops = new Map<number, () => void>();
  let silence: ReturnType<typeof setTimeout> | undefined;

  const stop = (id: number) => {
    stops.get(id)?.();
    stops.delete(id);
  };

  const follow = ({ id, projectId, afterSeq }: Extract<ToWorker, { type: 'follow' }>) => {
    let burst: ProjectEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const flush = () => {
      timer = null;
      if (burst.length > 0) port.postMessage({ type: 'events', id, events: burst });
      burst = [];
    };
    const unfollow = hub.follow({
      projectId,
      afterSeq,
      onEvent(event) {
        burst.push(event);
        timer ??= setTimeout(flush, burstMs);
      },
      onState: (state) => port.postMessage({ type: 'state', id, state }),
      onUnreadable: (error) => port.postMessage({ type: 'unreadable', id, message: error.message }),
      onGaveUp() {
        flush();
        stops.delete(id);
        port.postMessage({ type: 'gave-up', id });
      },
    });
    stops.set(id, () => {
      if (timer !== null) clearTimeout(timer);
      unfollow();
    });
  };

  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      for (const id of [...stops.keys()]) stop(id);
    }, goneAfterMs);
  };

  port.onmessage = ({ data }) => {
    heard();
    switch (data.type) {
      case 'follow':
        port.postMessage({ type: 'here' });
        follow(data);
        return;
      case 'unfollow':
        stop(data.id);
        return;
      case 'alive':
        port.postMessage({ type: 'here' });
        // It was taken for gone meanwhile.
        for (const id of data.ids) if (!stops.has(id)) port.postMessage({ type: 'gave-up', id });
        return;
    }
  };
}
