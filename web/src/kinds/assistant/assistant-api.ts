import { useQuery } from '@tanstack/react-query';
import { assistantKindId, assistantRoutes } from '#kinds/assistant/contract/assistant.ts';
import { api, call } from '../../api/client.ts';
import { useHealth } from '../../home/health-line.tsx';

export interface Beginning {
  readonly prompt: string;
  readonly toolsOff?: readonly string[];
}

export const assistantApi = {
  jobs: async (signal: AbortSignal) => (await call(assistantRoutes.readyJobs, {}, { signal })).jobs,
  conversation: (id: string, signal: AbortSignal) => call(assistantRoutes.assistant, { id }, { signal }),
  answeredForm: (id: string, approvalId: string, signal: AbortSignal) =>
    call(assistantRoutes.answeredForm, { id, approvalId }, { signal }),
  tools: async (signal: AbortSignal) => (await call(assistantRoutes.assistantTools, {}, { signal })).tools,
  limitTools: (id: string, off: readonly string[]) => call(assistantRoutes.limitTools, { id, body: { off: [...off] } }),
  /** Starts a conversation and returns its id. */
  async start({ prompt, toolsOff = [] }: Beginning) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const hints = { timeZone, ...(toolsOff.length > 0 && { toolsOff }) };
    return (await api.createProject({ kind: assistantKindId, prompt, hints })).id;
  },
};

export const startPath = '/assistant';

/** Returns the name of the language model. `null` if there is none or it is not known yet. */
export function useModelName(): string | null {
  const { data } = useHealth();
  return data === undefined || data.model.kind === 'director' ? null : data.model.name;
}

export function useReadyJobs() {
  return useQuery({ queryKey: ['assistant-jobs'], queryFn: ({ signal }) => assistantApi.jobs(signal), staleTime: Infinity });
}
