import { Check, CircleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import data from '../data/use-data.ts';
import { Key } from './button.tsx';
import { Icon } from './icon.tsx';

interface ToastMessage {
  readonly id: number;
  readonly text: string;
  readonly problem: boolean;
  readonly undo: (() => void) | null;
}

const useToasts = create<{ shown: ToastMessage | null; said: string }>(() => ({ shown: null, said: '' }));
let count = 0;

const plainMs = 6000;
/** A problem has to be read, and says what was not done. */
const problemMs = 10_000;

/** Names what happened, for 6 s, or 10 s if it is a problem. A new one replaces the last. `undo` offers to take it back. */
export function toast(text: string, options: { undo?: () => void; problem?: boolean } = {}): void {
  count += 1;
  useToasts.setState({ shown: { id: count, text, problem: options.problem ?? false, undo: options.undo ?? null }, said: text });
}

/** Says something to people who do not see the screen: “15 items”. */
export function announce(text: string): void {
  useToasts.setState({ said: text });
}

/** Shows messages, and names each change of the data with an offer to undo it. */
export function Toaster() {
  const { shown, said } = useToasts();
  const { lastStep } = data.useStatus();
  const first = useRef(lastStep);
  useEffect(() => {
    if (lastStep === null || lastStep === first.current) return;
    const { name, kind } = lastStep;
    if (kind === 'done') toast(name, { undo: () => data.undo() });
    else toast(`${kind === 'undone' ? 'Undone' : 'Redone'}: ${name}`);
  }, [lastStep]);
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {said}
      </div>
      <section className="toasts" aria-label="Messages">
        {shown && <Toast key={shown.id} message={shown} />}
      </section>
    </>
  );
}

const close = () => useToasts.setState({ shown: null });

/** Stays while the pointer is on it or the focus in it. */
function Toast({ message: { text, problem, undo } }: { message: ToastMessage }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(close, problem ? problemMs : plainMs);
    return () => clearTimeout(timer);
  }, [isHeld, problem]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer and the focus only keep the message, and its buttons act.
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon of={problem ? CircleAlert : Check} />
      <span className="min-w-0 flex-1">{text}</span>
      {undo && (
        <button
          type="button"
          onClick={() => {
            undo();
            close();
          }}
        >
          Undo <Key>Ctrl Z</Key>
        </button>
      )}
      <button type="button" aria-label="Close the message" onClick={close}>
        <Icon of={X} size={14} />
      </button>
    </div>
  );
}
