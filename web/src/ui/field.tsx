import type { ReactNode } from 'react';

export const inputClass =
  'h-8 min-w-0 rounded-lg border border-line-strong bg-panel px-2.5 text-[13px] tabular-nums aria-invalid:border-bad';

const labelClass = 'w-full shrink-0 wrap-anywhere text-[13px] text-ink-2 sm:w-32';

interface RowProps {
  label: string;
  note?: ReactNode;
  /** Of the control, when the label belongs to one. */
  htmlFor?: string;
  children: ReactNode;
}

/** A setting in a form: what it is called, its control, and a word about it. */
export function FieldRow({ label, note, htmlFor, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {htmlFor ? (
        <label htmlFor={htmlFor} className={labelClass}>
          {label}
        </label>
      ) : (
        // The control itself bears the name.
        <span aria-hidden="true" className={labelClass}>
          {label}
        </span>
      )}
      {children}
      {note && <span className="text-ink-3 text-xs tabular-nums">{note}</span>}
    </div>
  );
}
