import { Clock, TriangleAlert } from 'lucide-react';
import type { RenderEstimate } from '../../../server/contract/estimate.ts';
import { formatBytes, formatSecondsLeft } from '../../../server/contract/format.ts';
import type { Preset } from '../../../server/contract/render.ts';
import { platforms } from '../../../server/contract/render-rules.ts';
import type { ApiError } from '../api/client.ts';
import { texts } from '../texts.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { workTime } from './work-time.ts';

interface CostLineProps {
  /** Null while it is being asked for. */
  estimate: RenderEstimate | null;
  error: ApiError | null;
}

/** What a render will take, before it is started. As high as it ever gets, so that nothing moves while one chooses. */
export function CostLine({ estimate, error }: CostLineProps) {
  return (
    <section
      aria-label={texts.renders.cost}
      aria-live="polite"
      className="flex min-h-15 items-start gap-2.5 rounded-lg bg-sunken px-3 py-2.5"
    >
      <Clock aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <div className="min-w-0 text-[13px] leading-5">
        {estimate ? (
          <Cost estimate={estimate} />
        ) : (
          <p className="text-ink-2">{error ? texts.renders.costFailed : texts.renders.costAsking}</p>
        )}
      </div>
    </section>
  );
}

function Cost({ estimate }: { estimate: RenderEstimate }) {
  const { workSeconds, sizeBytes, basis, rough, ahead, waitSeconds, frames } = estimate;
  const wait =
    ahead === 0
      ? null
      : waitSeconds === null
        ? texts.renders.costWaits(ahead)
        : `${texts.renders.costWaits(ahead)}, ${texts.renders.costWaitTime(formatSecondsLeft(waitSeconds))}`;
  const facts = [texts.renders.costFrames(frames), sizeBytes !== null && texts.renders.costSize(formatBytes(sizeBytes)), wait];
  return (
    <>
      <p>
        <span className={cx(workSeconds !== null && 'font-medium')}>{workTime(estimate)}</span>
        <span className="text-ink-2 tabular-nums">
          {facts.filter((fact) => typeof fact === 'string').map((fact) => ` · ${fact}`)}
        </span>
      </p>
      {basis && <p className="text-ink-3 text-xs">{texts.renders[rough ? 'costRoughBasis' : 'costBasis'][basis]}</p>}
    </>
  );
}

interface RefusalProps {
  error: ApiError;
  preset: Preset | null;
  onShorten: (seconds: number) => void;
  onWithoutPreset: () => void;
}

/** Why this cannot be rendered, before it is tried, and what can be done. */
export function Refusal({ error, preset, onShorten, onWithoutPreset }: RefusalProps) {
  const maxSeconds = preset && platforms[preset].maxSeconds;
  const tooLong = error.code === 'LIMIT_EXCEEDED';
  return (
    <div role="alert" className="flex min-h-15 items-start gap-2.5 rounded-lg bg-warn-soft px-3 py-2.5 text-warn">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 text-[13px] leading-5">
        <p className="wrap-anywhere">{error.message}</p>
        {tooLong && (
          <div className="mt-2 flex flex-wrap gap-2">
            {maxSeconds !== null && (
              <Button size="sm" onClick={() => onShorten(maxSeconds)}>
                {texts.renders.onlyTheFirst(maxSeconds)}
              </Button>
            )}
            <Button size="sm" onClick={onWithoutPreset}>
              {texts.renders.withoutPreset}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
