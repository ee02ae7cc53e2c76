import { EventHub, type Following } from './hub.ts';
import { aliveEveryMs, responseTimeoutMs, type ToPage, type ToWorker } from './port-server.ts';

type Follow = (following: Following) => () => void;

/** Subset of a worker's port. */
interface Port {
  onmessage: ((event: MessageEvent<ToPage>) => void) | null;
  postMessage(message: ToWorker): void;
}

/**
 * Follows events through the worker behind `port`. `lose` drops all followed projects, as if the worker did not exist. Calls
 * `onUnresponsive` if the worker does not respond, because its script failed to load or it has crashed. Browsers do not report
 * every failed load (Chromium missed one in twenty), and never report a crash.
 */
export function followOver(port: Port, onUnresponsive: () => void): { readonly follow: Follow; readonly lose: () => void } {
  const followings = new Map<number, Following>();
  let count = 0;
  let waiting: ReturnType<typeof setTimeout> | null = null;
  const stopWaiting = () => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = null;
  };
  const say = (message: ToWorker) => {
    port.postMessage(message);
    waiting ??= setTimeout(giveUpOrRetry, responseTimeoutMs, performance.now());
  };
  const giveUpOrRetry = (askedAtMs: number) => {
    waiting = null;
    // After a freeze, timers may fire before queued messages arrive.
    if (performance.now() - askedAtMs > 2 * responseTimeoutMs) alive();
    else onUnresponsive();
  };
  const alive = () => followings.size > 0 && say({ type: 'alive', ids: [...followings.keys()] });
  setInterval(alive, aliveEveryMs);
  // Reports immediately after a page was frozen or in the back/forward cache, because it could not send heartbeats.
  document.addEventListener('visibilitychange', alive);
  window.addEventListener('pageshow', alive);
  window.addEventListener('pagehide', () => {
    for (const id of followings.keys()) port.postMessage({ type: 'unfollow', id });
  });
  port.onmessage = ({ data }) => {
    stopWaiting();
    if (data.type === 'here') return;
    const following = followings.get(data.id);
    if (!following) return;
    switch (data.type) {
      case 'events':
        for (const event of data.events) following.onEvent(event);
        return;
      case 'state':
        following.onState(data.state);
        return;
      case 'unreadable':
        following.onUnreadable(new Error(data.message));
        return;
      case 'gave-up':
        followings.delete(data.id);
        following.onGaveUp();
        return;
    }
  };
  const follow: Follow = (following) => {
    const id = ++count;
    followings.set(id, following);
    say({ type: 'follow', id, projectId: following.projectId, afterSeq: following.afterSeq });
    return () => {
      if (followings.delete(id)) port.postMessage({ type: 'unfollow', id });
    };
  };
  const lose = () => {
    stopWaiting();
    for (const [id, following] of [...followings]) {
      followings.delete(id);
      port.postMessage({ type: 'unfollow', id });
      following.onGaveUp();
    }
  };
  return { follow, lose };
}

let shared: Follow | null = null;

/** Follows a project's events over one stream for all pages in a browser. Without shared workers, each page opens its own. */
export const followEvents: Follow = (following) => {
  shared ??= connect();
  return shared(following);
};

function connect(): Follow {
  if (typeof SharedWorker === 'undefined') return followAlone();
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'koda-events' });
  const fallBackToOwnStream = () => {
    shared = followAlone();
    lose();
  };
  const { follow, lose } = followOver(worker.port, fallBackToOwnStream);
  // The script could not be loaded, for example because the server has a new version. No event would ever arrive.
  worker.addEventListener('error', fallBackToOwnStream);
  return follow;
}

function followAlone(): Follow {
  const hub = new EventHub();
  return (following) => hub.follow(following);
}
