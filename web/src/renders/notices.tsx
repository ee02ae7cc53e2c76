import { Bell, BellRing } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { type Render, renderFiles } from '#contract/render.ts';
import { addressOf } from '../address.ts';
import { browserStorage } from '../browser-storage.ts';
import { useProject } from '../project/context.ts';
import { finishedSince, newestComplete } from '../project/renders.ts';
import { Button } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { renderLabel } from './render-label.ts';
import { takeAwaited } from './save-frame.tsx';

/** Time in milliseconds for which the notice is shown, long enough to be noticed from elsewhere on the page. */
const shownMs = 12_000;

/** Downloads a file, as a click on its link would. */
function save(url: string): void {
  const link = document.createElement('a');
  link.href = addressOf(`${url}?download`);
  link.download = '';
  link.click();
}

/** Reports finished and failed renders as toasts and system notifications, whatever pane is shown. */
export function FinishNotice() {
  const { handle, workbench } = useProject();
  useEffect(() => {
    const show = (render: Render) => {
      const view = handle.store.getState().view;
      if (!view) return;
      const newestId = newestComplete(view.renders)?.id ?? null;
      workbench.setState({
        chosenTab: 'video',
        pane: 'panes',
        ...(render.status === 'complete' ? { playing: { renderId: render.id, newestId } } : {}),
      });
    };
    const report = (render: Render) => {
      const label = renderLabel(render);
      const isComplete = render.status === 'complete';
      const text = isComplete ? `${label} is finished.` : `${label} failed.`;
      const { videoUrl, thumbnailUrl, settings } = render;
      const { still } = renderFiles[settings.format];
      if (takeAwaited(render.id) && videoUrl) save(videoUrl);
      toast(text, {
        durationMs: shownMs,
        action: { label: isComplete && !still ? 'Play' : 'Show', run: () => show(render) },
        otherAction: videoUrl ? { label: 'Download', run: () => save(videoUrl) } : null,
      });
      const name = handle.store.getState().view?.project.name ?? 'Koda';
      notify(text, { title: name, icon: thumbnailUrl, tag: render.id, onClick: () => show(render) });
    };
    return handle.store.subscribe((state, before) => {
      if (state.view === before.view || !state.view || !before.view) return;
      for (const render of finishedSince(before.view.renders, state.view.renders)) report(render);
    });
  }, [handle, workbench]);
  return null;
}

const key = 'koda:notify';

/** `off`: not requested. `on`: the system notifies. `denied`: the browser blocks it. `null`: unsupported. */
type Notifying = 'off' | 'on' | 'denied' | null;

/** Browsers allow notifications on HTTPS and localhost. On Android, only service workers may send them. */
const canNotify = () => 'Notification' in window && window.isSecureContext && !/Android/.test(navigator.userAgent);

function now(): Notifying {
  if (!canNotify()) return null;
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && browserStorage.read(key) === 'on' ? 'on' : 'off';
}

const remember = (state: 'on' | 'off') => browserStorage.write(key, state);

const store = createStore<{ readonly state: Notifying }>(() => ({ state: now() }));

/** Requests permission. Browsers require a click first. */
async function turnOn(): Promise<void> {
  remember('on');
  await Notification.requestPermission();
  store.setState({ state: now() });
}

function turnOff(): void {
  remember('off');
  store.setState({ state: now() });
}

/** Sends a system notification if the user wants them and the page is hidden. */
function notify(text: string, options: { title: string; icon: string | null; tag: string; onClick: () => void }): void {
  if (now() !== 'on' || !document.hidden) return;
  const { title, icon, tag, onClick } = options;
  const notification = new Notification(title, { body: text, tag, ...(icon ? { icon: addressOf(icon) } : {}) });
  notification.onclick = () => {
    window.focus();
    notification.close();
    onClick();
  };
}

export function NotifyMe() {
  const state = useStore(store, (notifying) => notifying.state);
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
      title={isOn ? 'Turn off notifications for finished renders' : undefined}
      onClick={() => void ask()}
    >
      {isOn ? <BellRing className="size-4 text-accent-text" /> : <Bell className="size-4" />}
      <span className="max-sm:sr-only">{isOn ? 'Notifications are on' : 'Notify me when it’s done'}</span>
    </Button>
  );
}
