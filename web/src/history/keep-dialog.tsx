import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { historyApi } from '../api/history.ts';
import { useProject } from '../project/context.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { toast } from '../ui/toasts.tsx';
import { quoted } from './entries.ts';

const maxNameCharacters = 80;

/** Asks for a name and keeps the files under it. */
export function KeepDialog({ onClose }: { onClose: () => void }) {
  const { projectId } = useProject();
  const [name, setName] = useState('');
  const inputId = useId();
  const keep = useMutation({
    mutationFn: (words: string) => historyApi.keep(projectId, words),
    onSuccess({ checkpoint }) {
      toast(`Kept as ${quoted(checkpoint.title)}.`);
      onClose();
    },
  });
  const ready = name.trim() !== '' && !keep.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) keep.mutate(name.trim());
  };
  return (
    <Dialog
      open
      title="Keep this state"
      text="The files as they are now get a name, so that you find them again."
      onClose={onClose}
    >
      <form onSubmit={submit} className="mt-4 flex flex-col gap-3">
        <label htmlFor={inputId} className="flex flex-col gap-1 text-[13px] text-ink-2">
          Name
          <input
            id={inputId}
            value={name}
            maxLength={maxNameCharacters}
            placeholder="Before the new title"
            onChange={(event) => setName(event.target.value)}
            className="h-9 rounded-lg border border-line-strong bg-ground px-3 text-ink text-sm placeholder:text-ink-3"
          />
        </label>
        {keep.isError && <ErrorNotice error={keep.error} />}
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!ready}>
            {keep.isPending && <Spinner />}
            {keep.isPending ? 'Keeping…' : 'Keep'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
