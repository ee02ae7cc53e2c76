import { CircleCheck, CloudOff, Hourglass, Redo2, Undo2 } from 'lucide-react';
import { Button, IconButton, Spinner } from '../../ui/elements.tsx';
import { useWindowEvent } from '../../ui/hooks.ts';
import { useAppState, useAppStore } from './app-store.ts';

/** Whether the edits of the app are stored, with steps back and forward. */
export function SaveLine() {
  const store = useAppStore();
  const canUndo = useAppState((state) => state.undo.length > 0);
  const canRedo = useAppState((state) => state.redo.length > 0);
  return (
    <div className="ml-auto flex shrink-0 items-center gap-1 pl-2">
      <SaveStatus />
      <Button size="sm" variant="quiet" icon={Undo2} disabled={!canUndo} onClick={() => store.undo()} title="Undo (⌘/Ctrl Z)">
        <span className="max-xl:sr-only">Undo</span>
      </Button>
      <IconButton icon={Redo2} label="Redo" shortcut="⌘/Ctrl Shift Z" disabled={!canRedo} onClick={() => store.redo()} />
    </div>
  );
}

const line = 'flex items-center gap-1.5 whitespace-nowrap text-[13px] text-ink-2';

function SaveStatus() {
  const store = useAppStore();
  const save = useAppState((state) => state.save);
  const isUnsaved = save.kind === 'saving' || save.kind === 'failed';
  useWindowEvent('beforeunload', (event) => event.preventDefault(), { enabled: isUnsaved });
  switch (save.kind) {
    case 'saved':
      return save.atMs === null ? null : (
        <span role="status" className={line}>
          <CircleCheck className="size-4 text-ok" />
          <span className="max-xl:sr-only">All changes saved</span>
        </span>
      );
    case 'saving':
      return (
        <span className={line}>
          <Spinner />
          <span className="max-xl:sr-only">Saving…</span>
        </span>
      );
    case 'waits for Koda':
      return (
        <span role="status" className={line}>
          <Hourglass className="size-4" />
          <span className="max-xl:sr-only">Will be saved when Koda has finished</span>
        </span>
      );
    case 'failed':
      return (
        <span role="alert" title={save.message} className={`${line} text-bad`}>
          <CloudOff className="size-4" />
          <span className="max-xl:sr-only">Could not save. Your change is still here.</span>
          <Button size="sm" onClick={() => void store.flush()}>
            Try again
          </Button>
        </span>
      );
  }
}
