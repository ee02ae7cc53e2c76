import type { ProjectEvent } from '#contract/events.ts';
import type { ConnectionState, EventHub } from './hub.ts';

/**
 * Messages from a page to the worker, which owns the stream for all pages. `id` identifies one of the page's subscriptions.
 */
export type ToWorker =
  | { readonly type: 'follow'; readonly id: number; readonly projectId: string; readonly afterSeq: number }
  | { readonly type: 'unfollow'; readonly id: number }
  /** Reports that the page is still open and follows these ids. */
  | { readonly type: 'alive'; readonly ids: readonly number[] };

export type ToPage =
  /** The worker's response to every message except `unfollow`. */
  | { readonly type: 'here' }
  /** Events in one burst, in order. */
  | { readonly type: 'events'; readonly id: number; readonly events: readonly ProjectEvent[] }
  | { readonly type: 'state'; readonly id: number; readonly state: ConnectionState }
  | { readonly type: 'unreadable'; readonly id: number; readonly message: string }
  /** The last message for this id. */
  | { readonly type: 'gave-up'; readonly id: number };

export const aliveEveryMs = 30_000;
/** Browsers run hidden pages once a minute. A page without messages for this long is frozen or closed. */
export const presumedClosedAfterMs = 180_000;
/** Time limit for the worker's response, including loading its script on a busy machine. */
export const responseTimeoutMs = 5_000;

interface Port {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: ToPage): void;
}

/** Events within this time are sent to the page in one message. */
const burstMs = 16;

/**
 * Serves one page over its port. Workers receive no event when a page closes, so a page without messages for
 * `presumedClosedAfterMs` is presumed closed, and its subscriptions end. A page that returns subscribes again.
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
    }, presumedClosedAfterMs);
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
        // The page was presumed closed in the meantime.
        for (const id of data.ids) if (!stops.has(id)) port.postMessage({ type: 'gave-up', id });
        return;
    }
  };
}
