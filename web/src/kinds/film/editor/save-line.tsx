import { CircleAlert, CircleCheck, CloudOff, Hourglass, Redo2, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useProject } from '../../../project/context.ts';
import { Button, cx, IconButton, Spinner } from '../../../ui/elements.tsx';
import { useWindowEvent } from '../../../ui/hooks.ts';
import { useEditor, useEditorState } from './document-store.ts';

export function SaveLine() {
  const editor = useEditor();
  const film = useEditorState((state) => state.film);
  if (film === null) return null;
  return (
    <div className="ml-auto flex shrink-0 items-center gap-1 pl-2">
      <SaveStatus />
      <Button
        size="sm"
        variant="quiet"
        icon={Undo2}
        disabled={film.undo.length === 0}
        onClick={() => editor.undo()}
        title="Undo (⌘/Ctrl Z)"
      >
        <span className="max-xl:sr-only">Undo</span>
      </Button>
      <IconButton
        icon={Redo2}
        label="Redo"
        shortcut="⌘/Ctrl Shift Z"
        disabled={film.redo.length === 0}
        onClick={() => editor.redo()}
      />
    </div>
  );
}

function SaveStatus() {
  const { workbench } = useProject();
  const editor = useEditor();
  const save = useEditorState((state) => state.save);
  const unsent = useEditorState((state) => state.film !== null && state.film.waiting.length > 0);
  const line = 'flex items-center gap-1.5 whitespace-nowrap text-[13px] text-ink-2';
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 5000);
    return () => clearInterval(timer);
  }, []);
  useWindowEvent('beforeunload', (event) => event.preventDefault(), { enabled: unsent || save.kind === 'saving' });
  switch (save.kind) {
    case 'saved':
      if (unsent) return <Saving />;
      return save.atMs === null ? null : (
        <span role="status" className={line}>
          <button
            type="button"
            title="Show the checkpoints in History"
            onClick={() => workbench.setState({ chosenTab: 'history' })}
            className="flex h-8 items-center gap-1.5 rounded-lg px-1.5 hover:bg-sunken hover:text-ink"
          >
            <CircleCheck className="size-4 text-ok" />
            <span className="max-xl:sr-only">{savedText(Math.max(0, nowMs - save.atMs))}</span>
          </button>
        </span>
      );
    case 'saving':
      return <Saving />;
    case 'waits for Koda':
      return (
        <span role="status" className={line}>
          <Hourglass className="size-4" />
          <span className="max-xl:sr-only">Will be saved when Koda has finished</span>
        </span>
      );
    case 'conflict':
      return (
        <span role="status" className={cx(line, 'text-warn')}>
          <CircleAlert className="size-4" />
          <span className="max-xl:sr-only">Choose whose text to keep</span>
        </span>
      );
    case 'refused':
      return (
        <span role="alert" title={save.message} className={cx(line, 'min-w-0 text-bad')}>
          <CircleAlert className="size-4 shrink-0" />
          <span className="max-w-72 truncate">{save.message}</span>
        </span>
      );
    case 'failed':
      return (
        <span role="alert" title={save.message} className={cx(line, 'text-bad')}>
          <CloudOff className="size-4" />
          <span className="max-xl:sr-only">Could not save. Your edits are still here.</span>
          <Button size="sm" onClick={() => void editor.flush()}>
            Try again
          </Button>
        </span>
      );
  }
}

function Saving() {
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap text-[13px] text-ink-2">
      <Spinner />
      <span className="max-xl:sr-only">Saving…</span>
    </span>
  );
}

function savedText(agoMs: number): string {
  const minutes = Math.floor(agoMs / 60_000);
  if (agoMs < 10_000) return 'Saved';
  return minutes === 0 ? 'Saved less than a minute ago' : `Saved ${minutes} min ago`;
}
