import { Bell, BellRing } from 'lucide-react';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';
import { turnOff, turnOn, useNotifying } from './notify.ts';

/** Lets the system tell when a render is done while nobody looks. The browser asks for leave after a click on it. */
export function TellMe() {
  const state = useNotifying();
  if (state === null) return null;
  const ask = async () => {
    if (state === 'on') turnOff();
    else if (state === 'denied') toast(texts.renders.news.denied);
    else await turnOn();
  };
  const isOn = state === 'on';
  return (
    <Button
      size="sm"
      variant="quiet"
      aria-pressed={isOn}
      title={isOn ? texts.renders.news.stop : undefined}
      onClick={() => void ask()}
    >
      {isOn ? (
        <BellRing aria-hidden="true" className="size-4 text-accent-text" />
      ) : (
        <Bell aria-hidden="true" className="size-4" />
      )}
      <span className="max-sm:sr-only">{isOn ? texts.renders.news.asked : texts.renders.news.ask}</span>
    </Button>
  );
}
