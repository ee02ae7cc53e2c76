import { Bell, BellRing } from 'lucide-react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { browserStorage } from '../browser-storage.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';

const key = 'koda:notify';

/** `off`: not asked for. `on`: the system tells. `denied`: the browser does not let us. Null = it cannot. */
type Notifying = 'off' | 'on' | 'denied' | null;

/** Browsers let pages tell that came over TLS or from this machine; those of Android let nobody but service workers. */
const canTell = () => 'Notification' in window && window.isSecureContext && !/Android/.test(navigator.userAgent);

function now(): Notifying {
  if (!canTell()) return null;
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && browserStorage.read(key) === 'on' ? 'on' : 'off';
}

const wish = (state: 'on' | 'off') => browserStorage.write(key, state);

const store = createStore<{ readonly state: Notifying }>(() => ({ state: now() }));
const useNotifying = () => useStore(store, ({ state }) => state);

/** Asks the browser for leave; only after a click, as browsers demand. */
async function turnOn(): Promise<void> {
  wish('on');
  await Notification.requestPermission();
  store.setState({ state: now() });
}

function turnOff(): void {
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

/** Lets the system tell when a render is done while nobody looks. The browser asks for leave after a click on it. */
export function TellMe() {
  const state = useNotifying();
  if (state === null) return null;
  const ask = async () => {
    if (state === 'on') turnOff();
    else if (state === 'denied')
      toast('Your browser blocks notifications from this page. Allow them in the site settings, then try again.');
    else await turnOn();
  };
  const isOn = state === 'on';
  return (
    <Button
      size="sm"
      variant="quiet"
      aria-pressed={isOn}
      title={isOn ? 'Stop notifying me when a render is done' : undefined}
      onClick={() => void ask()}
    >
      {isOn ? (
        <BellRing aria-hidden="true" className="size-4 text-accent-text" />
      ) : (
        <Bell aria-hidden="true" className="size-4" />
      )}
      <span className="max-sm:sr-only">{isOn ? 'Notifying you when it is done' : 'Notify me when it is done'}</span>
    </Button>
  );
}
