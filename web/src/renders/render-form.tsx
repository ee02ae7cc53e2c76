import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { resolutionSchema } from '#contract/render.ts';
import { type RenderRequestInput, renderApi } from '../api/client.ts';
import { browserStorage } from '../browser-storage.ts';
import { useProject, useRenderSubject, useView, useWorkbench } from '../project/context.ts';
import { newestComplete } from '../project/renders.ts';
import { Button, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { OutputFields, RangePicker } from './output-fields.tsx';
import { ParameterPanel } from './parameter-panel.tsx';
import { valuesOf } from './parameter-surface.ts';
import { PresetCards, ShapeNote } from './preset-cards.tsx';
import {
  offerOf,
  type RangeChoice,
  type RenderChoice,
  rangeOf,
  rangeWithin,
  recallChoice,
  rememberChoice,
  requestOf,
} from './render-choice.ts';
import { EstimateLine, Refusal, useParameterProblem, useRenderEstimate } from './render-estimate.tsx';

const nothingPlanned = { aspect: '16:9', fps: 60, scenes: [] } as const;

export default function RenderForm({ onDone }: { onDone: () => void }) {
  const { projectId, workbench } = useProject();
  const subject = useRenderSubject();
  const { aspect, fps, scenes: planned } = subject ?? nothingPlanned;
  const thumbnailUrl = useView((view) => newestComplete(view.renders)?.thumbnailUrl ?? null);
  const [choice, setChoice] = useState<RenderChoice>(() => recallChoice(projectId, browserStorage));
  const [part, setPart] = useState<RangeChoice>({ kind: 'film' });
  const fields = useWorkbench((state) => state.parameters);
  const problemId = useId();
  const film = useQuery({
    queryKey: ['film', projectId],
    queryFn: ({ signal }) => renderApi.film(projectId, signal),
    staleTime: 0,
  });
  const parameters = film.data?.parameters ?? [];

  const offer = offerOf(choice, { aspect, fps });
  const range = rangeOf(part);
  const asked = valuesOf(parameters, fields);
  const values = 'bad' in asked ? undefined : asked.values;
  const whole = 'incomplete' in range || 'bad' in asked ? null : requestOf(choice, { range: range.range, parameters: values });
  const estimate = useRenderEstimate(whole);
  const parameterProblem = useParameterProblem(values);
  // The parameter's panel shows a field's errors.
  const problem = 'bad' in asked ? null : parameterProblem;

  const start = useMutation({
    mutationFn: (request: RenderRequestInput) => renderApi.start(projectId, request),
    onSuccess: () => {
      rememberChoice(projectId, choice, browserStorage);
      workbench.setState({ chosenTab: 'video', pane: 'panes' });
      onDone();
    },
  });
  const change = (next: Partial<RenderChoice>) => {
    start.reset();
    setChoice({ ...choice, ...next });
  };
  const preset = choice.target === 'custom' ? null : choice.target;
  const scenes = film.data && film.data.scenes.length > 0 ? film.data.scenes : planned;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (whole) start.mutate(whole);
      }}
      className="mt-5 flex min-h-0 flex-1 flex-col"
    >
      {/* Parameters load late; scrolling keeps them from moving the buttons. */}
      <div className="-mx-6 flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-6 pt-0.5 pb-5">
        <PresetCards
          value={choice.target}
          aspect={aspect}
          thumbnailUrl={thumbnailUrl}
          onChange={(target) => change({ target })}
        />
        <ShapeNote target={choice.target} aspect={aspect} refused={estimate.refused} />
        <div className="flex flex-col gap-3">
          <OutputFields choice={choice} offer={offer} resolutions={resolutionSchema.options} onChange={change} />
          <RangePicker
            part={part}
            scenes={scenes}
            durationSeconds={subject?.durationSeconds ?? film.data?.durationSeconds ?? 1}
            fps={offer.fps}
            onChange={setPart}
          />
        </div>
        {film.isPending && (
          <p role="status" className="flex items-center gap-2 text-ink-3 text-xs">
            <Spinner className="size-3.5" />
            Loading the film’s parameters…
          </p>
        )}
        {film.isError && (
          <p className="text-ink-3 text-xs">Koda could not read the film’s parameters. You can still render it as it is.</p>
        )}
        {parameters.length > 0 && (
          <div className="border-line border-t pt-4">
            <ParameterPanel parameters={parameters} />
          </div>
        )}
        {problem && (
          <p id={problemId} role="alert" className="wrap-anywhere text-[13px] text-bad">
            {problem}
          </p>
        )}
      </div>
      <div className="-mx-6 flex flex-col gap-4 border-line border-t px-6 pt-4">
        {estimate.refused && estimate.error && whole ? (
          <Refusal
            error={estimate.error}
            preset={preset}
            onShorten={() => preset && setPart(rangeWithin(preset) ?? { kind: 'film' })}
            onWithoutPreset={() => change({ target: 'custom' })}
          />
        ) : (
          <EstimateLine estimate={estimate.estimate} error={estimate.error} />
        )}
        {start.isError && <ErrorNotice error={start.error} onDismiss={() => start.reset()} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onDone}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            aria-describedby={problem ? problemId : undefined}
            pending={start.isPending && 'Starting…'}
            disabled={whole === null || problem !== null || estimate.refused}
          >
            Start render
          </Button>
        </div>
      </div>
    </form>
  );
}
