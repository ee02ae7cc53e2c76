import { listed, numberWord, subjectName } from '../plan/names.ts';
import { maxCount } from '../plan/subjects.ts';
import { mapSubjects } from './film-edit.ts';
import { idsOf, subjectsOf } from './naming.ts';
import { type Rule, within } from './rule.ts';

/** "five balls", "more confetti", "one ball less", "only two stars". */
export const countRule: Rule = ({ film, facts, targets, named }) => {
  const said = facts.subjects.find(({ mods }) => mods.count !== null || mods.another)?.mods;
  const some =
    facts.more !== 0 &&
    facts.motions.length === 0 &&
    named &&
    targets.texts.size === 0 &&
    facts.size === null &&
    facts.speed === null &&
    facts.height === null &&
    facts.shade === null &&
    !facts.rainbow &&
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
    if (subject.kind === 'ball' || subject.kind === 'cube' || subject.kind === 'shape' || subject.kind === 'figure')
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
