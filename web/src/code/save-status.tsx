import { Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { OpenDocument } from './open-document.ts';

const savedShownMs = 4000;

/** Whether the draft is saved, in a word. */
export function SaveStatus({ document }: { document: OpenDocument }) {
  const { dirty, saving, saves, error, streamed } = useStore(document.store);
  const [seenSaves, setSeenSaves] = useState(saves);
  const justSaved = saves !== seenSaves && saving === 'no' && !dirty && error === null;
  useEffect(() => {
    if (saves === seenSaves) return;
    const timer = setTimeout(() => setSeenSaves(saves), savedShownMs);
    return () => clearTimeout(timer);
  }, [saves, seenSaves]);
  return (
    <p role="status" className="flex min-w-0 items-center gap-1.5 text-ink-2 text-xs">
      {saving !== 'no' ? (
        <>
          <Spinner className="size-3.5" />
          <span className="truncate">{saving === 'asleep' ? 'Waiting for the sandbox…' : 'Saving…'}</span>
        </>
      ) : dirty ? (
        <>
          <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-warn" />
          <span className="truncate">Not saved</span>
        </>
      ) : streamed ? (
        <>
          <span aria-hidden="true" className="size-1.5 shrink-0 animate-breathe rounded-full bg-accent" />
          <span className="truncate text-accent-text">being written</span>
        </>
      ) : (
        justSaved && (
          <>
            <Check aria-hidden="true" className="size-3.5 shrink-0 text-ok" />
            <span className="truncate">Saved, with a checkpoint</span>
          </>
        )
      )}
    </p>
  );
}

/** Saves; while a sandbox is waited for, ends the wait. */
export function SaveButton({ document, locked }: { document: OpenDocument; locked: boolean }) {
  const { dirty, saving, theirs } = useStore(document.store);
  if (saving === 'asleep') {
    return (
      <Button size="sm" onClick={() => document.cancelSave()}>
        Cancel
      </Button>
    );
  }
  return (
    <Button
      size="sm"
      variant={dirty ? 'primary' : 'secondary'}
      disabled={!dirty || saving !== 'no' || theirs !== null || locked}
      aria-keyshortcuts="Control+S Meta+S"
      onClick={() => void document.save()}
    >
      Save
    </Button>
  );
}
