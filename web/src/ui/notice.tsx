import { CircleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { toApiError } from '../api/client.ts';
import { IconButton } from './button.tsx';

/** An error in the words of whoever found it, with what can be done about it. */
export function ErrorNotice({ error, onDismiss, children }: { error: unknown; onDismiss?: () => void; children?: ReactNode }) {
  return (
    <div role="alert" className="flex animate-fade items-start gap-2.5 rounded-lg bg-bad-soft px-3 py-2.5 text-bad">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 wrap-anywhere text-[13px] leading-5">
        {toApiError(error).message}
        {children}
      </div>
      {onDismiss && (
        <IconButton label="Dismiss" onClick={onDismiss} className="-my-1 -mr-1.5 size-7 text-bad">
          <X className="size-4" />
        </IconButton>
      )}
    </div>
  );
}
