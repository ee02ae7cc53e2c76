import type { Motion } from '../../../contract/film.ts';
import { entranceOfMotion } from '../brief/manners.ts';
import { newMotion } from '../brief/wishes.ts';
import { capitalize } from '../plan/names.ts';
import { motionOf } from '../plan/subjects.ts';
import { mapSubjects, mapTexts, parted } from './film-edit.ts';
import { idsOf, isPlural, names, subjectsOf } from './naming.ts';
import type { Rule } from './rule.ts';

/** "make the ball spin", "it should float instead", "stop spinning". */
export const motionRule: Rule = ({ film, facts, targets, named }) => {
  const wanted = facts.motions[0];
  if (wanted === undefined || facts.camera) return null;
  if (facts.negated || facts.actions.includes('remove')) {
    const meant = subjectsOf(film, targets).filter((subject) => subject.motion.type === wanted);
    // "stop spinning": whoever spins.
    const able =
      meant.length > 0 || named
        ? meant
        : film.scenes.flatMap((scene) => scene.subjects.filter((subject) => subject.motion.type === wanted));
    if (able.length === 0) return null;
    const edited = mapSubjects(film, idsOf(able), (subject) => ({ ...subject, motion: { type: 'appear' } }));
    return {
      film: edited,
      told: `${capitalize(names(film, { subjects: idsOf(able), texts: new Set() }))} no longer ${wanted === 'appear' ? 'come in' : `${wanted}${isPlural(film, { subjects: idsOf(able), texts: new Set() }) ? '' : 's'}`}.`,
      targets,
    };
  }
  if (targets.subjects.size === 0) {
    if (targets.texts.size === 0 || Object.keys(facts.manner).length > 0) return null;
    const entrance = entranceOfMotion[wanted];
    return {
      film: mapTexts(film, targets.texts, (text) => ({ ...text, entrance })),
      told: `${capitalize(names(film, targets))} ${isPlural(film, targets) ? 'come' : 'comes'} in differently now: ${entrance}.`,
      targets,
    };
  }
  const wish = facts.motion?.type === wanted ? { ...facts.motion } : newMotion(wanted, facts.act);
  wish.times ??= facts.repeat ?? facts.number;
  const edited = mapSubjects(parted(film, targets.subjects), targets.subjects, (subject) => {
    const motion = motionOf(wish);
    if (subject.motion.type === motion.type && wish.times === null && wish.direction === null && wish.turns === null)
      return subject;
    return { ...subject, motion };
  });
  if (film.scenes.every((scene, index) => scene === edited.scenes[index]))
    return {
      film,
      told: `${capitalize(names(film, targets))} already ${isPlural(film, targets) ? 'do' : 'does'} that.`,
      targets,
    };
  const verbs: Readonly<Record<Motion['type'], string>> = {
    act: wish.act?.verb ?? '',
    bounce: 'bounce',
    roll: 'roll in',
    slide: 'slide in',
    spin: 'spin',
    float: 'float',
    pulse: 'pulse',
    grow: 'grow',
    shrink: 'shrink',
    drop: 'drop in',
    jump: 'jump',
    swing: 'swing',
    explode: 'burst',
    fly: 'fly in',
    appear: 'appear',
  };
  const [verb = '', ...rest] = verbs[wanted].split(' ');
  const third = /(?:sh|s|ch)$/.test(verb) ? `${verb}es` : verb === 'fly' ? 'flies' : `${verb}s`;
  return {
    film: edited,
    told: `${capitalize(names(film, targets))} ${[isPlural(film, targets) ? verb : third, ...rest].join(' ')} now.`,
    targets,
  };
};
