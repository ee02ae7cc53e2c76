import type { ProjectEvent } from '../../../server/contract/events.ts';
import type { ConnectionState, EventHub } from './hub.ts';

/** What a page says to the worker that holds the stream for all pages. `id` is the page's own name for one following. */
export type ToWorker =
  | { readonly type: 'follow'; readonly id: number; readonly projectId: string; readonly afterSeq: number }
  | { readonly type: 'unfollow'; readonly id: number }
  /** The page is there still, and follows these. */
  | { readonly type: 'alive'; readonly ids: readonly number[] };

export type ToPage =
  /** The worker is there: its answer to all but `unfollow`. */
  | { readonly type: 'here' }
  /** Events that came in one burst, in their order. */
  | { readonly type: 'events'; readonly id: number; readonly events: readonly ProjectEvent[] }
  | { readonly type: 'state'; readonly id: number; readonly state: ConnectionState }
  | { readonly type: 'unreadable'; readonly id: number; readonly message: string }
  /** Nothing more comes under this name. */
  | { readonly type: 'gave-up'; readonly id: number };

/** How often a page says that it is there. */
export const aliveEveryMs = 30_000;
/** A browser lets hidden pages run once a minute; one that was silent for so long is frozen, or gone. */
export const goneAfterMs = 180_000;
/** Within this time the worker answers, even while its program is still to be loaded on a busy machine. */
export const answersWithinMs = 5_000;

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
