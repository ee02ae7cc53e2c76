import { texts } from '../texts.ts';
import { cx } from '../ui/class-names.ts';
import { shareOf, type UploadState } from './upload-state.ts';

/** How much of a file is on its way. */
export function UploadBar({ name, state, className }: { name: string; state: UploadState; className?: string }) {
  const percent = shareOf(state) * 100;
  return (
    <div
      role="progressbar"
      aria-label={texts.assets.progress(name)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
      className={cx('overflow-hidden bg-line', className)}
    >
      <div className="h-full bg-accent transition-[width] duration-200" style={{ width: `${percent}%` }} />
    </div>
  );
}
