import type { Aspect, Film, MotionType, Style, TextManner } from '../../../contract/film.ts';
import type { MotionWish } from '../brief/brief.ts';
import { fold } from '../brief/fold.ts';
import { lex } from '../brief/lex.ts';
import { type Lexeme, type Meaning, type MeaningKind, senseOf } from '../brief/lexemes.ts';
import { nearestAspect } from '../brief/parse-brief.ts';
import { readClauses } from '../brief/read-clauses.ts';
import { isRelation } from '../brief/relations.ts';
import type { Action, ActWish, Camera, Direction, Language, Place, Scenery, Shade, TextRole } from '../brief/sense.ts';
import type { Mention, State } from '../brief/state.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import { matching } from './matching.ts';

/** A change of size, speed, height or length. Compared: a step from where it is; otherwise a level. */
export interface Step {
  readonly factor: number;
  readonly compared: boolean;
}

/** What the reading of prompts makes of one clause of feedback, and which words of change stand in it. */
export interface Facts {
  readonly lexemes: readonly Lexeme[];
  readonly words: ReadonlySet<string>;
  readonly actions: readonly Action[];
  /** The things that are named, with what was said in front of them. */
  readonly subjects: readonly Mention[];
  /** "It stands beside": where a thing is to stand whose neighbour is not named. */
  readonly relation: NonNullable<State['pendingRelation']>['relation'] | null;
  readonly textNoun: { readonly role: TextRole; readonly exact: boolean } | null;
  readonly quotes: readonly string[];
  /** The words of a text that stand in no quotes. */
  readonly wording: string | null;
  readonly background: boolean;
  readonly gradient: boolean;
  readonly camera: boolean;
  readonly whole: boolean;
  readonly pronoun: boolean;
  /** Scene numbers as said; −1 = the last. */
  readonly scenes: readonly number[];
  /** "The second one": which of the things, or of those that are named; −1 = the last. */
  readonly nth: number | null;
  readonly colors: readonly string[];
  readonly rainbow: boolean;
  readonly shade: { readonly shade: Shade; readonly compared: boolean } | null;
  readonly size: Step | null;
  readonly speed: Step | null;
  readonly height: Step | null;
  readonly length: Step | null;
  readonly style: { readonly style: Style; readonly compared: boolean; readonly text: string } | null;
  readonly aspect: Aspect | null;
  readonly fps: number | null;
  readonly seconds: number | null;
  readonly repeat: number | null;
  readonly number: number | null;
  readonly percent: number | null;
  readonly figure: Extract<Meaning, { kind: 'figure' }> | null;
  readonly bars: Extract<Meaning, { kind: 'bars' }>['bars'] | null;
  readonly motions: readonly MotionType[];
  /** What the first of them is, where it is one of the many verbs. */
  readonly act: ActWish | null;
  /** The motion with all that was said of it; null where it is nobody's. */
  readonly motion: MotionWish | null;
  readonly cameraMove: Camera | null;
  /** How a text is to come, what it is to do, and how it is to leave. */
  readonly manner: TextManner;
  readonly direction: Direction | null;
  /** "From the left", not "to the left". */
  readonly from: boolean;
  readonly place: Place | null;
  /** Where and when it is to play. */
  readonly scenery: Scenery | null;
  readonly negated: boolean;
  /** "too fast" asks for the opposite. */
  readonly too: boolean;
  readonly another: boolean;
  /** 1 = more, −1 = fewer. */
  readonly more: -1 | 0 | 1;
  /** "a bit" 0.5, "much" 2. */
  readonly intensity: number;
  /** The uploaded sound that is named. */
  readonly sound: BriefAsset | null;
  readonly unsupported: readonly string[];
  readonly unknown: readonly string[];
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const moreWords = set('more mehr mas plus additional increase raise erhoehe augmente aumenta zusaetzlich extra');
const lessWords = set('less fewer weniger moins menos decrease reduce verringere diminue disminuye least');
const slightWords = set('bit little slightly tad touch etwas bisschen peu poco somewhat');
const strongWords = set('much lot way far viel beaucoup mucho really significantly considerably');
const insteadWords = set('instead stattdessen');
const numberedWords = set('one eine ein eins uno una un');
const titleWords = /title|titel|titre|titulo|headline|heading|ueberschrift|subtitle|untertitel|caption|tagline/;

/** In words about a film a comparative is a step, and a verb in front is what is to be done with it. */
function asked(lexeme: Lexeme, at: number): Lexeme {
  const size = senseOf(lexeme, 'size');
  if (size?.compared) return { ...lexeme, meaning: size, senses: [size] };
  const action = senseOf(lexeme, 'action');
  if (action !== null && (lexeme.meaning.kind === 'action' || at === 0)) return { ...lexeme, meaning: action, senses: [action] };
  // "A little faster" is no size.
  const isSlight = lexeme.meaning.kind === 'size' && slightWords.has(fold(lexeme.text));
  return isSlight ? { ...lexeme, meaning: { kind: 'filler' }, senses: [] } : lexeme;
}

/** "Scene 2", "the last scene": the numbers of scenes; and "the second one", which is of no scene. */
function numbered(lexemes: readonly Lexeme[]): { readonly scenes: readonly number[]; readonly nth: number | null } {
  const scenes: number[] = [];
  let nth: number | null = null;
  for (const [at, { meaning }] of lexemes.entries()) {
    const [before, after] = [lexemes[at - 1], lexemes[at + 1]];
    const value = (lexeme: Lexeme | undefined): number | null =>
      senseOf(lexeme, 'ordinal')?.value ?? (lexeme?.meaning.kind === 'first' ? 1 : null);
    if (meaning.kind === 'scene') {
      const number = value(before) ?? (after?.meaning.kind === 'number' ? Math.round(after.meaning.value) : null);
      if (number !== null) scenes.push(number);
    } else if (
      ['article', 'pronoun'].includes(before?.meaning.kind ?? '') &&
      after?.meaning.kind !== 'scene' &&
      after?.meaning.kind !== 'duration'
    )
      nth ??= value(lexemes[at]);
  }
  return { scenes, nth };
}

/** What one clause says. */
export function factsOf(said: readonly Lexeme[], language: Language): Facts {
  const lexemes = said.map(asked);
  const state = readClauses(lexemes, language);
  const all = <Kind extends MeaningKind>(kind: Kind) =>
    state.read.flatMap(({ meaning }) => (meaning.kind === kind ? [meaning as Extract<Meaning, { kind: Kind }>] : []));
  const last = <Kind extends MeaningKind>(kind: Kind) => all(kind).at(-1) ?? null;
  const has = (kind: MeaningKind): boolean => all(kind).length > 0;
  /** A comparative says more than a level. */
  const step = (kind: 'size' | 'speed' | 'height' | 'length'): Step | null =>
    all(kind).findLast(({ compared }) => compared) ?? all(kind)[0] ?? null;
  const words = new Set(lexemes.flatMap(({ text }) => fold(text).split(' ')));
  const anyOf = (list: ReadonlySet<string>): boolean => [...words].some((word) => list.has(word));
  const more = anyOf(lessWords) ? -1 : anyOf(moreWords) ? 1 : 0;
  const actions = all('action').map(({ action }) => action);
  if (anyOf(insteadWords) && actions.length === 0) actions.push('change');
  const quotes = all('quote').map(({ text }) => text);
  const heads = state.clauses.flatMap(({ subjects }) => subjects);
  const texts = state.clauses.flatMap((clause) => clause.texts);
  const style = state.read.findLast(({ meaning }) => meaning.kind === 'style');
  const nouns = state.read.filter(({ meaning }) => meaning.kind === 'textNoun');
  const noun = nouns.findLast(({ meaning }) => meaning.kind === 'textNoun' && !meaning.saying) ?? nouns.at(-1);
  const shape = last('ratio') ?? null;
  const figure = last('figure');
  const acts = all('motion');
  const { scenes, nth } = numbered(lexemes);
  const number =
    nth !== null && numberedWords.has(fold(lexemes.findLast(({ meaning }) => meaning.kind === 'number')?.text ?? ''));
  return {
    lexemes,
    words,
    actions,
    subjects: state.mentions,
    relation: state.pendingRelation?.to === null ? state.pendingRelation.relation : null,
    textNoun:
      noun?.meaning.kind === 'textNoun'
        ? { role: noun.meaning.role, exact: !noun.meaning.saying && nouns.at(-1) === noun && titleWords.test(fold(noun.text)) }
        : null,
    quotes,
    wording: texts.findLast(({ text }) => text !== null && !quotes.includes(text))?.text ?? null,
    background: has('background'),
    gradient: has('gradient'),
    camera: has('camera'),
    whole: has('whole'),
    pronoun: has('pronoun'),
    scenes,
    nth,
    colors: all('color').map(({ hex }) => hex),
    rainbow: has('rainbow'),
    shade: last('shade'),
    size: step('size'),
    speed: step('speed'),
    height: step('height'),
    length: last('length'),
    style: style?.meaning.kind === 'style' ? { ...style.meaning, text: style.text } : null,
    aspect: shape === null ? (last('aspect')?.aspect ?? null) : nearestAspect(shape.width / Math.max(1e-6, shape.height)).aspect,
    fps: last('frameRate')?.fps ?? null,
    seconds: last('duration')?.seconds ?? null,
    repeat: last('repeat')?.times ?? (has('half') ? 0.5 : null),
    number: number ? null : (last('number')?.value ?? null),
    percent: figure?.suffix === '%' && figure.prefix === '' ? figure.value : null,
    figure,
    bars: last('bars')?.bars ?? null,
    motions: acts.map(({ motion }) => motion),
    act: acts.find(({ act }) => act !== undefined)?.act ?? null,
    motion: heads.find(({ motion }) => motion !== null)?.motion ?? state.mods.motion,
    cameraMove: state.clauses.findLast(({ camera }) => camera !== null)?.camera ?? null,
    // What a text can do as well as a thing is kept for both; whom it is about decides.
    manner: Object.assign({}, ...state.read.map((lexeme) => senseOf(lexeme, 'manner')?.manner ?? {})) as TextManner,
    direction: last('direction')?.direction ?? acts.find(({ direction }) => direction !== null)?.direction ?? null,
    from: has('from'),
    place: last('place')?.place ?? null,
    scenery: has('scenery') ? Object.assign({}, ...all('scenery')) : null,
    negated: has('not'),
    too: has('too'),
    another: has('another'),
    more,
    intensity: anyOf(slightWords) ? 0.5 : anyOf(strongWords) && more === 0 ? 2 : 1,
    sound: state.sound ?? last('sound')?.asset ?? null,
    unsupported: all('unsupported').map(({ name }) => name),
    unknown: state.read.flatMap(({ meaning, text }) => (meaning.kind === 'unknown' ? [text] : [])),
  };
}

const joints = new Set<MeaningKind>(['and', 'then']);
const marks = set('comma stop newline item semicolon bracket');
const breaks = set('but aber mais pero sondern');

/** "The stars" of a film are those that it shows, whatever "stars" are elsewhere. */
function ofFilm(film: Film, lexeme: Lexeme): Lexeme {
  const { meaning } = lexeme;
  if (meaning.kind !== 'subject') return lexeme;
  const [found] = matching(film, meaning.ref, null);
  return found?.kind !== 'shape' ? lexeme : { ...lexeme, meaning: { ...meaning, ref: { kind: 'shape', shape: found.shape } } };
}

/** Feedback in clauses: at full stops, commas and joining words. Quotes and texts stay whole. */
export function readFeedback(film: Film, text: string, assets: readonly BriefAsset[]): readonly Facts[] {
  const { lexemes, language } = lex(text, assets, (ref) => matching(film, ref, null).length > 0);
  const parts: Lexeme[][] = [[]];
  for (const lexeme of lexemes.map((one) => ofFilm(film, one))) {
    const { meaning } = lexeme;
    const isBreak = meaning.kind === 'filler' && breaks.has(fold(lexeme.text));
    const isJoint = joints.has(meaning.kind) && !isRelation(lexeme.text);
    if (isBreak || isJoint || (meaning.kind === 'mark' && marks.has(meaning.mark))) parts.push([]);
    else parts.at(-1)?.push(lexeme);
  }
  return parts.filter((part) => part.length > 0).map((part) => factsOf(part, language));
}
