import { useMutation } from '@tanstack/react-query';
import { ArrowLeft, Download, GitBranch, RotateCcw } from 'lucide-react';
import { memo, type Ref, useState } from 'react';
import type { CheckpointEntry } from '#contract/history.ts';
import { historyApi } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { navigate, projectHref } from '../router.ts';
import { Button, buttonClass, ErrorNotice, IconButton } from '../ui/elements.tsx';
import { DiffView } from './diff-view.tsx';
import { type CompareWith, comparison, dayLabel, timeOf } from './entries.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { SavedBy } from './saved-by.tsx';

interface CheckpointDetailProps {
  ref: Ref<HTMLHeadingElement>;
  entry: CheckpointEntry;
  /** The loaded part of the history, newest first. */
  entries: readonly CheckpointEntry[];
  compareWith: CompareWith;
  onCompare: (compareWith: CompareWith) => void;
  onBack: () => void;
}

const momentOf = (entry: CheckpointEntry) => `${dayLabel(new Date(entry.at), new Date())}, ${timeOf(entry)}`;

export function CheckpointDetail({ ref, entry, entries, compareWith, onCompare, onBack }: CheckpointDetailProps) {
  const { projectId } = useProject();
  const [restoring, setRestoring] = useState(false);
  const branch = useMutation({
    mutationFn: () => historyApi.branch(projectId, entry.id),
    onSuccess: ({ id }) => navigate(projectHref(id)),
  });
  const isNewest = entries[0]?.id === entry.id;
  const compared = comparison(entry, compareWith, entries);
  return (
    <>
      <header className="flex shrink-0 flex-col gap-2.5 border-line border-b px-4 pt-3 pb-3">
        <div className="flex items-start gap-1">
          <IconButton icon={ArrowLeft} label="Back to list" onClick={onBack} className="-ml-2 @2xl:hidden" />
          <div className="min-w-0 flex-1">
            <h2 ref={ref} tabIndex={-1} className="wrap-anywhere font-semibold text-base leading-6 outline-none">
              {entry.title}
            </h2>
            <p className="text-ink-3 text-xs">
              <time dateTime={entry.at} title={new Date(entry.at).toLocaleString('en')}>
                {momentOf(entry)}
              </time>
              <SavedBy entry={entry} />
            </p>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button icon={RotateCcw} size="sm" variant={isNewest ? 'secondary' : 'primary'} onClick={() => setRestoring(true)}>
            Restore
          </Button>
          <Button
            icon={GitBranch}
            size="sm"
            pending={branch.isPending && 'Creating the project…'}
            onClick={() => branch.mutate()}
          >
            New project from here
          </Button>
          <a href={historyApi.archiveUrl(projectId, entry.id)} download className={buttonClass('secondary', 'sm')}>
            <Download className="size-4" />
            Download zip
          </a>
        </div>
        {branch.isError && <ErrorNotice error={branch.error} onDismiss={() => branch.reset()} />}
        <CompareSelect entries={entries} chosenId={entry.id} value={compareWith} onChange={onCompare} />
      </header>
      <DiffView key={`${compared.checkpointId} ${compared.against}`} compared={compared} />
      {restoring && <RestoreDialog entry={entry} newestId={entries[0]?.id ?? entry.id} onClose={() => setRestoring(false)} />}
    </>
  );
}

interface CompareSelectProps {
  entries: readonly CheckpointEntry[];
  chosenId: string;
  value: CompareWith;
  onChange: (value: CompareWith) => void;
}

/** A native select works on every device, even with hundreds of entries. */
const CompareSelect = memo(function CompareSelect({ entries, chosenId, value, onChange }: CompareSelectProps) {
  return (
    <label className="flex min-w-0 items-center gap-2 text-[13px] text-ink-2">
      <span className="shrink-0">Compare with</span>
      <select
        value={typeof value === 'object' ? value.id : value}
        onChange={({ target }) =>
          onChange(target.value === 'before' || target.value === 'now' ? target.value : { id: target.value })
        }
        className="h-8 min-w-0 max-w-80 flex-1 truncate rounded-lg border border-line-strong bg-panel px-2 text-ink"
      >
        <option value="before">Previous checkpoint</option>
        {entries[0]?.id !== chosenId && <option value="now">Now</option>}
        <optgroup label="Another checkpoint">
          {entries
            .filter(({ id }) => id !== chosenId)
            .map((entry) => (
              <option key={entry.id} value={entry.id}>
                {entry.title} · {momentOf(entry)}
              </option>
            ))}
        </optgroup>
      </select>
    </label>
  );
});
