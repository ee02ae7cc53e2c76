import { EventHub, type Following } from './hub.ts';
import { aliveEveryMs, answersWithinMs, type ToPage, type ToWorker } from './port-server.ts';

/** Follows a project's events until the returned function is called. */
type Follow = (following: Following) => () => void;

/** The used part of a worker's port. */
interface Port {
  onmessage: ((event: MessageEvent<ToPage>) => void) | null;
  postMessage(message: ToWorker): void;
}

/**
 * Follows through the worker behind `port`; `lose` gives up all followed projects, as without a worker.
 * Calls `onSilent` when the worker does not answer: its script could not be loaded, or it has died. Browsers
 * do not always report the former (Chromium omitted one in twenty), and never the latter.
 */
export function followOver(port: Port, onSilent: () => void): { readonly follow: Follow; readonly lose: () => void } {
  const followings = new Map<number, Following>();
  let count = 0;
  let waiting: ReturnType<typeof setTimeout> | null = null;
  const stopWaiting = () => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = null;
  };
  const say = (message: ToWorker) => {
    port.postMessage(message);
    waiting ??= setTimeout(giveUpOrAskAgain, answersWithinMs, performance.now());
  };
  const giveUpOrAskAgain = (askedAtMs: number) => {
    waiting = null;
    // After a freeze, a page's timers may run before its messages.
    if (performance.now() - askedAtMs > 2 * answersWithinMs) alive();
    else onSilent();
  };
  const alive = () => followings.size > 0 && say({ type: 'alive', ids: [...followings.keys()] });
  setInterval(alive, aliveEveryMs);
  // A page that was frozen or in the back/forward cache was silent meanwhile.
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

/** All pages of a browser share one stream; a page without a shared worker has its own. */
export const followEvents: Follow = (following) => {
  shared ??= connect();
  return shared(following);
};

function connect(): Follow {
  if (typeof SharedWorker === 'undefined') return followAlone();
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'koda-events' });
  const goOnAlone = () => {
    shared = followAlone();
    lose();
  };
  const { follow, lose } = followOver(worker.port, goOnAlone);
  // Its script could not be loaded, e.g. because the server has a new version: no event would ever come.
  worker.addEventListener('error', goOnAlone);
  return follow;
}

function followAlone(): Follow {
  const hub = new EventHub();
  return (following) => hub.follow(following);
}
