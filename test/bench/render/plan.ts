import type { ContenderName, Variant } from './contenders/contender.ts';
import type { FilmSettings } from './film.ts';

export interface Setup {
  readonly contender: ContenderName;
  readonly variant: Variant;
}

/** Peers have two variants, of which only the documented one is as shipped; Koda and the naive approach have one. */
export function setupsOf(contender: ContenderName, encoder: FilmSettings['encoder']): Setup[] {
  const isPeer = contender === 'remotion' || contender === 'hyperframes';
  const peerVariants: readonly Variant[] = encoder === 'same' ? ['documented', 'tuned'] : ['documented'];
  const variants: readonly Variant[] = isPeer ? peerVariants : ['tuned'];
  return variants.map((variant) => ({ contender, variant }));
}

/**
 * Returns the runs of a round for one scene, in order. In the first round, every peer runs in both variants. Later rounds use
 * only the faster variant, which is the one that is reported.
 */
export function setupsOfRound(
  contenders: readonly ContenderName[],
  encoder: FilmSettings['encoder'],
  round: number,
  speedOf: (setup: Setup) => number | null,
): Setup[] {
  return contenders.flatMap((contender) => {
    const setups = setupsOf(contender, encoder);
    return round === 0 ? setups : [fastest(setups, speedOf)];
  });
}

/** Returns the fastest setup. A setup without a speed has failed and counts as the slowest. Throws an Error if there is none. */
export function fastest(setups: readonly Setup[], speedOf: (setup: Setup) => number | null): Setup {
  const [first, ...rest] = setups;
  if (!first) throw new Error('There is nothing to choose from.');
  return rest.reduce((best, setup) => ((speedOf(setup) ?? 0) > (speedOf(best) ?? 0) ? setup : best), first);
}
