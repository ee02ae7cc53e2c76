import { Columns2, Rows2, Undo2, X } from 'lucide-react';
import { useStore } from 'zustand';
import { Button, IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import type { CodeSession } from './code-session.ts';
import type { OpenDocument } from './open-document.ts';
import type { Comparison } from './pane-frame.tsx';
import { useDraft } from './use-draft.ts';

const layouts = [
  { value: 'unified', label: 'Unified', icon: <Rows2 aria-hidden="true" className="size-3.5" /> },
  { value: 'split', label: 'Side by side', icon: <Columns2 aria-hidden="true" className="size-3.5" /> },
] as const;

interface CompareBarProps {
  session: CodeSession;
  document: OpenDocument;
  comparison: Comparison;
  locked: boolean;
  /** Ends a comparison with what somebody else wrote, which is taken as a whole elsewhere; null = it is with a checkpoint. */
  onClose: (() => void) | null;
}

/** What the file is compared with, how that is shown, and the way back to it. */
export function CompareBar({ session, document, comparison, locked, onClose }: CompareBarProps) {
  const layout = useStore(session.store, (look) => look.layout);
  const same = useDraft(document) === comparison.original;
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1 text-[13px]">
      <p className="min-w-0 flex-1 truncate text-ink-2">
        Compared with <span className="text-ink">{comparison.label}</span>
        {same && <span className="text-ink-3"> · No difference</span>}
      </p>
      {!same && !locked && onClose === null && (
        <Button size="sm" variant="quiet" onClick={() => document.putBack(comparison.original)}>
          <Undo2 aria-hidden="true" className="size-4" />
          Put the whole file back
        </Button>
      )}
      <Choice
        label="Layout of the comparison"
        value={layout}
        options={layouts}
        onChange={(next) => session.store.setState({ layout: next })}
      />
      {onClose && (
        <IconButton label="End the comparison" onClick={onClose} className="-mr-2.5">
          <X className="size-4" />
        </IconButton>
      )}
    </div>
  );
}
