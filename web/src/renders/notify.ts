import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

const key = 'koda:notify';

/** `off`: not asked for. `on`: the system tells. `denied`: the browser does not let us. Null = it cannot. */
export type Notifying = 'off' | 'on' | 'denied' | null;

/** Browsers let pages tell that came over TLS or from this machine; those of Android let nobody but service workers. */
const canTell = () => 'Notification' in window && window.isSecureContext && !/Android/.test(navigator.userAgent);

function now(): Notifying {
  if (!canTell()) return null;
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && wished() ? 'on' : 'off';
}

function wished(): boolean {
  try {
    return window.localStorage.getItem(key) === 'on';
  } catch {
    return false;
  }
}

function wish(state: 'on' | 'off'): void {
  try {
    window.localStorage.setItem(key, state);
  } catch {
    // A browser that keeps nothing: it is asked again next time.
  }
}

const store = createStore<{ readonly state: Notifying }>(() => ({ state: now() }));
export const useNotifying = () => useStore(store, ({ state }) => state);

/** Asks the browser for leave; only after a click, as browsers demand. */
export async function turnOn(): Promise<void> {
  wish('on');
  await Notification.requestPermission();
  store.setState({ state: now() });
}

export function turnOff(): void {
  wish('off');
  store.setState({ state: now() });
}

/** Tells it by the system, if that is wanted and nobody sees the page. */
export function notify(text: string, options: { title: string; icon: string | null; tag: string; onClick: () => void }): void {
  if (now() !== 'on' || !document.hidden) return;
  const { title, icon, tag, onClick } = options;
  const notification = new Notification(title, { body: text, tag, ...(icon ? { icon } : {}) });
  notification.onclick = () => {
    window.focus();
    notification.close();
    onClick();
  };
}
