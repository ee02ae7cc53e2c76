import { cx } from '../../ui/elements.tsx';
import { type Progress, progressText } from './steps.ts';

interface VideosProgressProps {
  label: string;
  progress: Progress;
  className?: string;
}

/** Shows how many videos have ended. Those that failed have another colour. */
export function VideosProgress({ label, progress, className }: VideosProgressProps) {
  const { done, failed, total } = progress;
  const share = (count: number) => `${(100 * count) / total}%`;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done + failed}
      aria-valuetext={progressText(progress)}
      className={cx('flex h-1.5 overflow-hidden rounded-full bg-line', className)}
    >
      <div className="bg-accent transition-[width] duration-300" style={{ width: share(done) }} />
      <div className="bg-bad transition-[width] duration-300" style={{ width: share(failed) }} />
    </div>
  );
}
