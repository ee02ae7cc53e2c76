import { useEffect, useRef } from 'react';
import type { ParameterInfo, ParameterValues } from '../../../server/contract/render.ts';
import { useWorkbench } from '../project/context.ts';
import { valuesOf } from '../renders/parameter-surface.ts';
import type { Player } from './player.ts';

/** The film begins anew with each change, so one that goes on is waited for. */
const quietMs = 150;
/** A page that begins anew just then does not hear it; it is told again after this time, and so many times at most. */
const retryMs = 3000;
const maxTries = 5;

/** Lets the running film follow what is entered for its parameters. */
export function useFilmValues(
  player: Player,
  {
    parameters,
    alive,
    shown,
  }: { parameters: readonly ParameterInfo[]; alive: boolean; shown: ParameterValues | null | undefined },
): void {
  const fields = useWorkbench((state) => state.parameters);
  const asked = valuesOf(parameters, fields);
  // A film does not load with a value that it cannot have.
  const wanted = 'bad' in asked ? null : JSON.stringify(asked.values ?? null);
  const has = shown === undefined ? undefined : JSON.stringify(shown);
  /** What a page that does not say what it has was told last; its own values before that. */
  const told = useRef('null');
  useEffect(() => {
    if (!alive || wanted === null || wanted === (has ?? told.current)) return;
    let tries = 0;
    const tell = (): void => {
      told.current = wanted;
      tries += 1;
      player.adjust(JSON.parse(wanted));
      if (has !== undefined && tries < maxTries) timer = setTimeout(tell, retryMs);
    };
    let timer = setTimeout(tell, quietMs);
    return () => clearTimeout(timer);
  }, [player, alive, wanted, has]);
}
