import { ArrowUp, Paperclip } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, cx, IconButton } from '../../../../ui/elements.tsx';

interface BoxFooterProps {
  readonly hint: { readonly id: string; readonly text: string; readonly isBad: boolean };
  readonly isBusy: boolean;
  /** On phones, only the hint is here, for screen readers. */
  readonly isPhone: boolean;
  readonly chips: ReactNode;
  readonly createButton: ReactNode;
  readonly onAttach: () => void;
  readonly onCancel: () => void;
}

export function BoxFooter({ hint, isBusy, isPhone, chips, createButton, onAttach, onCancel }: BoxFooterProps) {
  const hintText = (
    <span
      id={hint.id}
      className={cx('ml-auto truncate px-2 text-right text-xs tabular-nums', hint.isBad ? 'text-bad' : 'text-ink-3')}
    >
      {hint.text}
    </span>
  );
  const cancelButton = isBusy && (
    <Button variant="quiet" onClick={onCancel}>
      Cancel
    </Button>
  );
  if (isPhone)
    return (
      <p className={cx('flex items-center px-3', hint.isBad || isBusy ? 'pb-2' : 'sr-only')}>
        {hintText}
        {cancelButton}
      </p>
    );
  return (
    <div className="flex min-h-15 flex-wrap items-center gap-1.5 border-line border-t px-3 py-2.5 lg:col-span-2">
      <IconButton label="Attach images, audio or fonts" onClick={onAttach} disabled={isBusy}>
        <Paperclip className="size-4.5" />
      </IconButton>
      <span aria-hidden="true" className="mr-1.5 ml-1 h-5 w-px bg-line" />
      {chips}
      {hintText}
      {cancelButton}
      {createButton}
    </div>
  );
}

interface CreateButtonProps {
  readonly label: string;
  readonly pending: string | false;
  readonly isReady: boolean;
  readonly hintId: string;
  readonly className?: string;
}

export function CreateButton({ label, pending, isReady, hintId, className = '' }: CreateButtonProps) {
  return (
    <Button variant="primary" type="submit" pending={pending} disabled={!isReady} aria-describedby={hintId} className={className}>
      {label}
      <ArrowUp aria-hidden="true" className="size-4" />
    </Button>
  );
}
