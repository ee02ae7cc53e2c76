import { useMemo } from 'react';
import type { ParameterInfo } from '#contract/render.ts';
import { useProject, useWorkbench } from '../project/context.ts';
import type { PressedAction } from '../surface/surface-context.ts';
import { SurfaceView } from '../surface/surface-view.tsx';
import { parameterSurface, resetAction, valuesOf } from './parameter-surface.ts';

const title = 'Film parameters';

/** Edits the film's parameters. Values apply to the running film and to the next render. */
export function ParameterPanel({ parameters }: { parameters: readonly ParameterInfo[] }) {
  const { workbench } = useProject();
  const fields = useWorkbench((state) => state.parameters);
  const surface = useMemo(() => parameterSurface(parameters, fields), [parameters, fields]);
  const asked = valuesOf(parameters, fields);
  const onAction = ({ name, context }: PressedAction) => {
    if (name !== resetAction) return;
    const { [String(context['parameter'])]: _, ...others } = fields;
    workbench.setState({ parameters: others });
  };
  const onData = (path: string, value: unknown) => workbench.setState({ parameters: { ...fields, [path.slice(1)]: value } });
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{title}</legend>
      <p aria-hidden="true" className="mb-3 font-medium text-[13px]">
        {title}
      </p>
      <SurfaceView surface={surface} onData={onData} onAction={onAction} />
      {'bad' in asked && (
        <p role="alert" className="mt-3 wrap-anywhere text-[13px] text-bad">
          “{asked.bad}” {asked.reason}.
        </p>
      )}
    </fieldset>
  );
}
