import { Pencil } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../../ui/elements.tsx';
import type { FilmStore } from './film-store.ts';

interface ChangeBoxProps {
  store: FilmStore;
  label: string;
  example: string;
  /** The primary button, before the one that opens the text box. */
  children: ReactNode;
}

/** Row of actions: a primary one, and a text box for changes. */
export function ChangeBox({ store, label, example, children }: ChangeBoxProps) {
  const id = useId();
  const pending = useStore(store.state, (state) => state.pending);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    await store.change(text.trim());
    if (store.state.getState().failure !== null) return;
    setText('');
    setOpen(false);
  };
  return (
    <div className="mt-4 border-line border-t pt-4">
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Button icon={Pencil} aria-expanded={isOpen} disabled={pending !== null} onClick={() => setOpen(!isOpen)}>
          Change
        </Button>
      </div>
      {isOpen && (
        <form onSubmit={send} className="mt-3">
          <label htmlFor={id} className="font-medium text-[13px]">
            {label}
          </label>
          <textarea
            id={id}
            // biome-ignore lint/a11y/noAutofocus: the user has just opened it.
            autoFocus
            rows={3}
            maxLength={10_000}
            value={text}
            placeholder={example}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send(event);
              if (event.key === 'Escape') setOpen(false);
            }}
            className="mt-1 block w-full resize-y rounded-lg border border-line-strong bg-panel px-3 py-2 text-sm placeholder:text-ink-3"
          />
          <div className="mt-2 flex gap-2">
            <Button
              type="submit"
              variant="primary"
              disabled={text.trim() === '' || pending !== null}
              pending={pending === 'change' && 'Sending…'}
            >
              Send change
            </Button>
            <Button variant="quiet" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}
