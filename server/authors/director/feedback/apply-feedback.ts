import { isDeepStrictEqual } from 'node:util';
import type { Film, FilmScene } from '../../../contract/film.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import { filmNotes } from '../plan/film-notes.ts';
import { listed } from '../plan/names.ts';
import { addSceneOutcome } from './add-scene.ts';
import { addSubjectRule, placeRule, removeSceneRule, removeSubjectRule, replaceRule } from './cast-rules.ts';
import { countRule, figuresRule } from './count-rules.ts';
import { type Facts, readFeedback } from './facts.ts';
import { isBare, relay, reworded, withCodeKept } from './film-edit.ts';
import { aspectRule, backgroundRule, cameraRule, durationRule, frameRateRule, styleRule } from './film-rules.ts';
import { help } from './help.ts';
import { colorRule, sizeRule } from './look-rules.ts';
import { meetingOutcome } from './meeting-rule.ts';
import { motionRule } from './motion-rule.ts';
import { heightRule, speedRule, timesRule } from './pace-rules.ts';
import type { Outcome, Rule, RuleContext } from './rule.ts';
import { sceneryRule } from './scenery-rule.ts';
import { soundRule } from './sound-rule.ts';
import { absence, isNobody, mainTargets, namedTargets, nobody, scopeOf, type Targets } from './targets.ts';
import { tension } from './tension.ts';
import { addTextRule, removeTextRule, setTextRule, textManner } from './text-rules.ts';

export interface FeedbackResult {
  readonly film: Film;
  /** What was changed, or why not, in words for the user. */
  readonly explanation: string;
  /** False when nothing was changed because nothing could be read or done. */
  readonly understood: boolean;
}

/** One of these settles a clause: what it adds, removes or replaces is not coloured or counted again. */
const settling: readonly Rule[] = [
  sceneryRule,
  removeSceneRule,
  removeTextRule,
  setTextRule,
  addTextRule,
  replaceRule,
  addSubjectRule,
  placeRule,
  removeSubjectRule,
];
/** All of these may be in one clause ("bigger and blue and faster" without commas). */
const shaping: readonly Rule[] = [
  figuresRule,
  durationRule,
  aspectRule,
  frameRateRule,
  styleRule,
  backgroundRule,
  colorRule,
  sizeRule,
  speedRule,
  heightRule,
  timesRule,
  countRule,
];

interface Told {
  film: Film;
  readonly assets: readonly BriefAsset[];
  readonly done: string[];
  readonly refused: string[];
  /** True when a wish was about scenes that are only in code. */
  missesCode: boolean;
}

interface Carried {
  targets: Targets;
  actions: Facts['actions'];
  scenes: Facts['scenes'];
  /** The place "at the end" holds for the clauses behind it as well when it opens the feedback. */
  place: Facts['place'];
}

function take(told: Told, outcome: Outcome, carried: Carried): void {
  const film = withCodeKept(told.film, outcome.film);
  // What would have changed scenes in code alone has changed nothing; what it is about is reported at the end.
  const isLost = film !== outcome.film && isDeepStrictEqual(film, told.film);
  told.missesCode ||= film !== outcome.film;
  if (outcome.refused === true) told.refused.push(outcome.told);
  else if (!isLost && !told.done.includes(outcome.told)) told.done.push(outcome.told);
  told.film = film;
  if (outcome.targets !== undefined) carried.targets = outcome.targets;
}

function contextOf({ film, assets }: Told, facts: Facts, carried: Carried): RuleContext {
  const scope = scopeOf(film, facts);
  const found = namedTargets(film, facts, scope);
  const named = !isNobody(found);
  const known = [...carried.targets.subjects, ...carried.targets.texts].some((id) =>
    film.scenes.some((scene) => [...scene.subjects, ...scene.texts].some((one) => one.id === id)),
  );
  const nouns = facts.subjects.length > 0 || facts.textNoun !== null;
  const it = known ? carried.targets : mainTargets(film, scope);
  const targets = named ? found : nouns ? nobody : it;
  return {
    film,
    facts,
    assets,
    scope,
    targets,
    it,
    named: named || (!nouns && known),
    byColor:
      found.byColor &&
      (facts.colors.length > 1 ||
        facts.size !== null ||
        facts.speed !== null ||
        facts.shade !== null ||
        facts.motions.length > 0 ||
        facts.height !== null ||
        facts.repeat !== null ||
        facts.rainbow ||
        facts.actions.includes('remove')),
  };
}

/** Carries out one clause; false when no rule found anything in it. */
function carryOut(told: Told, facts: Facts, carried: Carried): boolean {
  const before = told.done.length + told.refused.length;
  for (const rule of settling) {
    const outcome = rule(contextOf(told, facts, carried));
    if (outcome === null) continue;
    take(told, outcome, carried);
    return true;
  }
  const camera = cameraRule(contextOf(told, facts, carried));
  if (camera !== null) {
    take(told, camera, carried);
    return true;
  }
  const manner = textManner(contextOf(told, facts, carried));
  if (manner !== null) take(told, manner, carried);
  for (const rule of shaping) {
    const outcome = rule(contextOf(told, facts, carried));
    if (outcome !== null) take(told, outcome, carried);
  }
  const settled = told.done.length + told.refused.length > before;
  // A motion word that counted ("three bounces") or was measured ("bounce higher") is no change of motion.
  const counted = facts.repeat !== null || facts.number !== null || facts.another || facts.more !== 0;
  const measured = facts.height !== null || facts.speed !== null;
  if (manner === null && !(settled && (counted || measured))) {
    const outcome = motionRule(contextOf(told, facts, carried));
    if (outcome !== null && !(settled && outcome.film === told.film)) take(told, outcome, carried);
  }
  return told.done.length + told.refused.length > before;
}

/** A clause that only names someone ("the ball …") passes its target and verb on. */
function passOn(film: Film, facts: Facts, carried: Carried): void {
  if (facts.actions.length > 0) carried.actions = facts.actions;
  if (facts.scenes.length > 0) carried.scenes = facts.scenes;
  const found = namedTargets(film, facts, scopeOf(film, facts));
  if (!isNobody(found)) carried.targets = found;
}

function inherit(facts: Facts, carried: Carried): Facts {
  const actions =
    facts.actions.length > 0 || facts.size?.compared || facts.speed?.compared || facts.length !== null
      ? facts.actions
      : carried.actions;
  return {
    ...facts,
    actions,
    scenes: facts.scenes.length > 0 ? facts.scenes : carried.scenes,
    place: facts.place ?? carried.place,
  };
}

const missing = (film: Film, facts: Facts): string | null => {
  const absent = facts.subjects.filter((named) =>
    isNobody(namedTargets(film, { ...facts, subjects: [named], textNoun: null, quotes: [] }, null)),
  );
  if (absent.length > 0) return absence(absent.map((named) => named.ref));
  return facts.textNoun !== null && film.scenes.every((scene) => scene.texts.length === 0)
    ? 'There is no text in the film yet.'
    : null;
};

/** The scenes that a wish was also about and did not reach, since only their files know what is in them; none, or one sentence. */
function codeNote(before: Film, { film, done, missesCode }: Told, facts: readonly Facts[]): string[] {
  const inCode = before.scenes.filter(
    ({ source, number }) => source === 'code' && facts.some((one) => scopeOf(before, one)?.has(number) ?? true),
  );
  // A change of times, places or grounds reaches them all.
  const castOf = ({ subjects, texts, speed }: FilmScene) => [
    subjects,
    speed,
    texts.map((text) => ({ ...text, delaySeconds: 0 })),
  ];
  const changesCast = before.scenes.some((scene) => {
    const now = film.scenes.find(({ id }) => id === scene.id);
    return now !== undefined && !isDeepStrictEqual(castOf(now), castOf(scene));
  });
  if (inCode.length === 0 || !(missesCode || changesCast || done.length === 0)) return [];
  const numbers = listed(inCode.map(({ number }) => String(number)));
  return [
    `I can move, shorten, lengthen or remove what is written in code (scene ${numbers}), and change its background; only a language model can rewrite it.`,
  ];
}

/** "The title is bigger now." and "The title is gold now." in one breath. */
function inOneBreath(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const [, whole = '', rest = ''] = /^(.+? (?:is|are)) ([^,;:.]+) now\.$/.exec(sentence) ?? [];
    const before = joined.at(-1);
    if (whole !== '' && before?.startsWith(`${whole} `) === true && /^[^,;:.]+ now\.$/.test(before.slice(whole.length)))
      joined[joined.length - 1] = before.replace(/ now\.$/, ` and ${rest} now.`);
    else joined.push(sentence);
  }
  return joined;
}

/**
 * Changes a film by what the user says about it; `assets` are the uploads that it may speak of. Only what was asked changes; everything else stays deeply equal.
 * Total: any text gives an answer, and a film that was valid stays valid.
 */
export function applyFeedback(film: Film, text: string, assets: readonly BriefAsset[] = []): FeedbackResult {
  const told: Told = { film, assets, done: [], refused: [], missesCode: false };
  const carried: Carried = { targets: nobody, actions: [], scenes: [], place: null };
  const unread: string[] = [];
  const notes: string[] = [];
  const all: Facts[] = [];
  for (const sentence of text.slice(0, 4000).split(/(?<=[.!?])\s+(?=\p{Lu})|\n+/u)) {
    const scene = addSceneOutcome(told.film, sentence, assets) ?? meetingOutcome(told.film, sentence, assets);
    if (scene !== null) {
      take(told, scene, carried);
      continue;
    }
    for (const clause of readFeedback(told.film, sentence, assets)) {
      const facts = inherit(clause, carried);
      all.push(facts);
      for (const name of clause.unsupported) {
        // What becomes of sound is told by its rule.
        if (name === 'sound') continue;
        notes.push(
          clause.negated || clause.actions.includes('remove')
            ? `There is no ${name} to take away.`
            : name === 'font'
              ? 'The typeface goes with the style; I can change the size and the colour of texts, or the style.'
              : `There is no ${name} in these films.`,
        );
      }
      const sound = soundRule(contextOf(told, facts, carried));
      if (sound !== null) take(told, sound, carried);
      const done = carryOut(told, facts, carried) || sound !== null;
      if (!done) {
        const gone = missing(told.film, facts);
        if (gone !== null) told.refused.push(gone);
        unread.push(...clause.unknown);
      }
      passOn(told.film, clause, carried);
    }
  }
  const understood = told.done.length > 0;
  const code = codeNote(film, told, all);
  if (!understood) {
    const reasons = [...new Set([...told.refused, ...notes, ...code])].join(' ');
    return { film, explanation: reasons || help(film, text), understood: false };
  }
  // A place that nobody was in is a scene as before.
  const wasBare = new Set(film.scenes.filter(isBare).map(({ id }) => id));
  const emptied = told.film.scenes.filter((scene) => isBare(scene) && !wasBare.has(scene.id) && told.film.scenes.length > 1);
  const swept =
    emptied.length === 0
      ? told.film
      : relay(
          told.film,
          told.film.scenes.filter((scene) => !emptied.includes(scene)),
        );
  if (emptied.length > 0)
    told.done.push(
      `Scene ${emptied.map((scene) => scene.number).join(' and ')} had nothing left, so the film lasts ${swept.durationSeconds} s.`,
    );
  const edited = reworded(film, swept);
  const warnings = filmNotes(edited).filter((note) => !filmNotes(film).includes(note));
  const unreadWords = [...new Set(unread)].slice(0, 5);
  const rest =
    unreadWords.length === 0 ? [] : [`I could not read: ${unreadWords.map((word) => `“${word.slice(0, 24)}”`).join(', ')}.`];
  return {
    film: edited,
    explanation: [tension(all), ...inOneBreath(told.done), ...told.refused, ...notes, ...warnings, ...code, ...rest]
      .filter((part) => part !== null)
      .join(' '),
    understood: true,
  };
}
