import { AudioLines, Check, CircleAlert, Type, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatBytes } from '#contract/display.ts';
import type { Asset } from '#contract/project.ts';
import { cx, IconButton, ProgressBar } from '../ui/elements.tsx';
import { kindOfFile, shareOf, type UploadState, uploadProblem, uploadText } from '../uploads/upload.ts';

export interface Attachment {
  readonly id: string;
  readonly file: File;
  readonly kind: Asset['kind'];
  readonly state: UploadState;
}

export interface RefusedFile {
  readonly name: string;
  /** Message for the user. */
  readonly reason: string;
}

let count = 0;

/** Adds files without duplicates. Immediately rejects files that the server would reject. */
export function addFiles(
  attached: readonly Attachment[],
  files: readonly File[],
): { attached: readonly Attachment[]; refused: readonly RefusedFile[] } {
  const next = [...attached];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    if (next.some((other) => isSame(other.file, file))) continue;
    const kind = kindOfFile(file);
    const reason = uploadProblem(file);
    if (reason !== null) refused.push({ name: file.name, reason });
    else if (kind !== null) next.push({ id: `file-${++count}`, file, kind, state: { kind: 'waiting' } });
  }
  return { attached: next, refused };
}

/** Pasted images share one name, but rarely a size. */
function isSame(a: File, b: File): boolean {
  return a === b || (a.name === b.name && a.size === b.size && a.lastModified === b.lastModified);
}

interface AttachmentListProps {
  attached: readonly Attachment[];
  onRemove: (id: string) => void;
  onRetry: () => void;
}

/** Lists an idea's files with thumbnails and upload states. */
export function AttachmentList({ attached, onRemove, onRetry }: AttachmentListProps) {
  return (
    <ul aria-label="Attached files" className="flex flex-wrap gap-2 px-4 pb-3">
      {attached.map((one) => (
        <Chip key={one.id} attachment={one} onRemove={() => onRemove(one.id)} onRetry={onRetry} />
      ))}
    </ul>
  );
}

function Chip({ attachment, onRemove, onRetry }: { attachment: Attachment; onRemove: () => void; onRetry: () => void }) {
  const { file, kind, state } = attachment;
  const failed = state.kind === 'failed';
  return (
    <li
      className={cx(
        'relative flex w-full max-w-full items-center gap-2.5 overflow-hidden rounded-lg border p-1.5 pr-1 sm:w-auto sm:max-w-80',
        failed ? 'border-bad bg-bad-soft' : 'border-line bg-sunken',
      )}
    >
      <span className="flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-md bg-backdrop text-ink-3">
        {kind === 'image' && <Thumbnail file={file} />}
        {kind === 'audio' && <AudioLines className="size-4" aria-hidden="true" />}
        {kind === 'font' && <Type className="size-4" aria-hidden="true" />}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[13px] leading-4.5">{file.name}</span>
        <span className={cx('block text-xs tabular-nums leading-4', failed ? 'text-bad' : 'text-ink-3')}>
          {failed && (
            <>
              Not uploaded.{' '}
              {state.mayRetry && (
                <button type="button" onClick={onRetry} className="font-medium underline underline-offset-2">
                  Try again
                </button>
              )}
            </>
          )}
          {state.kind === 'waiting' && formatBytes(file.size)}
          {!failed && state.kind !== 'waiting' && uploadText(file.size, state)}
        </span>
      </span>
      {state.kind === 'done' && <Check aria-label="Uploaded" className="size-4 shrink-0 text-ok" />}
      {failed && <CircleAlert className="size-4 shrink-0 text-bad" />}
      <IconButton label={`Remove ${file.name}`} onClick={onRemove} className="size-7">
        <X className="size-3.5" />
      </IconButton>
      {(state.kind === 'sending' || state.kind === 'checking') && (
        <ProgressBar
          label={`Upload of ${file.name}`}
          percent={100 * shareOf(state)}
          className="absolute inset-x-0 bottom-0 h-0.5"
        />
      )}
    </li>
  );
}

function Thumbnail({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url && <img src={url} alt="" className="size-full object-cover" />;
}
