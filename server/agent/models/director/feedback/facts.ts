import type { Aspect, Style } from '../../../../contract/project.ts';
import { fold } from '../brief/fold.ts';
import { lex } from '../brief/lex.ts';
import { type Lexeme, senseOf } from '../brief/lexemes.ts';
import type { Action, Camera, Direction, Entrance, Language, Place, Shade, SubjectRef, TextRole } from '../brief/sense.ts';
import { unquoted } from '../brief/texts.ts';
import type { MotionType } from '../film.ts';

export interface NamedSubject {
  readonly ref: SubjectRef;
  readonly plural: boolean;
  readonly count: number | null;
  /** Colours right in front: they pick one ("the red ball") or describe a new one. */
  readonly colors: readonly string[];
  readonly another: boolean;
  readonly at: number;
}

/** A change of size, speed, height or length. Compared: a step from where it is; otherwise a level. */
export interface Step {
  readonly factor: number;
  readonly compared: boolean;
}

/** Everything that one clause of feedback says, before it is known what it is about. */
export interface Facts {
  readonly lexemes: readonly Lexeme[];
  readonly language: Language;
  readonly words: ReadonlySet<string>;
  actions: Action[];
  subjects: NamedSubject[];
  textNoun: { readonly role: TextRole; readonly exact: boolean } | null;
  quotes: string[];
  wording: string | null;
  background: boolean;
  gradient: boolean;
  camera: boolean;
  whole: boolean;
  pronoun: boolean;
  /** Scene numbers as said; −1 = the last. */
  scenes: number[];
  /** "scene" without a number. */
  sceneNoun: boolean;
  colors: string[];
  rainbow: boolean;
  shade: { readonly shade: Shade; readonly compared: boolean } | null;
  size: Step | null;
  speed: Step | null;
  height: Step | null;
  length: Step | null;
  style: { readonly style: Style; readonly compared: boolean; readonly text: string } | null;
  aspect: Aspect | null;
  fps: number | null;
  seconds: number | null;
  repeat: number | null;
  number: number | null;
  percent: number | null;
  figure: { readonly value: number; readonly prefix: string; readonly suffix: string } | null;
  bars: readonly { readonly label: string; readonly value: number }[] | null;
  turns: number | null;
  motions: MotionType[];
  cameraMove: Camera | null;
  entrance: Entrance | null;
  direction: Direction | null;
  place: Place | null;
  negated: boolean;
  /** "too fast" asks for the opposite. */
  too: boolean;
  another: boolean;
  /** 1 = more, −1 = fewer. */
  more: -1 | 0 | 1;
  /** "a bit" 0.5, "much" 2. */
  intensity: number;
  unsupported: string[];
  unknown: string[];
}

const moreWords = new Set([
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
const lessWords = new Set([
  'less',
  'fewer',
  'weniger',
  'moins',
  'menos',
  'decrease',
  'reduce',
  'verringere',
  'diminue',
  'disminuye',
  'least',
]);
const slightWords = new Set(['bit', 'little', 'slightly', 'tad', 'touch', 'etwas', 'bisschen', 'peu', 'poco', 'somewhat']);
const strongWords = new Set([
  'much',
  'lot',
  'way',
  'far',
  'viel',
  'beaucoup',
  'mucho',
  'really',
  'significantly',
  'considerably',
]);
const insteadWords = new Set(['instead', 'stattdessen']);

const step = (sense: { readonly factor: number; readonly compared: boolean }): Step => ({
  factor: sense.factor,
  compared: sense.compared,
});

function emptyFacts(lexemes: readonly Lexeme[], language: Language): Facts {
  return {
    lexemes,
    language,
    words: new Set(lexemes.flatMap((lexeme) => fold(lexeme.text).split(' '))),
    actions: [],
    subjects: [],
    textNoun: null,
    quotes: [],
    wording: null,
    background: false,
    gradient: false,
    camera: false,
    whole: false,
    pronoun: false,
    scenes: [],
    sceneNoun: false,
    colors: [],
    rainbow: false,
    shade: null,
    size: null,
    speed: null,
    height: null,
    length: null,
    style: null,
    aspect: null,
    fps: null,
    seconds: null,
    repeat: null,
    number: null,
    percent: null,
    figure: null,
    bars: null,
    turns: null,
    motions: [],
    cameraMove: null,
    entrance: null,
    direction: null,
    place: null,
    negated: false,
    too: false,
    another: false,
    more: 0,
    intensity: 1,
    unsupported: [],
    unknown: [],
  };
}

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
function read(facts: Facts, lexeme: Lexeme, at: number): number {
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
  const { meaning } = lexeme;
  switch (meaning.kind) {
    case 'subject':
      readSubject(facts, at, meaning.ref, meaning.plural);
      break;
    case 'textNoun': {
      facts.textNoun = {
        role: meaning.role,
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
      facts.direction ??= meaning.direction;
      break;
    case 'entrance':
      facts.entrance = meaning.entrance;
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

/** What one clause says. */
export function factsOf(lexemes: readonly Lexeme[], language: Language): Facts {
  const facts = emptyFacts(lexemes, language);
  for (let at = 0; at < lexemes.length; at += 1) {
    const lexeme = lexemes[at];
    if (lexeme !== undefined) at += read(facts, lexeme, at);
  }
  const has = (set: ReadonlySet<string>): boolean => [...facts.words].some((word) => set.has(word));
  facts.more = has(lessWords) ? -1 : has(moreWords) ? 1 : 0;
  facts.intensity = has(slightWords) ? 0.5 : has(strongWords) && facts.more === 0 ? 2 : 1;
  if (has(insteadWords) && facts.actions.length === 0) facts.actions.push('change');
  return facts;
}

const breaks = new Set(['but', 'aber', 'mais', 'pero', 'sondern']);

/** Feedback in clauses: at full stops, commas and joining words. Quotes and texts stay whole. */
export function readFeedback(text: string): {
  readonly clauses: readonly Facts[];
  readonly language: Language;
  readonly lexemes: readonly Lexeme[];
} {
  const { lexemes, language } = lex(text);
  const parts: Lexeme[][] = [[]];
  for (const lexeme of lexemes) {
    const { kind } = lexeme.meaning;
    const mark = lexeme.meaning.kind === 'mark' ? lexeme.meaning.mark : null;
    const cut =
      kind === 'and' ||
      kind === 'then' ||
      (kind === 'filler' && breaks.has(fold(lexeme.text))) ||
      (mark !== null && ['comma', 'stop', 'newline', 'item', 'semicolon', 'bracket'].includes(mark));
    if (cut) parts.push([]);
    else parts.at(-1)?.push(lexeme);
  }
  return { clauses: parts.filter((part) => part.length > 0).map((part) => factsOf(part, language)), language, lexemes };
}
