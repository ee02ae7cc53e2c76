import type { Motion, Subject } from '../../../contract/film.ts';
import { capitalize, timesWord } from '../plan/names.ts';
import { maxHeight, maxTimes } from '../plan/subjects.ts';
import type { Facts, Step } from './facts.ts';
import { mapScenes, mapSubjects } from './film-edit.ts';
import { idsOf, isPlural, names, subjectsOf } from './naming.ts';
import { isStep, type Rule, type RuleContext, rounded, stepFactor, within } from './rule.ts';

/** "faster", "twice as fast", "too slow", "slow": the pace inside the scenes; their length stays. */
export const speedRule: Rule = ({ film, facts, scope, targets, named }) => {
  const wordly =
    facts.words.has('speed') || facts.words.has('tempo') || facts.words.has('geschwindigkeit')
      ? { factor: facts.more === -1 || (facts.repeat !== null && facts.repeat < 1) ? 0.75 : 1.3, compared: true }
      : null;
  const step =
    facts.speed ?? (facts.size === null && (facts.more !== 0 || facts.repeat !== null || facts.percent !== null) ? wordly : null);
  if (step === null) return null;
  // A thing that is named limits the change to the scenes it is in.
  const own = new Set(
    film.scenes
      .filter(
        (scene) =>
          scene.subjects.some((subject) => targets.subjects.has(subject.id)) ||
          scene.texts.some((text) => targets.texts.has(text.id)),
      )
      .map((scene) => scene.number),
  );
  const where = scope ?? (named && own.size > 0 && own.size < film.scenes.length ? own : null);
  const change = (now: number): number =>
    rounded(within(isStep(facts, step) ? now * stepFactor(facts, step) : step.factor, 0.25, 4));
  const edited = mapScenes(film, (scene) => ({ ...scene, speed: change(scene.speed) }), where);
  const first = film.scenes.find((scene) => where === null || where.has(scene.number));
  if (first === undefined) return null;
  const ratio = change(first.speed) / first.speed;
  const place = where === null ? '' : ` in scene ${[...where].join(' and ')}`;
  if (Math.abs(ratio - 1) < 0.005)
    return {
      film,
      told: `The pace already is ${first.speed >= 4 ? 'as fast' : first.speed <= 0.25 ? 'as slow' : 'like that'}${first.speed >= 4 || first.speed <= 0.25 ? ' as it goes' : ''}${place}.`,
    };
  return {
    film: edited,
    told: `Things move ${ratio > 1 ? `${Math.round((ratio - 1) * 100)} % faster` : `${Math.round((1 - ratio) * 100)} % slower`}${place}; the length stays.`,
  };
};

type Hopping = Extract<Motion, { type: 'bounce' | 'jump' }>;
const hops = (motion: Motion): motion is Hopping => motion.type === 'bounce' || motion.type === 'jump';

/** Things that can do it: those that are meant, else whoever in the film does. */
function doing(context: RuleContext, can: (motion: Motion) => boolean): Subject[] {
  const { film, targets, named, scope } = context;
  const meant = subjectsOf(film, targets).filter((subject) => can(subject.motion));
  if (meant.length > 0 || named) return meant;
  return film.scenes
    .filter((scene) => scope === null || scope.has(scene.number))
    .flatMap((scene) => scene.subjects.filter((subject) => can(subject.motion)));
}

const heightWords = ['height', 'hoehe', 'hauteur', 'altura'];

/** "increase the bounce height". */
const heightNoun = (facts: Facts): Step | null =>
  heightWords.some((word) => facts.words.has(word)) ? { factor: facts.more === -1 ? 0.7 : 1.35, compared: true } : null;

/** "bigger bounces" are higher ones. */
export const biggerHop = (facts: Facts): Step | null =>
  facts.size?.compared && facts.subjects.length === 0 && facts.motions.some((motion) => motion === 'bounce' || motion === 'jump')
    ? facts.size
    : null;

export const heightRule: Rule = (context) => {
  const { film, facts } = context;
  const height = facts.height ?? heightNoun(facts) ?? biggerHop(facts);
  if (height === null || context.targets.texts.size > 0) return null;
  const hopping = doing(context, hops);
  if (hopping.length === 0)
    return { film, told: 'Nothing in the film bounces or jumps, so nothing can go higher or lower.', refused: true };
  const change = (now: number): number =>
    rounded(within(isStep(facts, height) ? now * stepFactor(facts, height) : height.factor, 0.2, maxHeight));
  const ids = idsOf(hopping);
  const edited = mapSubjects(film, ids, (subject) =>
    hops(subject.motion) ? { ...subject, motion: { ...subject.motion, height: change(subject.motion.height) } } : subject,
  );
  const [first] = hopping;
  if (first === undefined || !hops(first.motion)) return null;
  const targets = { subjects: ids, texts: new Set<string>() };
  const now = change(first.motion.height);
  if (now === first.motion.height)
    return {
      film,
      told: `${capitalize(names(film, targets))} already ${first.motion.type === 'jump' ? 'jumps' : 'bounces'} as ${height.factor > 1 ? 'high' : 'low'} as the frame allows.`,
      targets,
    };
  const verb = first.motion.type === 'jump' ? 'jump' : 'bounce';
  return {
    film: edited,
    told: `${capitalize(names(film, targets))} ${isPlural(film, targets) ? verb : `${verb}s`} ${now > first.motion.height ? 'higher' : 'lower'} now.`,
    targets,
  };
};

type Counted = Extract<Motion, { times: number }>;
const counts = (motion: Motion): motion is Counted => 'times' in motion;

/** "bounce 5 times", "one more bounce", "two bounces less". */
export const timesRule: Rule = (context) => {
  const { film, facts } = context;
  if (heightNoun(facts) !== null || biggerHop(facts) !== null) return null;
  const asked = facts.motions[0];
  const loud =
    facts.repeat !== null &&
    facts.size === null &&
    facts.speed === null &&
    facts.height === null &&
    !facts.words.has('size') &&
    !facts.words.has('speed');
  const number = facts.number === null ? null : Math.round(facts.number);
  const delta =
    asked !== undefined && (facts.another || facts.more !== 0) ? (facts.more === -1 ? -(number ?? 1) : (number ?? 1)) : null;
  const value =
    delta === null &&
    (loud || (asked !== undefined && number !== null && facts.subjects.every(({ mods }) => mods.count === null)))
      ? Math.round(facts.repeat ?? number ?? 1)
      : null;
  if (value === null && delta === null) return null;
  const able = doing(
    context,
    (motion) => (counts(motion) || motion.type === 'spin') && (asked === undefined || motion.type === asked),
  );
  if (able.length === 0) return null;
  const change = (now: number): number => within(delta === null ? (value ?? now) : now + delta, 1, maxTimes);
  const ids = idsOf(able);
  const edited = mapSubjects(film, ids, (subject) => {
    const { motion } = subject;
    if (counts(motion)) return { ...subject, motion: { ...motion, times: change(motion.times) } };
    return motion.type === 'spin' ? { ...subject, motion: { ...motion, turns: change(motion.turns) } } : subject;
  });
  const [first] = subjectsOf(edited, { subjects: ids, texts: new Set() });
  const targets = { subjects: ids, texts: new Set<string>() };
  const times =
    first !== undefined && counts(first.motion) ? first.motion.times : first?.motion.type === 'spin' ? first.motion.turns : 1;
  const verb =
    first?.motion.type === 'pulse'
      ? 'beat'
      : first?.motion.type === 'spin'
        ? 'turn'
        : first?.motion.type === 'jump'
          ? 'jump'
          : 'bounce';
  return {
    film: edited,
    told: `${capitalize(names(film, targets))} ${isPlural(film, targets) ? verb : `${verb}s`} ${timesWord(times)} now.`,
    targets,
  };
};
