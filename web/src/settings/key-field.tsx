import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ModelProvider, ModelSettingsView } from '#contract/settings.ts';
import { api } from '../api/client.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Button, ErrorNotice } from '../ui/elements.tsx';
import { TextField } from '../ui/fields.tsx';
import { toast } from '../ui/toasts.tsx';

interface KeyFieldProps {
  provider: Exclude<ModelProvider, 'director'>;
  value: string | null;
  /** Whether the server stores a key for the address in the form. */
  isKept: boolean;
  keyFor: string | null;
  problem: string | null;
  onChange: (value: string | null) => void;
  onSaved: (view: ModelSettingsView) => void;
}

/** Edits an API key. The server never sends a stored key to the page, only whether there is one. */
export function KeyField({ provider, value, isKept, keyFor, problem, onChange, onSaved }: KeyFieldProps) {
  const [asksRemoval, setAsksRemoval] = useState(false);
  const remove = useMutation({
    mutationFn: api.removeModelKey,
    onSuccess: (view) => {
      onSaved(view);
      toast('Key removed.');
    },
  });
  if (isKept && value === null) {
    return (
      <div>
        <p className="mb-1 font-medium text-[13px]">Key</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-panel py-2 pr-2 pl-3">
          <KeyRound className="size-4 shrink-0 text-ok" />
          <p className="min-w-0 flex-1 basis-44 text-[13px]">
            A key is set. <span className="text-ink-2">It stays on the server and is never shown again.</span>
          </p>
          <div className="flex gap-2">
            <Button size="sm" onClick={() => onChange('')}>
              Replace
            </Button>
            <Button size="sm" variant="quiet" disabled={remove.isPending} onClick={() => setAsksRemoval(true)}>
              Remove key
            </Button>
          </div>
        </div>
        {remove.error && <ErrorNotice error={remove.error} onDismiss={() => remove.reset()} className="mt-2" />}
        <Confirm
          open={asksRemoval}
          title="Remove the key?"
          text={
            provider === 'anthropic'
              ? 'From the next run, the built-in director plans and writes your films.'
              : 'From the next run, Koda calls the server without a key.'
          }
          action="Remove key"
          onConfirm={() => remove.mutate()}
          onClose={() => setAsksRemoval(false)}
        />
      </div>
    );
  }
  return (
    <TextField
      label={provider === 'server' ? 'Key, if the server requires one' : 'Key'}
      hint={
        keyFor !== null && !isKept
          ? `The server stores the key and never shows it again. Backups exclude it. Koda stores a key for ${keyFor} and sends it nowhere else.`
          : 'The server stores the key and never shows it again. Backups exclude it.'
      }
      // Masked, but not a password for the browser to save.
      type="password"
      autoComplete="new-password"
      data-1p-ignore=""
      data-lpignore="true"
      // Replaces the button that was just pressed.
      autoFocus={isKept}
      value={value ?? ''}
      problem={problem}
      onChange={(event) => onChange(event.target.value)}
      aside={
        isKept && (
          <button type="button" onClick={() => onChange(null)} className="text-accent-text text-xs hover:underline">
            Keep current key
          </button>
        )
      }
      className="font-mono"
    />
  );
}
