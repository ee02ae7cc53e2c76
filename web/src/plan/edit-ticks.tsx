import { formatSeconds } from '../../../server/contract/format.ts';
import { cx } from '../ui/class-names.ts';
import { rulerTicks } from './lanes.ts';

interface EditTicksProps {
  /** What the width of the ruler stands for. */
  scaleSeconds: number;
  /** Where the film ends now. */
  filmSeconds: number;
  /** How much of the whole width is behind the ruler. */
  roomShare: number;
}

/** The marks of time under the blocks, on beyond the film's end, which is marked by itself. */
export function EditTicks({ scaleSeconds, filmSeconds, roomShare }: EditTicksProps) {
  const ticks = rulerTicks(scaleSeconds / (1 - roomShare), 14);
  const place = (seconds: number) => `${(100 * seconds) / scaleSeconds}%`;
  return (
    <div aria-hidden="true" className="relative mt-1.5 h-5 text-[11px] text-ink-3 tabular-nums">
      <span className="absolute top-0 left-0 border-line-strong border-t" style={{ width: `${100 / (1 - roomShare)}%` }} />
      {ticks.map((seconds, index) => {
        // Where the end of the film is written, and every second one where they are dense, is no room.
        const shareToEnd = (filmSeconds - seconds) / scaleSeconds;
        const isNearEnd = shareToEnd > -0.06 && shareToEnd < 0.09;
        const isNearOnPhone = shareToEnd > -0.12 && shareToEnd < 0.22;
        const isLabelled = !isNearEnd && (ticks.length <= 9 || index % 2 === 0) && seconds < scaleSeconds * 1.13;
        return (
          <span
            key={seconds}
            className={cx(
              'absolute top-0 whitespace-nowrap border-line-strong border-l pt-0.5 pl-1',
              isLabelled ? 'h-full' : 'h-1.5',
            )}
            style={{ left: place(seconds) }}
          >
            {isLabelled && <span className={cx(isNearOnPhone && 'max-sm:hidden')}>{formatSeconds(seconds)}</span>}
          </span>
        );
      })}
      <span
        className="absolute top-0 h-full -translate-x-full whitespace-nowrap border-ink border-r-2 pt-0.5 pr-1 font-medium text-ink"
        style={{ left: place(filmSeconds) }}
      >
        {formatSeconds(filmSeconds)}
      </span>
    </div>
  );
}
