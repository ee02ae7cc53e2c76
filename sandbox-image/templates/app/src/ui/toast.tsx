import { Check, CircleAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
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

/** Names what happened, for 6 s. A new one replaces the last. `undo` offers to take it back. */
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
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => useToasts.setState({ shown: null }), 6000);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <>
      <div role="status" aria-live="polite" className="sr-only">
        {said}
      </div>
      <section className="toasts" aria-label="Messages">
        {shown && (
          <div className="toast" key={shown.id}>
            <Icon of={shown.problem ? CircleAlert : Check} />
            <span className="min-w-0">{shown.text}</span>
            {shown.undo && (
              <button
                type="button"
                onClick={() => {
                  shown.undo?.();
                  useToasts.setState({ shown: null });
                }}
              >
                Undo <Key>Ctrl Z</Key>
              </button>
            )}
          </div>
        )}
      </section>
    </>
  );
}
