import { CircleAlert, RotateCw, X } from 'lucide-react';
import { cx, IconButton, ProgressBar } from '../ui/elements.tsx';
import { shareOf, type UploadItem, type UploadQueue, uploadText } from './upload.ts';

interface UploadRowsProps {
  items: readonly UploadItem[];
  queue: UploadQueue;
  className?: string;
}

/** Lists uploads with their progress and a cancel button, or their error. */
export function UploadRows({ items, queue, className }: UploadRowsProps) {
  if (items.length === 0) return null;
  return (
    <ul aria-label="Uploads" className={cx('flex shrink-0 flex-col gap-1.5', className)}>
      {items.map((item) => (
        <UploadRow key={item.id} item={item} queue={queue} />
      ))}
    </ul>
  );
}

function UploadRow({ item: { id, file, state }, queue }: { item: UploadItem; queue: UploadQueue }) {
  const failed = state.kind === 'failed';
  return (
    <li
      className={cx(
        'flex min-h-11 shrink-0 items-center gap-2 rounded-lg py-1 pr-1.5 pl-3 text-[13px]',
        failed ? 'bg-bad-soft text-bad' : 'border border-line bg-panel',
      )}
    >
      {failed && <CircleAlert className="size-4 shrink-0" />}
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-3">
          <span className="truncate font-medium">{file.name}</span>
          <UploadStatus size={file.size} state={state} />
        </p>
        {failed ? (
          <p role="alert" className="wrap-anywhere leading-5">
            {state.reason}
          </p>
        ) : (
          <ProgressBar label={`Uploading ${file.name}`} percent={100 * shareOf(state)} className="my-1 h-1 rounded-full" />
        )}
      </div>
      {failed && state.mayRetry && (
        <IconButton
          icon={RotateCw}
          label={`Upload ${file.name} again`}
          onClick={() => queue.retry(id)}
          className="size-7 text-bad"
        />
      )}
      <IconButton
        icon={X}
        label={failed ? `Dismiss ${file.name}` : `Cancel the upload of ${file.name}`}
        onClick={() => queue.remove(id)}
        className={cx('size-7', failed && 'text-bad')}
      />
    </li>
  );
}

function UploadStatus({ size, state }: { size: number; state: UploadItem['state'] }) {
  return (
    <span className={cx('shrink-0 text-xs tabular-nums leading-5', state.kind !== 'failed' && 'text-ink-3')}>
      {uploadText(size, state)}
    </span>
  );
}
