import type { ContenderName, Variant } from './contenders/contender.ts';

/** One kind of run: a contender with one of its two settings. */
export interface Setup {
  readonly contender: ContenderName;
  readonly variant: Variant;
}

/** Peers have two settings; ours and the naive way have one. */
export function setupsOf(contender: ContenderName): Setup[] {
  const variants: readonly Variant[] =
    contender === 'remotion' || contender === 'hyperframes' ? ['documented', 'tuned'] : ['tuned'];
  return variants.map((variant) => ({ contender, variant }));
}

/**
 * What runs in a round for one scene, in this order. In the first round every peer runs with both settings;
 * after that only with the one that was faster, which is the one it is judged by.
 */
export function setupsOfRound(
  contenders: readonly ContenderName[],
  round: number,
  speedOf: (setup: Setup) => number | null,
): Setup[] {
  return contenders.flatMap((contender) => {
    const setups = setupsOf(contender);
    return round === 0 ? setups : [fastest(setups, speedOf)];
  });
}

/** The setup with the highest speed; one without any (it failed) is the slowest. Throws when there is no setup. */
export function fastest(setups: readonly Setup[], speedOf: (setup: Setup) => number | null): Setup {
  const [first, ...rest] = setups;
  if (!first) throw new Error('There is nothing to choose from.');
  return rest.reduce((best, setup) => ((speedOf(setup) ?? 0) > (speedOf(best) ?? 0) ? setup : best), first);
}
