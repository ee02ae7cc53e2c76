import colorWords from '../words/colors.json' with { type: 'json' };
import words from '../words/directions.json' with { type: 'json' };
import formatWords from '../words/formats.json' with { type: 'json' };
import looks from '../words/looks.json' with { type: 'json' };
import type { Token } from './lexicon.ts';
import { Lexicon, lexiconOf, tokensOf } from './lexicon.ts';
import type { Colors, Piece, Span, Wishes } from './reading.ts';
import { pieceOf, themes } from './reading.ts';

/** How much a phrase of each class speaks for an instruction; a clause with more unknown words than this is content. */
const weights = {
  ask: 4,
  make: 3,
  order: 2.5,
  medium: 2,
  place: 2,
  wish: 1.5,
  look: 1,
  material: 1,
  mood: 0.75,
  soft: 0.75,
} as const;
type Class = keyof typeof weights;

const directions = new Lexicon<Class>();
for (const name of Object.keys(weights) as Class[]) directions.add(words[name], name);
const styles = lexiconOf(looks.styles);
const aspects = lexiconOf(looks.aspects);
const themeWords = lexiconOf(looks.themes);
const colors = lexiconOf(colorWords);
const formatCues = lexiconOf(formatWords);
const cues = lexiconOf({ highlight: words.highlight });
const excludes = lexiconOf({ exclude: words.exclude });
const onlys = lexiconOf({ only: words.only });
/** What somebody has to draw or animate: no format does. */
const drawn = lexiconOf({ drawn: words.drawn });
const negatives = lexiconOf({ negative: words.negative });
const audience = lexiconOf({ audience: words.audience, place: words.place });
const screens = lexiconOf({
  place: words.place,
  more: 'screen|screens|door|window|wall|post|channel|page|site|story|stories|reels|readme|tweet|feed|halle|flur|eingang|entrée',
});
const stops = lexiconOf({ stop: words.stop });

const forWords = new Set(['for', 'fur', 'furs', 'pour', 'para', 'per', 'pro']);
const pronouns = new Set([
  'it',
  'this',
  'that',
  'these',
  'them',
  'daraus',
  'das',
  'dies',
  'es',
  'ca',
  'ceci',
  'cela',
  'esto',
  'questo',
  'isso',
  'something',
]);
const lengthPattern =
  /(?!(?<=\b(?:under|over|u)\s)\d+s\s+\p{L}{3,})(?<![\p{L}\p{N}:.,]|(?:year|grade|class|klasse)\s)(\d{1,3}(?:[.,]\d)?)[\s-]?(s|secs?|seconds?|sek\.?|sekunden?|segundos?|secondes?|secondi|mins?|minutes?|minuten?|minutos?)(?![\p{L}\p{N}])|(?<![\d:])0?([01]):([0-5]\d)(?![\d:]|\s*[ap]\.?m)/giu;
const aspectPattern = /(?<![\d:.])(16|9|4|1)\s?[:x×/]\s?(9|16|5|1)(?![\d:])/iu;
const hexPattern = /#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z])/giu;
const limit =
  /\b(?:max(?:imum|imal)?|at most|no more than|not more than|under|less than|shorter than|höchstens|au plus|máximo|massimo|up to|or less)\b/iu;

/** Lengths, aspects, classes, stars, and ways to say “one at a time”. */
const measures = [
  lengthPattern,
  new RegExp(aspectPattern, 'giu'),
  /\b(?:klasse|class|grade|year|classe|clase|jahrgang)\s*\d+\w*/giu,
  /\b(?:[1-5]|one|two|three|four|five)[\s-]?stars?\b|\b[1-5] (?:sterne|étoiles|estrellas|stelle)\b/giu,
  /\b(?:one|a|ein|eine|un|une|una)\s+\p{L}+\s+(?:at a time|after the other|after another|nach dem anderen|nach der anderen|à la fois|a la vez)/giu,
];

/** A clause of prose: what speaks for an instruction, and what does not. */
export interface Clause {
  readonly span: Span;
  readonly isDirection: boolean;
  /** Words that no phrase explains. */
  readonly unknown: readonly Token[];
  /** The subject of an instruction: “a video about bees” is about bees. */
  readonly topic: Piece | null;
  readonly weight: number;
  /** A verb of making, a kind of film, a screen or a measure speaks for an instruction. */
  readonly isStrong: boolean;
  readonly isAsked: boolean;
  readonly isRestriction: boolean;
}

/** “You do not need a perfect morning” is said to the viewer; “I need a video” is not. */
const tellsNeed =
  /^\s*(?:you|they|he|she|nobody|everyone|everybody)\s+(?:(?:do|does|did|only|just|will|always|never)\s+|not\s+|don['’]t\s+)*needs?\s/iu;

/** “show how they drift apart”: an order about something that is said elsewhere. */
const refersBack =
  /^\s*(?:and |und |et |y |then |dann |puis |luego )*(?:show|explain|visuali[sz]e|animate|zeig\p{L}*|montre[rz]?|muestra|mostrar)\s+(?:me |us |mir |uns )?(?:(?:that|how|when|why|what|dass|wie|que|comment|qu['’]|cómo|como)\s*)?(?:it|they|them|these|this|es|sie|ils?|elles?|ellos|ellas)\b/iu;
/** “like a picture book”: a comparison with another medium. */
const likeMedium =
  /^\s*(?:a bit |ein bisschen |un peu |un poco )?(?:like|as in|wie|comme|como)\s+(?:(?:a|an|in|the|old|ein|eine|einem|im|aus|dans|un|une|una|en)\s+){1,3}(?:\p{L}+\s+){0,2}(?:book|comic|poster|movie|film|cartoon|sketch|painting|postcard|newspaper|magazine|game|documentary|sign|diary|(?:bilder|tage|kinder)?buch|plakat|gemälde|postkarte|zeitung|livre|affiche|tableau|carte|journal|libro|cuento|póster|película|cuadro)\b/iu;
/** “with the time counting up” goes with the film, it is not about something. */
const accompanies = /^\s*(?:and |und |et |y )?(?:with|mit|avec|con)\s/iu;

/** Judges whether a clause tells how the film is made, or what it shows. */
export function readClause(text: string, span: Span, context: { readonly hasData: boolean; readonly isStrict: boolean }): Clause {
  const source = text.slice(span.start, span.end).replace(hexPattern, (hex) => ' '.repeat(hex.length));
  const tokens = tokensOf(source, span.start);
  const known = new Array<number>(tokens.length).fill(0);
  let weight = 0;
  const classes = new Set<Class>();
  const take = (at: number, count: number, gain: number) => {
    weight += gain;
    for (let index = at; index < at + count; index++) known[index] = Math.max(known[index] ?? 0, gain || 0.01);
  };
  const isMade = directions.find(tokens).some(({ value }) => value === 'ask' || value === 'make' || value === 'medium');
  for (const { at, count } of audiencePhrases(tokens, isMade)) take(at, count, 2);
  for (const { value, at, count } of directions.find(tokens)) {
    if (known.slice(at, at + count).some((mark) => mark > 0)) continue;
    // A verb gives an order at the start of a clause; elsewhere it tells a little.
    const isOrder =
      (value !== 'order' && value !== 'make') ||
      tokens.slice(0, at).every((token, index) => isStop(token) || (known[index] ?? 0) > 0);
    take(at, count, isOrder ? weights[value] : 0.5);
    classes.add(isOrder ? value : 'soft');
  }
  const takeAll = (lexicon: Lexicon<string>, gain: number) => {
    for (const { at, count } of lexicon.find(tokens)) if (known.slice(at, at + count).includes(0)) take(at, count, gain);
  };
  takeAll(onlys, 0.5);
  takeAll(aspects, 2);
  takeAll(styles, 1);
  for (const { at, count } of colors.find(tokens)) {
    if (!known.slice(at, at + count).includes(0)) continue;
    // “Matilda Rose” is a name; “in red” is an instruction.
    const isPartOfName = (near: number) =>
      /^\p{Lu}/u.test(tokens[near]?.text ?? '') && (known[near] ?? 1) === 0 && !isStop(tokens[near] as Token);
    if (count === 1 && /^\p{Lu}\p{Ll}/u.test(tokens[at]?.text ?? '') && (isPartOfName(at - 1) || isPartOfName(at + 1))) continue;
    take(at, count, /^(?:in|en|im)$/u.test(tokens[at - 1]?.word ?? '') ? 2 : 1);
  }
  for (const pattern of measures)
    for (const match of source.matchAll(pattern)) {
      const end = span.start + match.index + match[0].length;
      const inside = tokens.flatMap((token, index) =>
        token.start >= span.start + match.index && token.end <= end ? [index] : [],
      );
      weight += 2;
      classes.add('medium');
      for (const index of inside) known[index] = 2;
    }
  if (text.slice(span.start, span.end).search(hexPattern) !== -1) weight += 2;
  const isBack = refersBack.test(source) || likeMedium.test(source);
  if (isBack) weight += 2;
  const unknown = tokens.filter((token, index) => (known[index] ?? 0) === 0 && !isStop(token));
  const allowed = context.isStrict
    ? weight >= 1.5
      ? 0
      : -1
    : classes.has('ask') || classes.has('make') || isBack
      ? 99
      : context.hasData && weight >= 1.5
        ? weight * 2
        : weight >= 1
          ? weight
          : -1;
  const isDirection =
    !tellsNeed.test(source) &&
    (unknown.length <= allowed || (tokens.length > 0 && unknown.length === 0 && weight >= (context.isStrict ? 1.5 : 0.75)));
  const isMarking = cues.find(tokens).length > 0 || excludes.find(tokens).length > 0;
  const isNaming = (['ask', 'make', 'order', 'medium', 'material'] as const).some((name) => classes.has(name));
  const isScreen = classes.has('place') && !tokens.some(({ word }) => forWords.has(word));
  const isAsked = classes.has('ask') || classes.has('make');
  const lastWord = tokens.findLastIndex((token) => !isStop(token));
  const endsDrawn = drawn.find(tokens).some(({ at, count }) => at > 0 && at + count > lastWord);
  const hasTopic =
    isDirection &&
    unknown.length > 0 &&
    !isMarking &&
    !isBack &&
    (isAsked || !endsDrawn) &&
    (isAsked || !accompanies.test(source)) &&
    (isNaming || isScreen);
  const topic = hasTopic ? topicOf(text, tokens, known) : null;
  const isStrong = (['ask', 'make', 'order', 'medium', 'place'] as const).some((name) => classes.has(name));
  return {
    span,
    isDirection,
    unknown,
    topic,
    weight,
    isStrong,
    isAsked,
    isRestriction: isDirection && (onlys.find(tokens).length > 0 || excludes.find(tokens).length > 0),
  };
}

const isStop = ({ word }: Token) => stops.get(word) !== undefined;

/** The colour that a word names, as a hex value; `null` if it names none. */
export const colorOf = (word: string): string | null => colors.get(word) ?? null;

/** Whether a word alone may stand in an instruction: a verb, a medium, a look, an article. */
export const isInstructing = (word: string) =>
  stops.get(word) !== undefined ||
  directions.get(word) !== undefined ||
  styles.get(word) !== undefined ||
  aspects.get(word) !== undefined ||
  colors.get(word) !== undefined;

/** “for my year 7s”, “pour ma classe de CE2”: for whom or for which screen a film is. */
function audiencePhrases(tokens: readonly Token[], isLoose: boolean): { at: number; count: number }[] {
  const phrases: { at: number; count: number }[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!forWords.has(tokens[at]?.word ?? '')) continue;
    const window = tokens.slice(at + 1, at + 8);
    const next = window.findIndex(({ word }) => forWords.has(word));
    const reach = next === -1 ? window : window.slice(0, next);
    const last = audience.find(reach).at(-1);
    if (last === undefined) continue;
    // “for the first 50 guests” is content: an audience belongs to the user, or is a screen.
    const words = reach.slice(0, last.at + last.count);
    if (!isLoose && !words.some(({ word }) => own.has(word)) && screens.find(words).length === 0) continue;
    let count = 1 + last.at + last.count;
    while (/^(?:\d+\w?|s|de|[a-z]{1,2}\d)$/u.test(tokens[at + count]?.word ?? '')) count++;
    phrases.push({ at, count });
  }
  return phrases;
}

const own = new Set([
  'my',
  'our',
  'meine',
  'meinen',
  'unsere',
  'unseren',
  'unser',
  'mes',
  'ma',
  'mon',
  'notre',
  'nos',
  'mi',
  'mis',
  'nuestro',
  'nuestra',
  'nuestros',
  'nuestras',
]);

/** Where “for my class” starts at the end of a text; null if it does not end so. */
export function ownAudience(text: string): number | null {
  const tokens = tokensOf(text);
  const found = audiencePhrases(tokens, true).at(-1);
  if (
    found === undefined ||
    found.at === 0 ||
    found.at + found.count < tokens.length ||
    !own.has(tokens[found.at + 1]?.word ?? '')
  )
    return null;
  return tokens[found.at]?.start ?? null;
}

/** The longest run of unknown words, with the stop words between them. */
function topicOf(text: string, tokens: readonly Token[], known: readonly number[]): Piece | null {
  if (tokens.some(({ word }) => pronouns.has(word))) return null;
  let best: readonly Token[] = [];
  let run: Token[] = [];
  const score = (all: readonly Token[]) => all.filter((token) => !isStop(token)).length;
  for (const [index, token] of tokens.entries()) {
    if ((known[index] ?? 0) > 0) run = [];
    else if (run.length > 0 || !isStop(token)) run.push(token);
    while (run.length > 0 && score(run) > score(best)) best = [...run];
  }
  const [first, last] = [best[0], best.at(-1)];
  return first === undefined || last === undefined ? null : pieceOf(text, first.start, last.end);
}

/** Instructions, as they are collected while a request is read. */
export class WishCollector {
  readonly #spans: Span[] = [];
  readonly #text: string;
  readonly highlight: string[] = [];
  readonly exclude: string[] = [];
  readonly only: string[] = [];
  /** Instructions that no film of formats follows. */
  readonly unmet: Span[] = [];

  /** Formats that a label or the subject of the request names. */
  readonly formats: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get spans(): readonly Span[] {
    return this.#spans;
  }

  add(span: Span, clause: Clause | null = null): void {
    this.#spans.push(span);
    if (clause === null) return;
    const tokens = tokensOf(this.#text.slice(span.start, span.end), span.start);
    const isDrawn = drawn.find(tokens).some(({ at }) => negatives.find(tokens.slice(Math.max(0, at - 2), at)).length === 0);
    if (clause.isDirection && !clause.isAsked && (isDrawn || refersBack.test(this.#text.slice(span.start, span.end))))
      this.unmet.push(span);
    const named = () =>
      tokens
        .filter((token) => !isStop(token) && directions.get(token.word) === undefined && colors.get(token.word) === undefined)
        .map(({ word }) => word);
    if (onlys.find(tokens).length > 0)
      this.only.push(
        ...tokens
          .filter((token) => !isStop(token) && onlys.get(token.word) === undefined && directions.get(token.word) !== 'order')
          .map(({ word }) => word),
      );
    else if (excludes.find(tokens).length > 0) this.exclude.push(...named());
    if (cues.find(tokens).length > 0) this.highlight.push(...named());
  }

  /** Whether only the main points are wanted. */
  get isHighlights(): boolean {
    return this.#spans.some(({ start, end }) =>
      /\b(?:highlights? only|only (?:the )?highlights?|just (?:the )?highlights?|nur (?:die )?highlights)\b/iu.test(
        this.#text.slice(start, end),
      ),
    );
  }

  /** Reads the wishes out of all instructions; `content` is searched for words that suggest a theme or a format. */
  wishes(): Omit<Wishes, 'words'> & { words: string[] } {
    const parts = this.#spans.map(({ start, end }) => this.#text.slice(start, end));
    const all = parts.join(' \n ');
    const tokens = tokensOf(all);
    const isNegated = (at: number) => negatives.find(tokens.slice(Math.max(0, at - 2), at)).length > 0;
    const firstOf = <Name extends string>(lexicon: Lexicon<Name>): Name | null =>
      lexicon.find(tokens).find(({ at }) => !isNegated(at))?.value ?? null;
    const length = lengthsOf(all);
    const darkWords = /\b(?:dark|dunkel\w*|sombre|oscuro|scuro|escuro)\b/iu;
    const named = themes.find((theme) => tokens.some(({ word }, at) => word === theme && !isNegated(at))) ?? null;
    return {
      aspect: ratioIn(all) ?? firstOf(aspects),
      seconds: length,
      isLimit: parts.some((part) => lengthsOf(part) !== null && limit.test(part)),
      style: firstOf(styles),
      theme: named,
      dark: darkWords.test(all)
        ? true
        : /\b(?:bright|light background|white background|hell\w*|clair|claro)\b/iu.test(all)
          ? false
          : null,
      colors: colorsOf(parts),
      formats: [
        ...new Set([
          ...this.formats,
          ...formatCues
            .find(tokens)
            .filter(({ at }) => !isNegated(at))
            .map(({ value }) => value),
        ]),
      ],
      sorted: /\b(?:sort(?:ed|iert)?|high to low|low to high|descending|ascending|trié\w*|ordenad\w+|absteigend)\b/iu.test(all),
      brief: /\b(?:highlights|recap|short|brief|summary|main points|kurz\w*|court\w*|corto|breve|résumé|resumen)\b/iu.test(all),
      noEmoji: /\b(?:no|without|keine|sans|sin|ohne)\s+emojis?\b/iu.test(all),
      highlight: this.highlight,
      stars: starsOf(this.#text),
      words: tokens.map(({ word }) => word),
    };
  }
}

const starWords: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, fünf: 5, cinq: 5, cinco: 5 };

function starsOf(text: string): number | null {
  const drawn = /[★⭐]{2,5}/u.exec(text);
  if (drawn !== null) return [...drawn[0]].length;
  const found = /\b([1-5]|one|two|three|four|five|fünf|cinq|cinco)[\s-]?(?:stars?|sterne?|étoiles|estrellas|stelle)\b/iu.exec(
    text,
  );
  return found === null ? null : (starWords[(found[1] ?? '').toLowerCase()] ?? Number(found[1]));
}

/** The length that a text asks for, in seconds. */
export function lengthsOf(text: string): number | null {
  for (const match of text.matchAll(lengthPattern)) {
    const [, amount, unit, minutes, seconds] = match;
    if (amount !== undefined) return Number(amount.replace(',', '.')) * (/^m/iu.test(unit ?? '') ? 60 : 1);
    return Number(minutes) * 60 + Number(seconds);
  }
  return null;
}

/** Light or dark neutrals that serve as the ground beside another colour. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The colours that instructions name, by what they are for. */
export function colorsOf(parts: readonly string[]): Colors {
  const roles: { ground?: string; ink?: string; accent?: string; helper?: string } = {};
  const free: string[] = [];
  const exact = new Map<string, string>();
  for (const part of parts) {
    const tokens = tokensOf(part);
    const found = colors
      .find(tokens)
      .filter(({ at }) => negatives.find(tokens.slice(Math.max(0, at - 2), at)).length === 0)
      .map(({ value, at, count }) => ({
        hex: value as string,
        start: tokens[at]?.start ?? 0,
        end: tokens[at + count - 1]?.end ?? 0,
      }));
    for (const match of part.matchAll(hexPattern)) {
      const hex = match[0].length === 4 ? `#${[...match[0].slice(1)].map((digit) => digit + digit).join('')}` : match[0];
      // A hex value behind a name says exactly which colour is meant.
      const named = found.findIndex(({ end }) => end <= match.index && match.index - end <= 5);
      const start = named === -1 ? match.index : (found[named]?.start ?? match.index);
      const [name] = named === -1 ? [] : found.splice(named, 1);
      if (name !== undefined) exact.set(name.hex, hex.toLowerCase());
      found.push({ hex: hex.toLowerCase(), start, end: match.index + match[0].length });
    }
    found.sort((one, other) => one.start - other.start);
    for (const { hex, start, end } of found) {
      const after = part.slice(end, end + 24);
      const before = part.slice(Math.max(0, start - 24), start);
      if (
        /^\W*(?:back)?ground|^\W*(?:er |en )?hintergrund|^\W*(?:fond|fondo|sfondo)\b/iu.test(after) ||
        /(?:background|hintergrund|fond|fondo|\bon|auf|sur|sobre)\W*(?:in|of|is|:|the|an?|off)?\W*$/iu.test(before)
      )
        roles.ground ??= hex;
      else if (
        /^\W*(?:text|letters|lettering|type|font|words|schrift|texte?o?|lettres|letras)\b/iu.test(after) ||
        /^\s+(?:on|auf|sur|sobre)\s/iu.test(after)
      ) {
        // “purple on black”: on a dark ground the colour is the accent, and ink stays readable.
        if (luminance(hex) < 0.08 || luminance(hex) > 0.9) roles.ink ??= hex;
        else roles.accent ??= hex;
      } else free.push(hex);
    }
  }
  for (const [role, hex] of Object.entries(roles) as [keyof typeof roles, string][]) roles[role] = exact.get(hex) ?? hex;
  const named = new Set(free.map((hex) => exact.get(hex) ?? hex));
  for (const [index, hex] of [...named].entries()) {
    const light = luminance(hex);
    const isNeutral = light > 0.85 || light < 0.05;
    if (isNeutral && named.size > 1 && roles.ground === undefined) roles.ground = hex;
    else if (roles.accent === undefined && (!isNeutral || named.size === 1)) roles.accent = hex;
    else if (roles.helper === undefined && index > 0 && hex !== roles.accent) roles.helper = hex;
  }
  return roles;
}

/** The colours that instructions rule out: “no pink”. */
export function avoidedColors(text: string): string[] {
  const tokens = tokensOf(text);
  return colors
    .find(tokens)
    .flatMap(({ value, at }) => (negatives.find(tokens.slice(at - 1, at)).length > 0 ? [value as string] : []));
}

/** How often each theme is suggested by the words of a text. */
export function themeScores(text: string): Map<string, number> {
  const scores = new Map<string, number>();
  const tokens = tokensOf(text);
  const isNegated = (at: number) => negatives.find(tokens.slice(Math.max(0, at - 2), at)).length > 0;
  for (const { value, at } of themeWords.find(tokens)) if (!isNegated(at)) scores.set(value, (scores.get(value) ?? 0) + 1);
  return scores;
}

/** Formats that are named anywhere in a text. */
export function formatsIn(text: string): string[] {
  return [...new Set(formatCues.find(tokensOf(text)).map(({ value }) => value as string))];
}

const ratios = ['16:9', '9:16', '1:1', '4:5'] as const;
const ratioIn = (text: string) => {
  const found = aspectPattern.exec(text);
  return found === null ? null : (ratios.find((ratio) => ratio === `${found[1]}:${found[2]}`) ?? null);
};

export const styleIn = (text: string) => styles.find(tokensOf(text))[0]?.value ?? null;
export const aspectIn = (text: string) => {
  return ratioIn(text) ?? aspects.find(tokensOf(text))[0]?.value ?? null;
};
