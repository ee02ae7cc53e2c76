import { useStore } from 'zustand';
import { useProject, useView } from './context.ts';

/** Returns whether the sandbox is suspended and nobody uses this page. The next activity ends it. */
export function useAsleep(): boolean {
  const idle = useStore(useProject().presence.store, (state) => state.idle);
  return useView((view) => view.project.sandbox === 'stopped' && !view.project.running) && idle;
}
