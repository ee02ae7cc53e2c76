import { useEffect, useState } from 'react';
import { formatSecondsLeft } from '#contract/display.ts';
import { type Render, type RenderStage, renderStageSchema } from '#contract/render.ts';
import { useView } from '../project/context.ts';
import { ProgressBar } from '../ui/elements.tsx';

/** Number of finished frames at a time, in milliseconds on any clock. */
export interface SpeedSample {
  readonly framesDone: number;
  readonly atMs: number;
}

/** Measuring window in milliseconds: long enough for a steady value, short enough to follow changes. */
const windowMs = 8000;
const minSpanMs = 700;

/** Adds a sample and drops old ones. A restarted render starts a new measurement. */
export function withSample(samples: readonly SpeedSample[], sample: SpeedSample): SpeedSample[] {
  const last = samples.at(-1);
  if (last && sample.framesDone < last.framesDone) return [sample];
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= windowMs), sample];
}

/** Returns frames per second over the samples, or `null` if there are too few samples or no progress. */
export function speedOf(samples: readonly SpeedSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs - first.atMs < minSpanMs || last.framesDone === first.framesDone) return null;
  return ((last.framesDone - first.framesDone) * 1000) / (last.atMs - first.atMs);
}

const stageNames: Record<RenderStage, string> = {
  capturing: 'Capturing frames',
  encoding: 'Encoding',
  publishing: 'Checking the file',
};

/** Shows a running render's stage, frames, speed and remaining time. */
export function RenderProgress({ render }: { render: Render }) {
  const progress = useView((view) => view.progress[render.id] ?? null);
  const speed = useSpeed(progress?.framesDone ?? null);
  const percent = Math.floor(render.percent);
  const stage = render.stage ? stageNames[render.stage] : 'Preparing';
  const words = [
    `${percent} %`,
    progress && progress.framesTotal > 0 && `${progress.framesDone} of ${progress.framesTotal} frames`,
    speed !== null && render.stage === 'capturing' && `${speed < 10 ? speed.toFixed(1) : String(Math.round(speed))} frames/s`,
    progress?.secondsLeft != null && `about ${formatSecondsLeft(progress.secondsLeft)} left`,
  ].filter(Boolean);
  const step = render.stage ? 1 + renderStageSchema.options.indexOf(render.stage) : 0;
  return (
    <>
      <ProgressBar
        label="Render progress"
        percent={render.percent}
        valueText={[stage, ...words].join(', ')}
        className="my-1 h-1 rounded-full"
      />
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

/** Measures frames per second while the page shows the render; `null` until known. */
function useSpeed(framesDone: number | null): number | null {
  const [samples, setMarks] = useState<readonly SpeedSample[]>([]);
  useEffect(() => {
    if (framesDone !== null) setMarks((old) => withSample(old, { framesDone, atMs: performance.now() }));
  }, [framesDone]);
  return speedOf(samples);
}
