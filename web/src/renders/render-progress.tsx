import { useEffect, useState } from 'react';
import { formatSecondsLeft } from '../../../server/contract/format.ts';
import { type Render, type RenderStage, renderStageSchema } from '../../../server/contract/render.ts';
import { useView } from '../project/context.ts';

/** How many frames were done at a moment, in milliseconds of any clock. */
export interface SpeedMark {
  readonly framesDone: number;
  readonly atMs: number;
}

/** Long enough to be calm, short enough to follow. */
const windowMs = 8000;
const minSpanMs = 700;

/** The marks to keep after a new one. A render that begins again is measured anew. */
export function withMark(marks: readonly SpeedMark[], mark: SpeedMark): SpeedMark[] {
  const last = marks.at(-1);
  if (last && mark.framesDone < last.framesDone) return [mark];
  return [...marks.filter(({ atMs }) => mark.atMs - atMs <= windowMs), mark];
}

/** Frames a second over the marks; null while there are too few to tell, and while nothing comes. */
export function speedOf(marks: readonly SpeedMark[]): number | null {
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last || last.atMs - first.atMs < minSpanMs || last.framesDone === first.framesDone) return null;
  return ((last.framesDone - first.framesDone) * 1000) / (last.atMs - first.atMs);
}

const stageNames: Record<RenderStage, string> = {
  capturing: 'Drawing frames',
  encoding: 'Encoding',
  publishing: 'Checking the file',
};

/** How far a render at work has come: its stage, frames, their speed and the time that is left. */
export function RenderProgress({ render }: { render: Render }) {
  const progress = useView((view) => view.progress[render.id] ?? null);
  const speed = useSpeed(progress?.framesDone ?? null);
  const percent = Math.floor(render.percent);
  const stage = render.stage ? stageNames[render.stage] : 'Getting ready';
  const words = [
    `${percent} %`,
    progress && progress.framesTotal > 0 && `${progress.framesDone} of ${progress.framesTotal} frames`,
    speed !== null && render.stage === 'capturing' && `${speed < 10 ? speed.toFixed(1) : String(Math.round(speed))} frames/s`,
    progress?.secondsLeft != null && `about ${formatSecondsLeft(progress.secondsLeft)} left`,
  ].filter(Boolean);
  const step = render.stage ? 1 + renderStageSchema.options.indexOf(render.stage) : 0;
  return (
    <>
      <div
        role="progressbar"
        aria-label="Progress of the render"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={[stage, ...words].join(', ')}
        className="my-1 h-1 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full rounded-full bg-accent transition-[width] duration-300" style={{ width: `${render.percent}%` }} />
      </div>
      <p className="line-clamp-2 text-ink-3 text-xs tabular-nums">
        <span className="font-medium text-ink-2">
          {step > 0 && `${step}/${renderStageSchema.options.length} `}
          {stage}
        </span>
        {words.map((word) => ` · ${word}`)}
      </p>
    </>
  );
}

/** Frames a second, from how their number grows while one looks. */
function useSpeed(framesDone: number | null): number | null {
  const [marks, setMarks] = useState<readonly SpeedMark[]>([]);
  useEffect(() => {
    if (framesDone !== null) setMarks((old) => withMark(old, { framesDone, atMs: performance.now() }));
  }, [framesDone]);
  return speedOf(marks);
}
