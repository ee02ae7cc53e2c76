import { useEffect, useRef } from 'react';
import type { ParameterInfo } from '#contract/render.ts';
import { useWorkbench } from '../../../project/context.ts';
import { valuesOf } from '../../../renders/parameter-surface.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './use-player.ts';

/** The film restarts with each change, so this waits until the values settle. */
const quietMs = 150;
/**
 * A page that is restarting misses the message, so it is sent again whenever the page starts with other values. The limit
 * stops pages that cannot store values (browsers may block storage in frames) from restarting forever.
 */
const maxTries = 5;

/** Applies the entered parameter values to the running film. */
export function useFilmValues(
  player: Player,
  { parameters, responsive }: { parameters: readonly ParameterInfo[]; responsive: boolean },
): void {
  const fields = useWorkbench((state) => state.parameters);
  const asked = valuesOf(parameters, fields);
  // Invalid values would keep the film from loading.
  const wanted = 'bad' in asked ? null : JSON.stringify(asked.values ?? null);
  const shown = usePlayerState(player, (state) => state.values);
  const has = shown === undefined ? undefined : JSON.stringify(shown);
  const load = usePlayerState(player, (state) => state.load);
  /**
   * Values sent most recently, and how often they have been sent since the film last showed the requested values. A film
   * starts with its defaults.
   */
  const sent = useRef({ values: 'null', times: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies(load): a page that begins anew is told again.
  useEffect(() => {
    if (!responsive || wanted === null) return;
    const { values, times } = sent.current;
    if (wanted === has) {
      sent.current = { values: wanted, times: 0 };
      return;
    }
    const sentBefore = values === wanted ? times : 0;
    // An older project's page does not report its values.
    if (has === undefined ? wanted === values : sentBefore >= maxTries) return;
    const timer = setTimeout(() => {
      sent.current = { values: wanted, times: sentBefore + 1 };
      player.adjust(JSON.parse(wanted));
    }, quietMs);
    return () => clearTimeout(timer);
  }, [player, responsive, wanted, has, load]);
}
