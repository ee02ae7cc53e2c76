import { useEffect, useState } from 'react';
import { formatSecondsLeft } from '../../../server/contract/format.ts';
import { type Render, renderStageSchema } from '../../../server/contract/render.ts';
import { useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { type SpeedMark, speedOf, withMark } from './frame-speed.ts';

/** How far a render at work has come: its stage, frames, their speed and the time that is left. */
export function RenderProgress({ render }: { render: Render }) {
  const progress = useView((view) => view.progress[render.id] ?? null);
  const speed = useSpeed(progress?.framesDone ?? null);
  const percent = Math.floor(render.percent);
  const stage = render.stage ? texts.renders.stages[render.stage] : texts.renders.starts;
  const words = [
    `${percent} %`,
    progress && progress.framesTotal > 0 && texts.renders.frames(progress.framesDone, progress.framesTotal),
    speed !== null &&
      render.stage === 'capturing' &&
      texts.renders.speed(speed < 10 ? speed.toFixed(1) : String(Math.round(speed))),
    progress?.secondsLeft != null && texts.renders.left(formatSecondsLeft(progress.secondsLeft)),
  ].filter(Boolean);
  const step = render.stage ? 1 + renderStageSchema.options.indexOf(render.stage) : 0;
  return (
    <>
      <div
        role="progressbar"
        aria-label={texts.renders.progress}
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
