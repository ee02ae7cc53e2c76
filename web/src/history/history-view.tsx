import { useMutation } from '@tanstack/react-query';
import { Bookmark, History, Link2 } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { historyApi } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Button, cx, Empty, ErrorNotice, IconButton, Spinner } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { CheckpointDetail } from './checkpoint-detail.tsx';
import { CheckpointList } from './checkpoint-list.tsx';
import { type CompareWith, quoted } from './entries.ts';
import { useCheckpoints } from './use-checkpoints.ts';

export default function HistoryView() {
  const { query, entries } = useCheckpoints();
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [compareWith, setCompareWith] = useState<CompareWith>('before');
  const [reading, setReading] = useState(false);
  const [keeping, setKeeping] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLHeadingElement>(null);
  // Defaults to the newest checkpoint, which changes while the agent is running.
  const chosen = entries.find(({ id }) => id === chosenId) ?? entries[0];

  if (query.isPending) return <Empty icon={<Spinner />} title="Loading the history…" />;
  if (!chosen) {
    if (!query.isError)
      return <Empty icon={<History />} title="No history yet" text="Checkpoints of your project appear here." />;
    return (
      <div className="flex h-full flex-col items-center justify-center gap-3 p-6">
        <ErrorNotice error={query.error} />
        <Button onClick={() => void query.refetch()}>Try again</Button>
      </div>
    );
  }
  return (
    <div className="@container h-full">
      <div className="grid h-full grid-cols-[minmax(0,1fr)] @2xl:grid-cols-[minmax(270px,32%)_minmax(0,1fr)]">
        <section
          aria-label="History"
          className={cx('min-h-0 flex-col border-line @2xl:flex @2xl:border-r', reading ? 'hidden' : 'flex')}
        >
          <div className="flex h-12 shrink-0 items-center gap-1 pr-2 pl-4">
            <h2 className="mr-auto font-medium">History</h2>
            <CloneButton />
            <Button icon={Bookmark} size="sm" onClick={() => setKeeping(true)}>
              Save a checkpoint
            </Button>
          </div>
          <CheckpointList
            box={list}
            entries={entries}
            chosenId={chosen.id}
            onChoose={setChosenId}
            onRead={(id, byKey) => {
              setChosenId(id);
              setReading(true);
              if (byKey) requestAnimationFrame(() => detail.current?.focus());
            }}
            more={{
              has: query.hasNextPage,
              loading: query.isFetchingNextPage,
              error: query.isFetchNextPageError ? query.error : null,
              load: () => void query.fetchNextPage(),
            }}
          />
        </section>
        <section
          aria-label="Selected checkpoint"
          // Focusing an action on the newest checkpoint pins it, so that a newer one does not replace it.
          onFocusCapture={() => setChosenId(chosen.id)}
          onPointerDownCapture={() => setChosenId(chosen.id)}
          className={cx('min-h-0 min-w-0 flex-col bg-panel @2xl:flex', reading ? 'flex' : 'hidden')}
        >
          <CheckpointDetail
            key={chosen.id}
            ref={detail}
            entry={chosen}
            entries={entries}
            compareWith={compareWith}
            onCompare={setCompareWith}
            onBack={() => {
              setReading(false);
              requestAnimationFrame(() => list.current?.focus());
            }}
          />
        </section>
      </div>
      {keeping && <SaveCheckpointDialog onClose={() => setKeeping(false)} />}
    </div>
  );
}

function CloneButton() {
  const { projectId } = useProject();
  const copy = async () => {
    const url = historyApi.cloneUrl(projectId);
    try {
      await navigator.clipboard.writeText(url);
      toast('Git clone address copied. Git asks for a password: use an access token.');
    } catch {
      // Browsers provide the clipboard only to secure origins.
      toast(`The browser blocked copying. Copy this address: ${url}`, { durationMs: 30_000 });
    }
  };
  return <IconButton icon={Link2} label="Copy git clone address" onClick={() => void copy()} />;
}

const maxNameCharacters = 80;

function SaveCheckpointDialog({ onClose }: { onClose: () => void }) {
  const { projectId } = useProject();
  const [name, setName] = useState('');
  const inputId = useId();
  const keep = useMutation({
    mutationFn: (words: string) => historyApi.keep(projectId, words),
    onSuccess({ checkpoint }) {
      toast(`Checkpoint ${quoted(checkpoint.title)} saved.`);
      onClose();
    },
  });
  const ready = name.trim() !== '' && !keep.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) keep.mutate(name.trim());
  };
  return (
    <Dialog open title="Save a checkpoint" text="Name the current files, so that you can find them again." onClose={onClose}>
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
          <Button type="submit" variant="primary" pending={keep.isPending && 'Saving…'} disabled={!ready}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
