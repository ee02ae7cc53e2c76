import { useEffect, useRef } from 'react';
import type { ParameterInfo } from '../../../server/contract/render.ts';
import { useWorkbench } from '../project/context.ts';
import { valuesOf } from '../renders/parameter-surface.ts';
import type { Player } from './player.ts';

/** The film begins anew with each change, so one that goes on is waited for. */
const quietMs = 150;

/** Lets the running film follow what is entered for its parameters. */
export function useFilmValues(
  player: Player,
  { parameters, alive }: { parameters: readonly ParameterInfo[]; alive: boolean },
): void {
  const fields = useWorkbench((state) => state.parameters);
  const asked = valuesOf(parameters, fields);
  // A film does not load with a value that it cannot have.
  const wanted = 'bad' in asked ? null : JSON.stringify(asked.values ?? null);
  /** What the page was told last; its own values before that. */
  const told = useRef('null');
  useEffect(() => {
    if (!alive || wanted === null || wanted === told.current) return;
    const timer = setTimeout(() => {
      told.current = wanted;
      player.adjust(JSON.parse(wanted));
    }, quietMs);
    return () => clearTimeout(timer);
  }, [player, alive, wanted]);
}
