import type { Aspect } from '../../../contract/film.ts';
import { fold } from '../brief/fold.ts';
import { type Lexeme, senseOf } from '../brief/lexemes.ts';
import type { SubjectRef } from '../brief/sense.ts';
import { unquoted } from '../brief/texts.ts';
import type { Facts, Step } from './facts.ts';

export const moreWords = new Set([
  'more',
  'mehr',
  'mas',
  'additional',
  'increase',
  'raise',
  'erhoehe',
  'augmente',
  'aumenta',
  'zusaetzlich',
  'extra',
]);
export const slightWords = new Set(['bit', 'little', 'slightly', 'tad', 'touch', 'etwas', 'bisschen', 'peu', 'poco', 'somewhat']);

const step = (sense: { readonly factor: number; readonly compared: boolean }): Step => ({
  factor: sense.factor,
  compared: sense.compared,
});

/** Reads the scene that a word for "scene" at `at` is about; answers how many lexemes behind it are spent. */
function readScene(facts: Facts, at: number): number {
  const before = facts.lexemes[at - 1];
  const after = facts.lexemes[at + 1];
  const ordinal = senseOf(before, 'ordinal') ?? null;
  if (ordinal !== null) facts.scenes.push(ordinal.value);
  else if (before?.meaning.kind === 'first') facts.scenes.push(1);
  else if (after?.meaning.kind === 'number') {
    facts.scenes.push(Math.round(after.meaning.value));
    return 1;
  } else facts.sceneNoun = true;
  return 0;
}

function readSubject(facts: Facts, at: number, ref: SubjectRef, plural: boolean): void {
  let count: number | null = null;
  let another = false;
  const colors: string[] = [];
  for (let i = at - 1; i >= 0; i -= 1) {
    const meaning = facts.lexemes[i]?.meaning;
    if (meaning?.kind === 'number') count = Math.round(meaning.value);
    else if (meaning?.kind === 'another') another = true;
    else if (meaning?.kind === 'color') colors.unshift(meaning.hex);
    else if (
      !(
        meaning?.kind === 'size' ||
        meaning?.kind === 'article' ||
        meaning?.kind === 'shade' ||
        (meaning?.kind === 'filler' && moreWords.has(fold(facts.lexemes[i]?.text ?? '')))
      )
    )
      break;
  }
  facts.subjects.push({ ref, plural, count, colors, another, at });
}

/** One lexeme into the facts; answers how many further lexemes it took. */
export function readLexeme(facts: Facts, lexeme: Lexeme, at: number): number {
  const size = senseOf(lexeme, 'size');
  if (size?.compared) {
    facts.size = step(size);
    return 0;
  }
  const action = senseOf(lexeme, 'action');
  if (action !== null && (lexeme.meaning.kind === 'action' || at === 0)) {
    facts.actions.push(action.action);
    return 0;
  }
  // What a text can do as well as a thing is kept for both; whom it is about decides.
  const manner = senseOf(lexeme, 'manner');
  if (manner !== null) facts.manner = { ...facts.manner, ...manner.manner };
  const { meaning } = lexeme;
  switch (meaning.kind) {
    case 'subject':
      readSubject(facts, at, meaning.ref, meaning.plural);
      break;
    case 'textNoun': {
      facts.textNoun = {
        // "a subtitle saying …" stays a subtitle.
        role: meaning.saying ? (facts.textNoun?.role ?? meaning.role) : meaning.role,
        exact:
          !meaning.saying &&
          /title|titel|titre|titulo|headline|heading|ueberschrift|subtitle|untertitel|caption|tagline/.test(fold(lexeme.text)),
      };
      return readWording(facts, at, meaning.saying);
    }
    case 'quote':
      facts.quotes.push(meaning.text);
      break;
    case 'background':
      facts.background = true;
      break;
    case 'scenery':
      facts.scenery = { ...facts.scenery, ...meaning };
      break;
    case 'gradient':
      facts.gradient = true;
      break;
    case 'camera':
      facts.camera = true;
      break;
    case 'cameraMove':
      facts.cameraMove = meaning.camera;
      break;
    case 'whole':
      facts.whole = true;
      break;
    case 'pronoun':
      facts.pronoun = true;
      break;
    case 'scene':
      return readScene(facts, at);
    case 'color':
      facts.colors.push(meaning.hex);
      break;
    case 'rainbow':
      facts.rainbow = true;
      break;
    case 'shade':
      facts.shade = { shade: meaning.shade, compared: meaning.compared };
      break;
    case 'size':
      // "a little faster" is no size.
      if (!slightWords.has(fold(lexeme.text))) facts.size ??= step(meaning);
      break;
    case 'speed':
      facts.speed = facts.speed?.compared ? facts.speed : step(meaning);
      break;
    case 'height':
      facts.height = facts.height?.compared ? facts.height : step(meaning);
      break;
    case 'length':
      facts.length = step(meaning);
      break;
    case 'style':
      facts.style = { style: meaning.style, compared: meaning.compared, text: lexeme.text };
      break;
    case 'aspect':
      facts.aspect = meaning.aspect;
      break;
    case 'ratio':
      facts.aspect = nearestAspect(meaning.width / Math.max(1e-6, meaning.height));
      break;
    case 'frameRate':
      facts.fps = meaning.fps;
      break;
    case 'duration':
      facts.seconds = meaning.seconds;
      break;
    case 'repeat':
      facts.repeat = meaning.times;
      break;
    case 'half':
      facts.repeat = 0.5;
      break;
    case 'number':
      facts.number = meaning.value;
      break;
    case 'figure':
      if (meaning.suffix === '%' && meaning.prefix === '') facts.percent = meaning.value;
      facts.figure = { value: meaning.value, prefix: meaning.prefix, suffix: meaning.suffix };
      break;
    case 'bars':
      facts.bars = meaning.bars;
      break;
    case 'turns':
      facts.turns = meaning.turns;
      break;
    case 'motion':
      facts.motions.push(meaning.motion);
      facts.act ??= meaning.act ?? null;
      facts.direction ??= meaning.direction;
      break;
    case 'direction':
      facts.direction = meaning.direction;
      break;
    case 'place':
      facts.place = meaning.place;
      break;
    case 'not':
      facts.negated = true;
      break;
    case 'too':
      facts.too = true;
      break;
    case 'another':
      facts.another = true;
      break;
    case 'sound':
      facts.sound = meaning.asset;
      break;
    case 'unsupported':
      facts.unsupported.push(meaning.name);
      break;
    case 'unknown':
      facts.unknown.push(lexeme.text);
      break;
    default:
      break;
  }
  return 0;
}

function readWording(facts: Facts, at: number, saying: boolean): number {
  const next = facts.lexemes[at + 1];
  const linkAt =
    next?.meaning.kind === 'to' ||
    (next?.meaning.kind === 'mark' && ['colon', 'equals', 'dash', 'arrow'].includes(next.meaning.mark))
      ? at + 2
      : at + 1;
  const first = facts.lexemes[linkAt];
  if (first === undefined || first.meaning.kind === 'quote') return 0;
  // "change the title to Summer sale": everything behind "to" that is no colour, size or place.
  const wish =
    [
      'color',
      'size',
      'shade',
      'style',
      'place',
      'direction',
      'speed',
      'article',
      'rainbow',
      'background',
      'height',
      'motion',
      'action',
      'textNoun',
      'not',
    ].includes(first.meaning.kind) && !/^\p{Lu}/u.test(first.text);
  if (wish) return 0;
  const wording = unquoted(facts, linkAt, saying || linkAt === at + 2);
  if (wording === null) return 0;
  facts.wording = wording.text;
  return wording.end - at - 1;
}

function nearestAspect(ratio: number): Aspect {
  const all: readonly (readonly [Aspect, number])[] = [
    ['16:9', 16 / 9],
    ['9:16', 9 / 16],
    ['1:1', 1],
    ['4:5', 0.8],
  ];
  return all.reduce((best, next) => (Math.abs(Math.log(next[1] / ratio)) < Math.abs(Math.log(best[1] / ratio)) ? next : best))[0];
}
