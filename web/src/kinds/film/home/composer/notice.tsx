import { CircleAlert } from 'lucide-react';
import type { startNotice } from '../../../../home/health-line.tsx';
import { cx } from '../../../../ui/elements.tsx';

/** Says what keeps films from being made now. */
export function Notice({ notice }: { notice: ReturnType<typeof startNotice> }) {
  if (notice === null) return null;
  return (
    <p
      role="alert"
      className={cx(
        'mb-3 flex animate-fade items-start gap-2.5 rounded-lg px-3 py-2.5 text-[13px] leading-5',
        notice.block === null ? 'bg-warn-soft text-warn' : 'bg-bad-soft text-bad',
      )}
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {notice.text}
    </p>
  );
}
