import type { Film, FilmScene, FilmText } from '../../../contract/film.ts';
import { mannered } from '../brief/manners.ts';
import { sideOf } from '../brief/motions.ts';
import { wordCount } from '../emit/text-times.ts';
import { capitalize } from '../plan/names.ts';
import { textDoes } from '../plan/text-words.ts';
import { accentSeconds, entranceOf, fitDelays, positionOf } from '../plan/texts.ts';
import { clean } from '../plan/timing.ts';
import { freeId, idsIn, mapScenes, mapTexts } from './film-edit.ts';
import { scenesIn } from './matching.ts';
import { type Rule, type RuleContext, rounded } from './rule.ts';
import { matchingTexts, textsIn } from './targets.ts';

const quoted = (text: string): string => `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;
const maxTextCharacters = 160;
/** More than a title, a subtitle and two captions crowd a scene. */
const maxTexts = 4;

/** The words that a clause brings; the last ones, when it names the old ones first ("change 'A' to 'B'"). */
const wordsOf = ({ facts }: RuleContext): string | null =>
  (facts.quotes.at(-1) ?? facts.wording)?.slice(0, maxTextCharacters) ?? null;

function textFor(film: Film, scene: FilmScene, words: string, role: FilmText['role']): FilmText {
  return {
    id: freeId(idsIn(film), 'text'),
    text: words,
    role,
    position: positionOf(role, scene.subjects),
    entrance: entranceOf(film.style, role, wordCount(words)),
    color: null,
    scale: 1,
    delaySeconds: clean(accentSeconds(scene, film.style) + 0.3 * scene.texts.length),
  };
}

/** Puts a text into the scene that is meant: where the title is for a subtitle, the first without a title for a title. */
function added(context: RuleContext, words: string): { film: Film; scene: FilmScene; text: FilmText } | null {
  const { film, facts, scope } = context;
  const candidates = scenesIn(film, scope);
  const asked = facts.textNoun?.role ?? 'title';
  const scene =
    (asked === 'title'
      ? candidates.find((one) => one.texts.every((text) => text.role !== 'title'))
      : candidates.find((one) => one.texts.some((text) => text.role === 'title'))) ?? candidates[0];
  if (scene === undefined || scene.texts.length >= maxTexts) return null;
  const taken = scene.texts.map((text) => text.role);
  const role = asked === 'title' && taken.includes('title') ? 'subtitle' : asked;
  const color = facts.colors.at(-1) ?? null;
  const text = { ...textFor(film, scene, words, role), color };
  const edited = mapScenes(
    film,
    (one) => ({ ...one, texts: fitDelays([...one.texts, text], { durationSeconds: one.durationSeconds, style: film.style }) }),
    new Set([scene.number]),
  );
  return { film: edited, scene, text };
}

export const addTextRule: Rule = (context) => {
  const words = wordsOf(context);
  if (words === null) return null;
  const { film, facts } = context;
  const asks =
    facts.actions.includes('add') ||
    matchingTexts(film, { ...facts, quotes: facts.quotes.slice(0, -1) }, context.scope).length === 0;
  if (!asks || facts.actions.includes('remove')) return null;
  const known = textsIn(film, context.scope).find((text) => text.text.toLowerCase() === words.toLowerCase());
  if (known !== undefined) return null;
  const free = facts.textNoun === null && !facts.actions.includes('add') ? textsIn(film, context.scope)[0] : undefined;
  // Words in quotes and nothing else: they replace the title there is.
  if (free !== undefined) return rewrite(film, [free], words);
  const result = added(context, words);
  if (result === null)
    return { film, told: `There is no room for ${quoted(words)}: a scene holds ${maxTexts} texts at most.`, refused: true };
  const where = film.scenes.length > 1 ? ` in scene ${result.scene.number}` : '';
  return {
    film: result.film,
    told: `${capitalize(`the ${result.text.role}`)} ${quoted(words)} is added${where}.`,
    targets: { subjects: new Set(), texts: new Set([result.text.id]) },
  };
};

function rewrite(
  film: Film,
  texts: readonly FilmText[],
  words: string,
): { film: Film; told: string; targets: { subjects: ReadonlySet<string>; texts: ReadonlySet<string> } } {
  const ids = new Set(texts.map((text) => text.id));
  const edited = mapTexts(film, ids, (text) => (text.text === words ? text : { ...text, text: words }));
  const fitted = mapScenes(edited, (scene) => {
    const fit = fitDelays(scene.texts, { durationSeconds: scene.durationSeconds, style: film.style });
    return fit.every((text, i) => text === scene.texts[i]) ? scene : { ...scene, texts: fit };
  });
  return {
    film: fitted,
    told: `The ${texts[0]?.role ?? 'title'} says ${quoted(words)} now.`,
    targets: { subjects: new Set(), texts: ids },
  };
}

/** "change the title to 'Hi'", "the caption should say …". */
export const setTextRule: Rule = (context) => {
  const words = wordsOf(context);
  const { film, facts, scope } = context;
  if (words === null || facts.actions.includes('add') || facts.actions.includes('remove')) return null;
  // "strike out 'old price'" names a text and does not write one.
  if (
    Object.keys(facts.manner).length > 0 &&
    textsIn(film, scope).some((text) => text.text.toLowerCase() === words.toLowerCase())
  )
    return null;
  const old = facts.quotes.length > 1 || (facts.quotes.length > 0 && facts.wording !== null) ? facts.quotes.slice(0, 1) : [];
  const found = matchingTexts(film, { ...facts, quotes: old }, scope);
  if (found.length === 0) return null;
  // "the text": all of a role, so that a title that comes twice stays one.
  const [first] = found;
  const same = found.filter((text) => text.role === first?.role && text.text === first.text);
  const outcome = rewrite(film, same, words);
  const color = facts.colors.at(-1);
  return color === undefined
    ? outcome
    : { ...outcome, film: mapTexts(outcome.film, outcome.targets.texts, (text) => ({ ...text, color })) };
};

/** "remove the title", "no text", "without the caption". */
export const removeTextRule: Rule = (context) => {
  const { film, facts, scope } = context;
  const asks = facts.actions.includes('remove') || facts.negated;
  if (!asks || (facts.textNoun === null && facts.quotes.length === 0)) return null;
  const found = matchingTexts(film, facts, scope);
  if (found.length === 0) return { film, told: 'There is no such text in the film.', refused: true };
  const { emphasis, exit } = facts.manner;
  if (emphasis !== undefined || exit !== undefined) {
    // "remove the underline": what a text does, not the text.
    const plain = mapTexts(film, new Set(found.map(({ id }) => id)), ({ emphasis: stressed, exit: leaves, ...text }) => ({
      ...text,
      ...(stressed === undefined || emphasis !== undefined ? {} : { emphasis: stressed }),
      ...(leaves === undefined || exit !== undefined ? {} : { exit: leaves }),
    }));
    return { film: plain, told: `${quoted(found[0]?.text ?? '')} stays as it is without that.` };
  }
  const ids = new Set(found.map((text) => text.id));
  const left = film.scenes.flatMap((scene) => [...scene.subjects, ...scene.texts.filter((text) => !ids.has(text.id))]);
  if (left.length === 0)
    return {
      film,
      told: `${quoted(found[0]?.text ?? '')} is all there is in the film, so it stays. Say what should be shown instead.`,
      refused: true,
    };
  const edited = mapScenes(film, (scene) =>
    scene.texts.some((text) => ids.has(text.id)) ? { ...scene, texts: scene.texts.filter((text) => !ids.has(text.id)) } : scene,
  );
  return {
    film: edited,
    told: `${found.map((text) => quoted(text.text)).join(' and ')} ${found.length > 1 ? 'are' : 'is'} gone.`,
  };
};

const placeOf = { up: 'top', down: 'bottom', left: null, right: null } as const;

/** "move the title to the bottom", "typewriter title", "title later". */
export const textManner: Rule = ({ film, facts, scope, targets: named }) => {
  // "type it": only words are typed.
  const isOfWords = Object.keys(facts.manner).length > 0 && facts.motions.length === 0 && facts.subjects.length === 0;
  // "… dissolves at the end" speaks of the end of the text, wherever that is.
  const meant = facts.textNoun === null ? textsIn(film, scope) : matchingTexts(film, facts, null);
  const [only] = isOfWords && named.texts.size === 0 ? meant : [];
  const targets = only === undefined ? named : { subjects: new Set<string>(), texts: new Set([only.id]) };
  if (targets.texts.size === 0) return null;
  const placed =
    facts.place === 'top' || facts.place === 'bottom' || facts.place === 'center'
      ? facts.place
      : facts.place === 'middle'
        ? 'center'
        : facts.direction !== null && !facts.from
          ? placeOf[facts.direction]
          : facts.height !== null
            ? facts.height.factor > 1
              ? 'top'
              : 'bottom'
            : null;
  const later = ['later', 'spaeter', 'tard'].some((word) => facts.words.has(word))
    ? 0.5
    : ['earlier', 'sooner', 'frueher', 'tot', 'antes'].some((word) => facts.words.has(word))
      ? -0.5
      : 0;
  const first = film.scenes.flatMap((scene) => scene.texts).find((text) => targets.texts.has(text.id));
  if (first === undefined) return null;
  const { by, entrance } = facts.manner;
  // Words that come from a side already do so one by one.
  const parts = by !== undefined && entrance === undefined && first.from !== undefined;
  const manner = parts
    ? { by }
    : mannered(facts.from && facts.direction !== null ? { ...facts.manner, from: sideOf[facts.direction] } : facts.manner);
  const told: string[] = Object.keys(manner).length === 0 ? [] : [textDoes({ ...first, ...manner }, '')];
  if (placed !== null) told.push(`stands ${placed === 'center' ? 'in the centre' : `at the ${placed}`}`);
  if (later !== 0) told.push(`comes half a second ${later > 0 ? 'later' : 'earlier'}`);
  if (told.length === 0 && Object.keys(manner).length === 0) return null;
  const edited = mapScenes(film, (scene) => {
    if (!scene.texts.some((text) => targets.texts.has(text.id))) return scene;
    const texts = scene.texts.map((text) =>
      targets.texts.has(text.id)
        ? {
            ...text,
            position: placed ?? text.position,
            ...manner,
            delaySeconds: rounded(Math.max(0, text.delaySeconds + later * Math.max(1, facts.intensity))),
          }
        : text,
    );
    return { ...scene, texts: fitDelays(texts, { durationSeconds: scene.durationSeconds, style: film.style }) };
  });
  return { film: edited, told: `${quoted(first.text)} ${told.join(' and ')} now.`, targets };
};
