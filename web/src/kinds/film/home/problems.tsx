import { X } from 'lucide-react';
import type { Attachment, RefusedFile } from '../../../home/attachment-list.tsx';
import { UploadsFailed } from '../../../home/start-project.ts';
import { ErrorNotice, IconButton } from '../../../ui/elements.tsx';

interface ProblemsProps {
  readonly refused: readonly RefusedFile[];
  readonly error: unknown;
  readonly attached: readonly Attachment[];
  readonly onDismiss: () => void;
}

/** Shows rejected files and the error of the last start. */
export function Problems({ refused, error, attached, onDismiss }: ProblemsProps) {
  if (refused.length === 0 && error === null) return null;
  return (
    <div className="mt-3 flex flex-col gap-2">
      {refused.length > 0 && <RefusedFiles refused={refused} onDismiss={onDismiss} />}
      {error !== null && !(error instanceof UploadsFailed) && <ErrorNotice error={error} onDismiss={onDismiss} />}
      {error instanceof UploadsFailed && <FailedUploads attached={attached} />}
    </div>
  );
}

/** Reports why attached files were not uploaded. */
function FailedUploads({ attached }: { attached: readonly Attachment[] }) {
  const failed = attached.flatMap(({ id, file, state }) =>
    state.kind === 'failed' ? [{ id, text: `${file.name}: ${state.reason}` }] : [],
  );
  if (failed.length === 0) return null;
  return (
    <div role="alert" className="animate-fade rounded-lg bg-bad-soft px-3 py-2.5 text-[13px] text-bad leading-5">
      <ul className="wrap-anywhere">
        {failed.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <p className="mt-1">Try again, or remove the file and continue without it.</p>
    </div>
  );
}

function RefusedFiles({ refused, onDismiss }: { refused: readonly RefusedFile[]; onDismiss: () => void }) {
  return (
    <div
      role="alert"
      className="flex animate-fade items-start gap-2.5 rounded-lg bg-warn-soft px-3 py-2.5 text-[13px] text-warn leading-5"
    >
      <ul className="min-w-0 flex-1 wrap-anywhere">
        {refused.map(({ name, reason }) => (
          <li key={name}>{`${name}: ${reason}`}</li>
        ))}
      </ul>
      <IconButton icon={X} label="Dismiss" onClick={onDismiss} className="-my-1 -mr-1.5 size-7 text-warn" />
    </div>
  );
}
