import type { Facts } from './facts.ts';

interface Pull {
  readonly when: (facts: Sum) => boolean;
  readonly told: string;
}

interface Sum {
  readonly faster: boolean;
  readonly slower: boolean;
  readonly smoother: boolean;
  readonly livelier: boolean;
  readonly grander: boolean;
  readonly longer: boolean;
  readonly shorter: boolean;
  readonly bigger: boolean;
  readonly smaller: boolean;
  readonly styles: number;
}

const pulls: readonly Pull[] = [
  {
    when: (sum) => sum.faster && sum.smoother,
    told: '“Faster” and “smoother” pull against each other, so I read them as: things travel quicker, but start and stop softly.',
  },
  {
    when: (sum) => sum.slower && sum.livelier,
    told: '“Slower” and “playful” pull against each other, so I read them as: a calmer pace that keeps its bounce.',
  },
  {
    when: (sum) => sum.faster && sum.grander,
    told: '“Faster” and “cinematic” pull against each other, so I read them as: quick moves under a slow camera.',
  },
  { when: (sum) => sum.faster && sum.slower, told: '“Faster” and “slower” cancel each other, so the last one counts most.' },
  {
    when: (sum) => sum.longer && sum.faster,
    told: '“Longer” is about the film and “faster” about the moves in it: more time, filled more briskly.',
  },
  {
    when: (sum) => sum.shorter && sum.slower,
    told: '“Shorter” is about the film and “slower” about the moves in it: less time, in a calmer pace.',
  },
  {
    when: (sum) => sum.longer && sum.shorter,
    told: '“Longer” and “shorter” cancel each other, so I did them in the order you said them.',
  },
  {
    when: (sum) => sum.bigger && sum.smaller,
    told: '“Bigger” and “smaller” are both there, so I did them in the order you said them.',
  },
  { when: (sum) => sum.styles > 1, told: 'A film has one style, so the last one you named counts.' },
];

/** How wishes that pull against each other were read, in one sentence; null when they do not. */
export function tension(all: readonly Facts[]): string | null {
  // Wishes about different scenes do not meet.
  const scenes = new Set(all.map((facts) => facts.scenes.join()));
  const clauses = scenes.size > 1 ? [] : all;
  const styles = clauses.flatMap((facts) => (facts.style === null ? [] : [facts.style.style]));
  // Sizes conflict only when they are about one thing.
  const sizes = clauses.filter((facts) => facts.size !== null && facts.subjects.length === 0 && facts.textNoun === null);
  const sum: Sum = {
    faster: clauses.some((facts) => facts.speed !== null && facts.speed.factor > 1 !== facts.too),
    slower: clauses.some((facts) => facts.speed !== null && facts.speed.factor < 1 !== facts.too),
    smoother: styles.includes('smooth'),
    livelier: styles.includes('playful'),
    grander: styles.includes('cinematic'),
    longer: clauses.some((facts) => facts.length !== null && facts.length.factor > 1),
    shorter: clauses.some((facts) => facts.length !== null && facts.length.factor < 1),
    bigger: sizes.some((facts) => (facts.size?.factor ?? 1) > 1),
    smaller: sizes.some((facts) => (facts.size?.factor ?? 1) < 1),
    styles: new Set(styles).size,
  };
  return pulls.find((pull) => pull.when(sum))?.told ?? null;
}
