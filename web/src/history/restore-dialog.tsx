import { useMutation, useQuery } from '@tanstack/react-query';
import { AlertDialog } from 'radix-ui';
import type { CheckpointEntry } from '../../../server/contract/history.ts';
import { historyApi } from '../api/history.ts';
import { useProject, useView } from '../project/context.ts';
import { Button } from '../ui/button.tsx';
import { dialogClass, overlayClass } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { restoredChanges } from './compare.ts';
import { countOf } from './entries.ts';
import { LineCounts, StatusWord } from './file-facts.tsx';
import { restoreWithUndo, stopAndRestore } from './restore.ts';

interface RestoreDialogProps {
  entry: CheckpointEntry;
  /** The checkpoint that holds the files as they are now. */
  newestId: string;
  onClose: () => void;
}

const listedFiles = 8;

/** Says what a restore will change, and that it can be undone. While the agent works, the server refuses: so it is said first. */
export function RestoreDialog({ entry, newestId, onClose }: RestoreDialogProps) {
  const project = useProject();
  const { projectId } = project;
  const running = useView((view) => view.project.running);
  const assets = useView((view) => view.assets);
  const changes = useQuery({
    queryKey: ['diff', projectId, entry.id, newestId],
    queryFn: ({ signal }) => historyApi.diff(projectId, { checkpointId: entry.id, against: newestId, path: null }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const would = changes.data && restoredChanges(changes.data, assets);
  const restore = useMutation({ mutationFn: () => restoreWithUndo(projectId, entry), onSuccess: onClose });
  const stop = useMutation({ mutationFn: () => stopAndRestore(project, entry), onSuccess: onClose });
  const busy = restore.isPending || stop.isPending;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass} />
        <AlertDialog.Content className={`${dialogClass} max-w-120`}>
          <AlertDialog.Title className="font-semibold text-base">Restore this state?</AlertDialog.Title>
          <p className="wrap-anywhere mt-1 line-clamp-3 text-ink-2 text-sm">{entry.title}</p>
          <div className="mt-3 min-h-24">
            {changes.isPending && (
              <p role="status" className="flex items-center gap-2 text-ink-2">
                <Spinner />
                Looking at what would change…
              </p>
            )}
            {changes.isError && <ErrorNotice error={changes.error} />}
            {would && <Changes would={would} />}
          </div>
          <AlertDialog.Description className="mt-3 text-[13px] text-ink-2">
            {running && `The agent is at work on these files. Wait until it has finished, or stop it and restore. `}
            The plan goes back with the files. Messages, uploads and videos stay. The files as they are now are kept, so you can
            undo this.
          </AlertDialog.Description>
          {restore.isError && (
            <div className="mt-3">
              <ErrorNotice error={restore.error} />
            </div>
          )}
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button disabled={busy}>Cancel</Button>
            </AlertDialog.Cancel>
            {running || stop.isPending ? (
              <Button variant="primary" disabled={stop.isPending} onClick={() => stop.mutate()}>
                {stop.isPending && <Spinner />}
                {stop.isPending ? 'Stopping…' : 'Stop and restore'}
              </Button>
            ) : (
              <Button
                variant="primary"
                disabled={restore.isPending || changes.isPending || would?.count === 0}
                onClick={() => restore.mutate()}
              >
                {restore.isPending && <Spinner />}
                {restore.isPending ? 'Restoring…' : 'Restore'}
              </Button>
            )}
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Changes({ would: { count, files } }: { would: ReturnType<typeof restoredChanges> }) {
  if (count === 0) return <p>The files are those already: nothing would change.</p>;
  const more = count - Math.min(listedFiles, files.length);
  return (
    <>
      <p>{`${countOf(count, 'file')} will change:`}</p>
      <ul className="mt-2 flex flex-col gap-1 rounded-lg bg-sunken px-3 py-2 text-[13px]">
        {files.slice(0, listedFiles).map((file) => (
          <li key={file.path} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate font-mono text-xs" title={file.path}>
              {file.path}
            </span>
            <StatusWord file={file} />
            <LineCounts file={file} />
          </li>
        ))}
        {more > 0 && <li className="text-ink-2">{`and ${countOf(more, 'file')} more`}</li>}
      </ul>
    </>
  );
}
