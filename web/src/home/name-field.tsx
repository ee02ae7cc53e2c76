import { type FormEvent, useRef, useState } from 'react';
import { texts } from '../texts.ts';

interface NameFieldProps {
  name: string;
  /** Null when it stays. `byKey`: the focus is still in the field, and has to go somewhere. */
  onDone: (name: string | null, byKey: boolean) => void;
}

/** Takes a new name in the place of the old one. */
export function NameField({ name, onDone }: NameFieldProps) {
  const [draft, setDraft] = useState(name);
  const over = useRef(false);
  const end = (next: string | null, byKey: boolean) => {
    // The focus leaves the field as it goes, too.
    if (over.current) return;
    over.current = true;
    onDone(next === '' || next === name ? null : next, byKey);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    end(draft.trim(), true);
  };
  return (
    <form onSubmit={submit} className="mt-0.5 mr-9 pb-1">
      <input
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the name, which was asked for.
        autoFocus
        value={draft}
        maxLength={80}
        aria-label={texts.home.renameLabel(name)}
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => end(draft.trim(), false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') end(null, true);
        }}
        className="-ml-1.5 h-7 w-full rounded-md border border-line-strong bg-panel px-1.25 font-medium"
      />
    </form>
  );
}
