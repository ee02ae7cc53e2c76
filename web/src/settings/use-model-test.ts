import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../api/client.ts';
import type { ModelRequest } from './model-draft.ts';

/** One test of models at a time, which can be given up. */
export function useModelTest() {
  const controller = useRef<AbortController | null>(null);
  const { data, error, isPending, mutate, reset } = useMutation({
    mutationFn: (request: ModelRequest) => {
      controller.current = new AbortController();
      return api.testModel(request, controller.current.signal);
    },
  });
  const clear = () => {
    controller.current?.abort();
    reset();
  };
  return { checks: data ?? null, error, isPending, run: mutate, clear };
}

export type ModelTestState = ReturnType<typeof useModelTest>;
