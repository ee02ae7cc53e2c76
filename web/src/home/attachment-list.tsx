import { AudioLines, Check, CircleAlert, Type, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatBytes } from '../../../server/contract/format.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { uploadWords } from '../uploads/upload.ts';
import { UploadBar } from '../uploads/upload-rows.tsx';
import type { Attachment } from './attachments.ts';

interface AttachmentListProps {
  attached: readonly Attachment[];
  onRemove: (id: string) => void;
  onRetry: () => void;
}

/** The files that go with the idea: pictures as themselves, each with how far it got and why not further. */
export function AttachmentList({ attached, onRemove, onRetry }: AttachmentListProps) {
  return (
    <ul aria-label={texts.home.attachedLabel} className="flex flex-wrap gap-2 px-4 pb-3">
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
      <span className="flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-md bg-stage text-ink-3">
        {kind === 'image' ? (
          <Thumbnail file={file} />
        ) : kind === 'audio' ? (
          <AudioLines className="size-4" aria-hidden="true" />
        ) : (
          <Type className="size-4" aria-hidden="true" />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[13px] leading-4.5">{file.name}</span>
        <span className={cx('block text-xs tabular-nums leading-4', failed ? 'text-bad' : 'text-ink-3')}>
          {failed ? (
            <>
              {texts.home.notUploaded}{' '}
              {state.mayRetry && (
                <button type="button" onClick={onRetry} className="font-medium underline underline-offset-2">
                  {texts.common.retry}
                </button>
              )}
            </>
          ) : state.kind === 'waiting' ? (
            formatBytes(file.size)
          ) : (
            uploadWords(file.size, state)
          )}
        </span>
      </span>
      {state.kind === 'done' && <Check aria-label={texts.home.uploaded} className="size-4 shrink-0 text-ok" />}
      {failed && <CircleAlert aria-hidden="true" className="size-4 shrink-0 text-bad" />}
      <IconButton label={texts.home.removeAttachment(file.name)} onClick={onRemove} className="size-7">
        <X className="size-3.5" />
      </IconButton>
      {(state.kind === 'sending' || state.kind === 'checking') && (
        <UploadBar name={file.name} state={state} className="absolute inset-x-0 bottom-0 h-0.5" />
      )}
    </li>
  );
}

/** A picture from this computer, drawn as a picture and nothing else. */
function Thumbnail({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url && <img src={url} alt="" className="size-full object-cover" />;
}
