import { type FormEvent, useRef, useState } from 'react';

interface NameFieldProps {
  name: string;
  label: string;
  className: string;
  /** Receives the new name, or `null` if it is unchanged. `byKey`: the focus is still in the field and must move. */
  onDone: (name: string | null, byKey: boolean) => void;
}

/** Renames a project inline. Enter or a click elsewhere saves; Escape cancels. */
export function NameField({ name, label, className, onDone }: NameFieldProps) {
  const [draft, setDraft] = useState(name);
  const over = useRef(false);
  const end = (next: string | null, byKey: boolean) => {
    // Removing the field also blurs it.
    if (over.current) return;
    over.current = true;
    onDone(next === '' || next === name ? null : next, byKey);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    end(draft.trim(), true);
  };
  return (
    <form onSubmit={submit} className={className}>
      <input
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the name, which the user chose to change.
        autoFocus
        value={draft}
        maxLength={80}
        aria-label={label}
        onChange={(event) => setDraft(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => end(draft.trim(), false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') end(null, true);
        }}
        className="h-7 w-full rounded-md border border-line-strong bg-panel px-1.5 font-medium"
      />
    </form>
  );
}
