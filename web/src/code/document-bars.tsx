import { Check, CircleAlert, Columns2, Lock, PenLine, Rows2, Undo2, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { describeRoots, isWritablePath } from '#contract/paths.ts';
import { useWritableRoots } from '../project/context.ts';
import { Button, cx, ErrorNotice, IconButton, Spinner } from '../ui/elements.tsx';
import { Choice } from '../ui/fields.tsx';
import type { CodeWorkspace } from './code-workspace.ts';
import type { OpenDocument } from './open-document.ts';
import { useDraft } from './open-document.ts';
import type { Comparison } from './pane-frame.tsx';

const savedShownMs = 4000;

export function SaveStatus({ document }: { document: OpenDocument }) {
  const { dirty, saving, saves, error, streamed } = useStore(document.store);
  const [seenSaves, setSeenSaves] = useState(saves);
  const justSaved = saves !== seenSaves && saving === 'no' && !dirty && error === null;
  useEffect(() => {
    if (saves === seenSaves) return;
    const timer = setTimeout(() => setSeenSaves(saves), savedShownMs);
    return () => clearTimeout(timer);
  }, [saves, seenSaves]);
  const status = () => {
    if (saving !== 'no')
      return (
        <>
          <Spinner className="size-3.5" />
          <span className="truncate">{saving === 'starting' ? 'Waiting for the sandbox…' : 'Saving…'}</span>
        </>
      );
    if (dirty)
      return (
        <>
          <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-warn" />
          <span className="truncate">Not saved</span>
        </>
      );
    if (streamed)
      return (
        <>
          <span aria-hidden="true" className="size-1.5 shrink-0 animate-breathe rounded-full bg-accent" />
          <span className="truncate text-accent-text">being written</span>
        </>
      );
    return (
      justSaved && (
        <>
          <Check className="size-3.5 shrink-0 text-ok" />
          <span className="truncate">Saved, with a checkpoint</span>
        </>
      )
    );
  };
  return (
    <p role="status" className="flex min-w-0 items-center gap-1.5 text-ink-2 text-xs">
      {status()}
    </p>
  );
}

/** Saves the file. While the save is waiting for the sandbox, the button cancels it. */
export function SaveButton({ document, locked }: { document: OpenDocument; locked: boolean }) {
  const { dirty, saving, conflict } = useStore(document.store);
  if (saving === 'starting') {
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
      disabled={!dirty || saving !== 'no' || conflict !== null || locked}
      aria-keyshortcuts="Control+S Meta+S"
      onClick={() => void document.save()}
    >
      Save
    </Button>
  );
}

interface DocumentNoticesProps {
  document: OpenDocument;
  /** Whether the agent is writing this file. */
  streaming: boolean;
  comparing: boolean;
  onCompare: () => void;
}

/** Shows notices about a file, and conflicts to resolve. */
export function DocumentNotices({ document, streaming, comparing, onCompare }: DocumentNoticesProps) {
  const { dirty, error, conflict } = useStore(document.store);
  const roots = useWritableRoots();
  return (
    <>
      {!isWritablePath(document.path, roots) && (
        <Strip icon={<Lock />}>{`Read-only: only ${describeRoots(roots)} can be changed.`}</Strip>
      )}
      {streaming && dirty && (
        <Strip icon={<PenLine />}>
          Koda is writing this file. Your changes are kept, and you can choose a version when Koda is done.
        </Strip>
      )}
      {conflict && !streaming && (
        <Strip icon={<CircleAlert />} warn>
          <span role="alert" className="min-w-48 flex-1">
            {conflict.version === null
              ? 'This file was deleted elsewhere while you had unsaved changes.'
              : 'This file was changed elsewhere while you had unsaved changes.'}
          </span>
          <span className="flex flex-wrap gap-1.5">
            {conflict.version !== null && !comparing && (
              <Button size="sm" onClick={onCompare}>
                Compare
              </Button>
            )}
            <Button size="sm" onClick={() => document.acceptServer()}>
              Use server version
            </Button>
            <Button size="sm" onClick={() => document.keepLocal()}>
              {conflict.foundBySave ? 'Save my version' : 'Keep my version'}
            </Button>
          </span>
        </Strip>
      )}
      {error && (
        <div className="shrink-0 border-line border-b p-2">
          <ErrorNotice error={error}>
            <span className="block">The file was not saved.</span>
          </ErrorNotice>
        </div>
      )}
    </>
  );
}

function Strip({ icon, warn = false, children }: { icon: ReactNode; warn?: boolean; children: ReactNode }) {
  return (
    <div
      className={cx(
        'flex shrink-0 items-center gap-2 border-line border-b px-4 py-1.5 text-[13px] leading-5',
        warn ? 'bg-warn-soft text-warn' : 'bg-sunken text-ink-2',
      )}
    >
      <span aria-hidden="true" className="[&_svg]:size-4">
        {icon}
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5">{children}</div>
    </div>
  );
}

const layouts = [
  { value: 'unified', label: 'Unified', icon: <Rows2 className="size-3.5" /> },
  { value: 'split', label: 'Side by side', icon: <Columns2 className="size-3.5" /> },
] as const;

interface CompareBarProps {
  workspace: CodeWorkspace;
  document: OpenDocument;
  comparison: Comparison;
  locked: boolean;
  /** Ends a comparison with the server's version; `null` if the comparison is with a checkpoint. */
  onClose: (() => void) | null;
}

export function CompareBar({ workspace, document, comparison, locked, onClose }: CompareBarProps) {
  const layout = useStore(workspace.store, (state) => state.layout);
  const same = useDraft(document) === comparison.original;
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1 text-[13px]">
      <p className="min-w-0 flex-1 truncate text-ink-2">
        Compared with <span className="text-ink">{comparison.label}</span>
        {same && <span className="text-ink-3"> · No difference</span>}
      </p>
      {!same && !locked && onClose === null && (
        <Button icon={Undo2} size="sm" variant="quiet" onClick={() => document.restoreText(comparison.original)}>
          Restore the whole file
        </Button>
      )}
      <Choice
        label="Comparison layout"
        value={layout}
        options={layouts}
        onChange={(next) => workspace.store.setState({ layout: next })}
      />
      {onClose && <IconButton icon={X} label="Stop comparing" onClick={onClose} className="-mr-2.5" />}
    </div>
  );
}
