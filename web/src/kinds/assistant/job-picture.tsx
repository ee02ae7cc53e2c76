import type { ReactNode } from 'react';
import type { JobId } from '#kinds/assistant/contract/assistant.ts';
import { cx } from '../../ui/elements.tsx';

/** Drawing of what a job does. It says nothing that the job's text does not. */
export function JobPicture({ id }: { id: JobId }) {
  return (
    <span
      aria-hidden="true"
      className="relative block h-28 w-full shrink-0 overflow-hidden border-line border-b bg-sunken pane:h-39.5"
    >
      {pictures[id]}
    </span>
  );
}

interface FrameProps {
  className: string;
  tint: number;
}

/** A film's frame with a title, a line and a shape. */
function Frame({ className, tint }: FrameProps) {
  return (
    <span
      className={cx('absolute overflow-hidden rounded-lg border border-black/10 shadow-lift', className)}
      style={{ background: `linear-gradient(150deg, var(--scene-${tint}), var(--scene-${(tint % 5) + 1}))` }}
    >
      <span className="absolute top-[14%] right-[8%] aspect-square w-[20%] rounded-full bg-accent" />
      <span className="absolute bottom-[30%] left-[9%] h-[14%] max-h-3.5 w-[52%] rounded-sm bg-ink" />
      <span className="absolute bottom-[15%] left-[9%] h-[7%] max-h-1.5 w-[34%] rounded-sm bg-ink-2" />
    </span>
  );
}

const rowWidths = ['w-9', 'w-7', 'w-10', 'w-8', 'w-9'];

function SheetPicture() {
  return (
    <>
      <span className="absolute top-5 left-[8%] w-[36%] overflow-hidden rounded-lg border border-line bg-panel shadow-card">
        {rowWidths.map((width, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
            key={index}
            className={cx(
              'flex h-5.5 items-center justify-between px-2',
              index > 0 && 'border-line border-t',
              index === 2 && 'bg-accent-soft',
            )}
          >
            <span className={cx('h-1.5 rounded-full', width, index === 2 ? 'bg-accent' : 'bg-line-strong')} />
            <span className={cx('h-1.5 w-5 rounded-full', index === 2 ? 'bg-accent' : 'bg-line-strong')} />
          </span>
        ))}
      </span>
      <Frame className="top-4 right-[6%] aspect-video w-[36%] rotate-3" tint={4} />
      <Frame className="top-12 right-[12%] aspect-video w-[42%] -rotate-2" tint={1} />
    </>
  );
}

function BarsPicture() {
  return (
    <span className="absolute inset-x-[10%] top-1/2 grid -translate-y-1/2 gap-3">
      {['w-[78%]', 'w-[52%]', 'w-[31%]', 'w-[18%]'].map((width, index) => (
        <span key={width} className="h-3 rounded bg-line">
          <span className={cx('block h-3 rounded', width, index === 0 ? 'bg-accent' : 'bg-ink-3')} />
        </span>
      ))}
    </span>
  );
}

function WeeksPicture() {
  return (
    <span className="absolute inset-x-[8%] top-1/2 grid -translate-y-1/2 grid-cols-7 gap-1.5">
      {Array.from({ length: 21 }, (_, day) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the days never change.
          key={day}
          className={cx('h-5 rounded-md', day % 7 === 0 ? 'bg-accent' : 'bg-panel')}
        />
      ))}
    </span>
  );
}

const pictures: Readonly<Record<JobId, ReactNode>> = {
  variants: <SheetPicture />,
  sizes: (
    <>
      <Frame className="top-5 left-[8%] aspect-video w-[48%]" tint={4} />
      <Frame className="top-4 right-[8%] aspect-[9/16] h-[82%]" tint={4} />
      <Frame className="bottom-3 left-[38%] aspect-square h-[50%]" tint={4} />
    </>
  ),
  'clean-up': <BarsPicture />,
  schedule: <WeeksPicture />,
};
