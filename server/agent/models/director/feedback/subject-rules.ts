import { entranceOfMotion } from '../brief/lexicon/motions.ts';
import { newMotion, rainbowColors } from '../brief/wishes.ts';
import { shaded } from '../color.ts';
import type { Film, Motion, Subject } from '../film.ts';
import { capitalize, colorName, listed, numberWord, subjectName, timesWord } from '../plan/names.ts';
import { maxCount, maxTimes, motionOf } from '../plan/subjects.ts';
import { mapScenes, mapSubjects, mapTexts } from './film-edit.ts';
import { aboutGround } from './film-rules.ts';
import { isStep, type Rule, type RuleContext, rounded, stepFactor, within } from './rule.ts';
import type { Targets } from './targets.ts';

const subjectsOf = (film: Film, targets: Targets): Subject[] =>
  film.scenes.flatMap((scene) => scene.subjects.filter((subject) => targets.subjects.has(subject.id)));

/** "the ball", "the ball and the title". */
function names(film: Film, targets: Targets): string {
  const things = subjectsOf(film, targets).map((subject) => subjectName(subject, true));
  const texts = film.scenes.flatMap((scene) =>
    scene.texts.filter((text) => targets.texts.has(text.id)).map((text) => `“${text.text.slice(0, 30)}”`),
  );
  return listed([...new Set([...things, ...texts])]);
}

const isPlural = (film: Film, targets: Targets): boolean => {
  const found = subjectsOf(film, targets);
  return (
    new Set(found.map((subject) => subjectName(subject, true))).size + targets.texts.size > 1 || /s$/.test(names(film, targets))
  );
};
const be = (film: Film, targets: Targets): string => (isPlural(film, targets) ? 'are' : 'is');

function painted(subject: Subject, color: string, all: readonly string[]): Subject {
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
  const paint = (old: string): string => color ?? shaded(old, shade?.shade ?? 'dark');
  let turn = 0;
  const next = facts.rainbow ? (): string => colors[turn++ % colors.length] ?? '#e53935' : paint;
  const edited = mapTexts(
    mapSubjects(film, targets.subjects, (subject) => painted(subject, next(subject.color), all)),
    targets.texts,
    (text) => ({ ...text, color: paint(text.color ?? film.palette.ink) }),
  );
  return {
    film: edited,
    told: `${capitalize(names(film, targets))} ${be(film, targets)} ${facts.rainbow ? 'in many colours' : color === undefined ? `${shade?.shade === 'dark' || shade?.shade === 'deep' ? 'darker' : 'lighter'}` : colorName(color)} now.`,
    targets,
  };
};

export const sizeRule: Rule = ({ film, facts, targets }) => {
  const wordly =
    facts.words.has('size') || facts.words.has('groesse')
      ? { factor: facts.more === -1 || (facts.repeat !== null && facts.repeat < 1) ? 0.75 : 1.3, compared: true }
      : null;
  const step = facts.size ?? (facts.speed === null && facts.height === null && facts.length === null ? wordly : null);
  if (step === null || facts.camera) return null;
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

const idsOf = (subjects: readonly Subject[]): ReadonlySet<string> => new Set(subjects.map((subject) => subject.id));

export const heightRule: Rule = (context) => {
  const { film, facts } = context;
  const { height } = facts;
  if (height === null || context.targets.texts.size > 0) return null;
  const hopping = doing(context, hops);
  if (hopping.length === 0)
    return { film, told: 'Nothing in the film bounces or jumps, so nothing can go higher or lower.', refused: true };
  const change = (now: number): number =>
    rounded(within(isStep(facts, height) ? now * stepFactor(facts, height) : height.factor, 0.2, 1.3));
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
    (loud || (asked !== undefined && number !== null && facts.subjects.every((subject) => subject.count === null)))
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

/** "five balls", "more confetti", "one ball less", "only two stars". */
export const countRule: Rule = ({ film, facts, targets, named }) => {
  const said = facts.subjects.find((subject) => subject.count !== null || subject.another);
  const some =
    facts.more !== 0 &&
    facts.motions.length === 0 &&
    named &&
    targets.texts.size === 0 &&
    facts.size === null &&
    facts.speed === null &&
    facts.height === null &&
    facts.shade === null &&
    facts.style === null;
  if (said === undefined && !some) return null;
  const removing = facts.actions.includes('remove') || facts.more === -1;
  const adding = facts.actions.includes('add') || facts.more === 1 || said?.another === true;
  const number = said?.count ?? (said?.another ? 1 : null);
  const able = subjectsOf(film, targets).filter(
    (subject) => 'count' in subject || subject.kind === 'orbit' || subject.kind === 'wave',
  );
  if (able.length === 0) return null;
  const change = (now: number, most: number): number => {
    if (number === null)
      return within(Math.round(now * (removing ? 0.6 : 1.6)) + (most <= maxCount && !removing ? 1 : 0), 1, most);
    return within(adding ? now + number : removing ? now - number : number, 1, most);
  };
  const edited = mapSubjects(film, idsOf(able), (subject) => {
    if (subject.kind === 'particles') return { ...subject, count: change(subject.count, 600) };
    if (subject.kind === 'ball' || subject.kind === 'cube' || subject.kind === 'shape')
      return { ...subject, count: change(subject.count, maxCount) };
    if (subject.kind === 'wave') return { ...subject, lines: change(subject.lines, 12) };
    if (subject.kind !== 'orbit') return subject;
    const bodies = change(subject.bodies, 9);
    return {
      ...subject,
      bodies,
      bodyColors: Array.from(
        { length: bodies },
        (_, i) => subject.bodyColors[i % Math.max(1, subject.bodyColors.length)] ?? subject.color,
      ),
    };
  });
  const after = subjectsOf(edited, targets).filter(
    (subject) => 'count' in subject || subject.kind === 'orbit' || subject.kind === 'wave',
  );
  const told = after.map((subject) =>
    subject.kind === 'particles'
      ? `${removing ? 'less' : number === null || adding ? 'more' : `${subject.count} pieces of`} ${subjectName(subject)}`
      : subject.kind === 'orbit'
        ? `${numberWord(subject.bodies)} bodies in orbit`
        : subjectName(subject),
  );
  return {
    film: edited,
    told: `Now there ${/^(?:an? |less|more|one )/.test(told[0] ?? '') && told.length === 1 ? 'is' : 'are'} ${listed([...new Set(told)])}.`,
    targets,
  };
};

/** "make the ball spin", "it should float instead", "stop spinning". */
export const motionRule: Rule = ({ film, facts, targets }) => {
  const wanted = facts.motions[0];
  if (wanted === undefined || facts.camera) return null;
  if (facts.negated || facts.actions.includes('remove')) {
    const able = subjectsOf(film, targets).filter((subject) => subject.motion.type === wanted);
    if (able.length === 0) return null;
    const edited = mapSubjects(film, idsOf(able), (subject) => ({ ...subject, motion: { type: 'appear' } }));
    return {
      film: edited,
      told: `${capitalize(names(film, { subjects: idsOf(able), texts: new Set() }))} no longer ${wanted === 'appear' ? 'come in' : `${wanted}${isPlural(film, { subjects: idsOf(able), texts: new Set() }) ? '' : 's'}`}.`,
      targets,
    };
  }
  if (targets.subjects.size === 0) {
    if (targets.texts.size === 0) return null;
    const entrance = entranceOfMotion[wanted];
    return {
      film: mapTexts(film, targets.texts, (text) => ({ ...text, entrance })),
      told: `${capitalize(names(film, targets))} ${isPlural(film, targets) ? 'come' : 'comes'} in differently now: ${entrance}.`,
      targets,
    };
  }
  const wish = newMotion(wanted);
  wish.times = facts.repeat ?? (facts.number === null ? null : facts.number);
  wish.direction =
    facts.direction === null
      ? null
      : facts.lexemes.some((lexeme) => lexeme.meaning.kind === 'from')
        ? ({ left: 'right', right: 'left', up: 'down', down: 'up' } as const)[facts.direction]
        : facts.direction;
  wish.turns = facts.turns;
  const edited = mapSubjects(film, targets.subjects, (subject) => {
    const motion = motionOf(wish);
    if (subject.motion.type === motion.type && wish.times === null && wish.direction === null && wish.turns === null)
      return subject;
    return { ...subject, motion };
  });
  if (edited === film)
    return {
      film,
      told: `${capitalize(names(film, targets))} already ${isPlural(film, targets) ? 'do' : 'does'} that.`,
      targets,
    };
  const verbs: Readonly<Record<Motion['type'], string>> = {
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

/** New values for a chart, a new goal for a counter: "count to 500", "Q1 30, Q2 60". */
export const figuresRule: Rule = ({ film, facts }) => {
  const all = film.scenes.flatMap((scene) => scene.subjects);
  const charts = all.filter((subject) => subject.kind === 'bars');
  if (facts.bars !== null && charts.length > 0) {
    const { bars } = facts;
    return {
      film: mapSubjects(film, idsOf(charts), (subject) => (subject.kind === 'bars' ? { ...subject, bars } : subject)),
      told: `The chart shows ${listed(bars.map((bar) => `${bar.label} ${bar.value}`.trim()))} now.`,
    };
  }
  const counters = all.filter((subject) => subject.kind === 'counter');
  const counting =
    facts.subjects.some((subject) => subject.ref.kind === 'counter') ||
    facts.figure !== null ||
    (facts.number !== null && facts.number >= 20 && facts.subjects.length === 0);
  const numbers = facts.lexemes.flatMap((lexeme) =>
    lexeme.meaning.kind === 'number' || lexeme.meaning.kind === 'figure' ? [lexeme.meaning] : [],
  );
  const last = numbers.at(-1);
  if (!counting || counters.length === 0 || last === undefined || facts.size !== null || facts.speed !== null) return null;
  const from = numbers.length > 1 ? numbers[0] : undefined;
  const edited = mapSubjects(film, idsOf(counters), (subject) =>
    subject.kind === 'counter'
      ? {
          ...subject,
          from: from?.value ?? subject.from,
          to: last.value,
          prefix: last.kind === 'figure' && last.prefix !== '' ? last.prefix : subject.prefix,
          suffix: last.kind === 'figure' && last.suffix !== '' ? last.suffix : subject.suffix,
        }
      : subject,
  );
  return { film: edited, told: `The number now runs to ${last.value.toLocaleString('en-US')}.` };
};
