import { useEffect, useRef } from 'react';
import type { ParameterInfo } from '#contract/render.ts';
import { useWorkbench } from '../project/context.ts';
import { valuesOf } from '../renders/parameter-surface.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './use-player.ts';

/** The film begins anew with each change, so one that goes on is waited for. */
const quietMs = 150;
/**
 * A page that begins anew just then does not hear it. It is told again whenever it has come up with other values; but a
 * page that cannot keep them (its browser keeps nothing for pages inside pages) would begin anew for ever.
 */
const maxTries = 5;

/** Lets the running film follow what is entered for its parameters. */
export function useFilmValues(
  player: Player,
  { parameters, alive }: { parameters: readonly ParameterInfo[]; alive: boolean },
): void {
  const fields = useWorkbench((state) => state.parameters);
  const asked = valuesOf(parameters, fields);
  // A film does not load with a value that it cannot have.
  const wanted = 'bad' in asked ? null : JSON.stringify(asked.values ?? null);
  const shown = usePlayerState(player, (state) => state.values);
  const has = shown === undefined ? undefined : JSON.stringify(shown);
  const load = usePlayerState(player, (state) => state.load);
  /** What the page was told last, and how often since it last had what was wanted; a film begins with its own values. */
  const told = useRef({ values: 'null', times: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies(load): a page that begins anew is told again.
  useEffect(() => {
    if (!alive || wanted === null) return;
    const { values, times } = told.current;
    if (wanted === has) {
      told.current = { values: wanted, times: 0 };
      return;
    }
    const toldBefore = values === wanted ? times : 0;
    // A page of an older project does not say what it has.
    if (has === undefined ? wanted === values : toldBefore >= maxTries) return;
    const timer = setTimeout(() => {
      told.current = { values: wanted, times: toldBefore + 1 };
      player.adjust(JSON.parse(wanted));
    }, quietMs);
    return () => clearTimeout(timer);
  }, [player, alive, wanted, has, load]);
}
