import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Clock, TriangleAlert } from 'lucide-react';
import { formatBytes, formatCount, formatSecondsLeft } from '#contract/display.ts';
import type { RenderEstimate } from '#contract/estimate.ts';
import type { ParameterValues, Preset } from '#contract/render.ts';
import { platforms } from '#contract/render-rules.ts';
import { type ApiError, type RenderRequestInput, renderApi, toApiError } from '../api/client.ts';
import { useProject, useView } from '../project/context.ts';
import { isRunning } from '../project/renders.ts';
import { Button, cx } from '../ui/elements.tsx';
import { useSettled } from '../ui/hooks.ts';

const quietMs = 300;

interface EstimateState {
  readonly estimate: RenderEstimate | null;
  readonly error: ApiError | null;
  /** Whether the server would reject the render. */
  readonly refused: boolean;
}

/** Requests an estimate before a render starts; `null` if the request is incomplete. */
export function useRenderEstimate(request: RenderRequestInput | null): EstimateState {
  const { projectId } = useProject();
  const atWork = useView((view) => view.renders.filter(isRunning).length);
  const asked = useSettled(JSON.stringify(request), quietMs);
  const { data, error } = useQuery({
    queryKey: ['estimate', projectId, asked, atWork],
    queryFn: ({ signal }) => renderApi.estimate(projectId, JSON.parse(asked), signal),
    enabled: asked !== 'null',
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const failure = error ? toApiError(error) : null;
  const refused = failure !== null && failure.status >= 400 && failure.status < 500;
  return { estimate: failure ? null : (data ?? null), error: failure, refused };
}

/** Returns how parameter values violate the film's rules; `null` if they do not, or until the film has responded. */
export function useParameterProblem(values: ParameterValues | undefined): string | null {
  const { projectId } = useProject();
  const asked = useSettled(JSON.stringify(values ?? null), quietMs);
  const { data } = useQuery({
    queryKey: ['film-check', projectId, asked],
    queryFn: ({ signal }) => renderApi.checkParameters(projectId, JSON.parse(asked), signal),
    enabled: asked !== 'null',
    retry: false,
  });
  return asked === 'null' ? null : (data ?? null);
}

/** Formats the expected render time: one value if measured, a range if derived. */
export function workTime({
  workSeconds,
  workRangeSeconds,
  basis,
  rough,
}: Pick<RenderEstimate, 'workSeconds' | 'workRangeSeconds' | 'basis' | 'rough'>): string {
  if (workSeconds === null || workRangeSeconds === null)
    return 'Koda cannot estimate the time yet, because it has not rendered anything like this on this machine.';
  const from = formatSecondsLeft(workRangeSeconds.from);
  const to = formatSecondsLeft(workRangeSeconds.to);
  const isMeasured = basis === 'project' && !rough;
  return isMeasured || from === to
    ? `About ${formatSecondsLeft(workSeconds)} on this machine`
    : `Between ${from} and ${to} on this machine`;
}

interface EstimateLineProps {
  estimate: RenderEstimate | null;
  error: ApiError | null;
}

export function EstimateLine({ estimate, error }: EstimateLineProps) {
  return (
    <section
      aria-label="Render estimate"
      aria-live="polite"
      className="flex min-h-15 items-start gap-2.5 rounded-lg bg-sunken px-3 py-2.5"
    >
      <Clock className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <div className="min-w-0 text-[13px] leading-5">
        {estimate ? (
          <EstimateFacts estimate={estimate} />
        ) : (
          <p className="text-ink-2">{error ? 'Koda could not estimate the time.' : 'Estimating…'}</p>
        )}
      </div>
    </section>
  );
}

type Basis = NonNullable<RenderEstimate['basis']>;
const basisText: Record<Basis, string> = {
  project: 'Based on earlier renders of this project.',
  studio: 'Based on renders of other projects.',
};
const roughBasisText: Record<Basis, string> = {
  project: 'Based on this project’s preview or other formats, because this is the first render of its kind.',
  studio: 'Based on renders of other projects in other formats.',
};

function EstimateFacts({ estimate }: { estimate: RenderEstimate }) {
  const { workSeconds, sizeBytes, basis, rough, ahead, waitSeconds, frames } = estimate;
  const after = ahead === 1 ? 'after the render ahead of it' : `after the ${ahead} renders ahead of it`;
  const wait = waitSeconds === null ? after : `${after}, in about ${formatSecondsLeft(waitSeconds)}`;
  const facts = [formatCount(frames, 'frame'), sizeBytes !== null && `about ${formatBytes(sizeBytes)}`, ahead > 0 && wait];
  return (
    <>
      <p>
        <span className={cx(workSeconds !== null && 'font-medium')}>{workTime(estimate)}</span>
        <span className="text-ink-2 tabular-nums">
          {facts.filter((fact) => typeof fact === 'string').map((fact) => ` · ${fact}`)}
        </span>
      </p>
      {basis && <p className="text-ink-3 text-xs">{(rough ? roughBasisText : basisText)[basis]}</p>}
    </>
  );
}

interface RefusalProps {
  error: ApiError;
  preset: Preset | null;
  onShorten: (seconds: number) => void;
  onWithoutPreset: () => void;
}

/** Explains why the server would reject this render, and what to do. */
export function Refusal({ error, preset, onShorten, onWithoutPreset }: RefusalProps) {
  const maxSeconds = preset && platforms[preset].maxSeconds;
  const tooLong = error.code === 'LIMIT_EXCEEDED';
  return (
    <div role="alert" className="flex min-h-15 items-start gap-2.5 rounded-lg bg-warn-soft px-3 py-2.5 text-warn">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 text-[13px] leading-5">
        <p className="wrap-anywhere">{error.message}</p>
        {preset && (
          <div className="mt-2 flex flex-wrap gap-2">
            {tooLong && maxSeconds !== null && (
              <Button size="sm" onClick={() => onShorten(maxSeconds)}>
                {`Render the first ${maxSeconds} s`}
              </Button>
            )}
            <Button size="sm" onClick={onWithoutPreset}>
              Render without this preset
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
