import type { FilmScene, Motion, ShapeName, Subject } from '../../../contract/film.ts';
import { isCountable, nounOf } from './description.ts';
import { meetingTitle } from './meeting-words.ts';
import { thirdPerson } from './move-words.ts';
import { capitalize, isMany, numberWord, particleNames, subjectName } from './names.ts';
import { placeTitle } from './scenery.ts';

const pulses: Readonly<Partial<Record<ShapeName, string>>> = { heart: 'Heartbeat', star: 'Twinkling' };

const titles: Readonly<Record<Motion['type'], (subject: Subject) => string>> = {
  bounce: (subject) =>
    subject.motion.type === 'bounce'
      ? subject.motion.times === 1
        ? 'One bounce'
        : `${capitalize(numberWord(subject.motion.times))} bounces`
      : 'Bounce',
  jump: (subject) =>
    subject.motion.type === 'jump' && subject.motion.times > 1
      ? `${capitalize(numberWord(subject.motion.times))} jumps`
      : 'The jump',
  act: (subject) =>
    `${capitalize(subjectName(subject, true))} ${subject.motion.type !== 'act' ? '' : isMany(subject) ? subject.motion.verb : thirdPerson(subject.motion.verb)}`,
  roll: () => 'Rolling in',
  slide: () => 'Sliding in',
  spin: () => 'The turn',
  float: (subject) => `${capitalize(subjectName(subject, true))} afloat`,
  pulse: (subject) => (subject.kind !== 'shape' ? 'The pulse' : (pulses[subject.shape] ?? 'The pulse')),
  grow: () => 'Growing',
  shrink: () => 'Drawing in',
  drop: () => 'The drop',
  swing: () => 'Pendulum',
  explode: () => 'The burst',
  fly: () => 'In flight',
  appear: (subject) => `Enter ${subjectName(subject, true)}`,
};

const kindTitles: Readonly<Partial<Record<Subject['kind'], string>>> = {
  bars: 'The figures',
  counter: 'Counting',
  wave: 'The swell',
  orbit: 'In orbit',
  loader: 'Loading',
  logo: 'The logo',
};

/** A working title for the scene. */
export function titleFor(scene: Pick<FilmScene, 'subjects' | 'texts' | 'meetings' | 'place'>): string {
  const met = meetingTitle(scene);
  if (met !== undefined) return met;
  const first = scene.subjects.find((subject) => subject.kind !== 'particles') ?? scene.subjects[0];
  const alike = scene.subjects.filter(
    (one) => first !== undefined && isCountable(first) && isCountable(one) && nounOf(one) === nounOf(first),
  );
  const lead =
    first !== undefined && isCountable(first) && alike.length > 1 ? { ...first, count: Math.max(2, first.count) } : first;
  if (lead === undefined)
    return (scene.texts[0]?.text ?? (scene.place === undefined ? 'The ground' : placeTitle(scene.place))).slice(0, 80);
  if (lead.kind === 'particles') return scene.texts[0]?.text.slice(0, 80) ?? capitalize(particleNames[lead.preset]);
  const moved =
    ['float', 'appear'].includes(lead.motion.type) || ['bars', 'counter', 'wave', 'orbit', 'loader'].includes(lead.kind);
  return (moved ? kindTitles[lead.kind] : undefined) ?? titles[lead.motion.type](lead);
}
