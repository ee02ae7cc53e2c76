import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RenderEstimate } from '../../../server/contract/estimate.ts';
import type { ParameterValues } from '../../../server/contract/render.ts';
import { type ApiError, toApiError } from '../api/client.ts';
import { type RenderRequestInput, renderApi } from '../api/renders.ts';
import { useProject, useView } from '../project/context.ts';
import { isAtWork } from '../project/renders.ts';
import { useSettled } from './use-settled.ts';

export interface Cost {
  readonly estimate: RenderEstimate | null;
  readonly error: ApiError | null;
  /** The server would refuse it: there is no use in trying. */
  readonly refused: boolean;
}

/** What the server says of a request before it is made; null = there is no whole request yet. */
export function useCost(request: RenderRequestInput | null): Cost {
  const { projectId } = useProject();
  const atWork = useView((view) => view.renders.filter(isAtWork).length);
  const asked = useSettled(JSON.stringify(request));
  const { data, error } = useQuery({
    queryKey: ['estimate', projectId, asked, atWork],
    queryFn: ({ signal }) => renderApi.estimate(projectId, JSON.parse(asked), signal),
    enabled: asked !== 'null',
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const said = error ? toApiError(error) : null;
  const refused = said !== null && said.status >= 400 && said.status < 500;
  return { estimate: said ? null : (data ?? null), error: said, refused };
}

/** What is wrong with values for the film's parameters, by the film's own rules; null = nothing, or not known yet. */
export function useParameterProblem(values: ParameterValues | undefined): string | null {
  const { projectId } = useProject();
  const asked = useSettled(JSON.stringify(values ?? null));
  const { data } = useQuery({
    queryKey: ['film-check', projectId, asked],
    queryFn: ({ signal }) => renderApi.checkParameters(projectId, JSON.parse(asked), signal),
    enabled: asked !== 'null',
    retry: false,
  });
  return asked === 'null' ? null : (data ?? null);
}
