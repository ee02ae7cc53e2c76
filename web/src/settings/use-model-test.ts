import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ModelTest } from '#contract/model-servers.ts';
import { api } from '../api/client.ts';
import type { ModelRequest } from './model-draft.ts';

/** Tests a model, one test at a time. A test can be stopped. */
export function useModelTest() {
  const controller = useRef<AbortController | null>(null);
  const [result, setResult] = useState<ModelTest | null>(null);
  const { error, isPending, mutate, reset } = useMutation({
    async mutationFn(request: ModelRequest) {
      controller.current = new AbortController();
      const { signal } = controller.current;
      setResult(null);
      for await (const test of api.testModel(request, signal)) {
        if (signal.aborted) return;
        setResult(test);
      }
    },
  });
  const clear = () => {
    controller.current?.abort();
    setResult(null);
    reset();
  };
  return { result, error, isPending, run: mutate, clear };
}

export type ModelTestState = ReturnType<typeof useModelTest>;
