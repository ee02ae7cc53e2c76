import type { Subject } from '../../../contract/film.ts';
import { rainbowColors } from '../brief/wishes.ts';
import { shaded, stepped } from '../color.ts';
import { capitalize, colorName } from '../plan/names.ts';
import type { Facts } from './facts.ts';
import { mapSubjects, mapTexts } from './film-edit.ts';
import { aboutGround } from './film-rules.ts';
import { be, names, subjectsOf } from './naming.ts';
import { biggerHop } from './pace-rules.ts';
import { isStep, type Rule, rounded, stepFactor, within } from './rule.ts';

/** "make the planets blue" is about what circles, "make the sun red" about the middle. */
const bodyWords = ['planet', 'planets', 'moon', 'moons', 'electrons', 'satellites', 'planeten', 'planetes', 'planetas'];
const meansBodies = (facts: Facts): boolean => bodyWords.some((word) => facts.words.has(word));

function painted(subject: Subject, color: string, { all, bodies }: { all: readonly string[]; bodies: boolean }): Subject {
  if (subject.kind === 'orbit' && bodies)
    return {
      ...subject,
      bodyColors: subject.bodyColors.map((_, i) => (all.length > 0 ? all[i % all.length] : undefined) ?? color),
    };
  if (subject.kind === 'particles') return { ...subject, color, colors: all.length > 1 ? all : [color, shaded(color, 'light')] };
  return { ...subject, color };
}

/** "make the ball green", "blue title", "use gold instead", "a darker red". */
export const colorRule: Rule = ({ film, facts, targets, byColor }) => {
  if (aboutGround(facts)) return null;
  const colors = facts.rainbow ? [...rainbowColors] : byColor ? facts.colors.slice(1) : facts.colors;
  const color = colors.at(-1);
  const all = colors.length > 1 ? colors : [];
  const shade = facts.shade;
  if (color === undefined && shade === null) return null;
  if (targets.subjects.size + targets.texts.size === 0) return null;
  const paint = (old: string): string => color ?? stepped(old, shade?.shade ?? 'dark');
  let turn = 0;
  const next = facts.rainbow ? (): string => colors[turn++ % colors.length] ?? '#e53935' : paint;
  const edited = mapTexts(
    mapSubjects(film, targets.subjects, (subject) => painted(subject, next(subject.color), { all, bodies: meansBodies(facts) })),
    targets.texts,
    (text) => ({ ...text, color: paint(text.color ?? film.palette.ink) }),
  );
  if (JSON.stringify(edited) === JSON.stringify(film)) {
    return {
      film,
      told: `${capitalize(names(film, targets))} already ${be(film, targets)} ${color === undefined ? 'like that' : colorName(color)}.`,
      targets,
    };
  }
  const who =
    meansBodies(facts) && subjectsOf(film, targets).every((subject) => subject.kind === 'orbit')
      ? 'The planets are'
      : `${capitalize(names(film, targets))} ${be(film, targets)}`;
  return {
    film: edited,
    told: `${who} ${facts.rainbow ? 'in many colours' : color === undefined ? `${shade?.shade === 'dark' || shade?.shade === 'deep' ? 'darker' : shade?.shade === 'bright' ? 'brighter' : 'lighter'}` : colorName(color)} now.`,
    targets,
  };
};

export const sizeRule: Rule = ({ film, facts, targets }) => {
  const wordly =
    facts.words.has('size') || facts.words.has('groesse')
      ? { factor: facts.more === -1 || (facts.repeat !== null && facts.repeat < 1) ? 0.75 : 1.3, compared: true }
      : null;
  const step = facts.size ?? (facts.speed === null && facts.height === null && facts.length === null ? wordly : null);
  if (step === null || facts.camera || biggerHop(facts) !== null) return null;
  const change = (now: number, least: number, most: number): number =>
    rounded(within(isStep(facts, step) ? now * stepFactor(facts, step) : step.factor, least, most));
  const edited = mapTexts(
    mapSubjects(film, targets.subjects, (subject) => ({ ...subject, size: change(subject.size, 0.3, 2.2) })),
    targets.texts,
    (text) => ({ ...text, scale: change(text.scale, 0.4, 2) }),
  );
  if (targets.subjects.size + targets.texts.size === 0) return null;
  const sizes = [
    ...subjectsOf(film, targets),
    ...film.scenes.flatMap((scene) => scene.texts.filter((text) => targets.texts.has(text.id))),
  ];
  const grows = sizes.some(
    (one) => change('size' in one ? one.size : one.scale, 0.3, 2.2) > ('size' in one ? one.size : one.scale),
  );
  if (JSON.stringify(edited) === JSON.stringify(film))
    return {
      film,
      told: `${capitalize(names(film, targets))} already ${be(film, targets)} as ${step.factor > 1 ? 'big' : 'small'} as the frame allows.`,
      targets,
    };
  return {
    film: edited,
    told: `${capitalize(names(film, targets))} ${be(film, targets)} ${grows ? 'bigger' : 'smaller'} now.`,
    targets,
  };
};
