import type { Film } from '../../../contract/film.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import type { Facts, Step } from './facts.ts';
import type { Targets } from './targets.ts';

export interface RuleContext {
  readonly film: Film;
  readonly facts: Facts;
  /** What was uploaded. */
  readonly assets: readonly BriefAsset[];
  /** Scene numbers the clause is limited to; null = all. */
  readonly scope: ReadonlySet<number> | null;
  /** Whom the clause names, or the one before it, or who leads the film. */
  readonly targets: Targets;
  /** Who "it" is, where the clause names others. */
  readonly it: Targets;
  /** True when the clause itself named them. */
  readonly named: boolean;
  /** A colour in the clause picked the target, so it is no new colour. */
  readonly byColor: boolean;
}

export interface Outcome {
  readonly film: Film;
  /** One sentence for the user. */
  readonly told: string;
  /** Understood, but it cannot be done: the film is as before and `told` says why. */
  readonly refused?: boolean;
  /** Who "it" is from now on. */
  readonly targets?: Targets;
}

/** Reads one kind of wish out of a clause; null when the clause does not hold it. */
export type Rule = (context: RuleContext) => Outcome | null;

/** How far a step goes: "a bit", "much", "twice as", "by 20 %", "too big", "less fast". */
export function stepFactor(facts: Facts, step: Step): number {
  const up = step.factor > 1;
  if (facts.percent !== null) return Math.max(0.05, up ? 1 + facts.percent / 100 : 1 - facts.percent / 100);
  if (facts.repeat !== null && facts.repeat > 0) return up || facts.repeat < 1 ? facts.repeat : 1 / facts.repeat;
  const base = step.compared ? step.factor : up ? 1.3 : 0.75;
  const turned = facts.too || facts.negated || (facts.more === -1 && !step.compared) ? 1 / base : base;
  return turned ** facts.intensity;
}

/** A level ("big") sets, a step ("bigger", "too big", "twice as big") multiplies. */
export const isStep = (facts: Facts, step: Step): boolean =>
  step.compared || facts.too || facts.negated || facts.more !== 0 || facts.repeat !== null || facts.percent !== null;

export const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
export const rounded = (value: number): number => Math.round(value * 100) / 100;
