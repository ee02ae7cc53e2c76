import { lowestContrast, sixDigits } from '../colors.ts';
import colorWords from '../words/colors.json' with { type: 'json' };
import words from '../words/directions.json' with { type: 'json' };
import formatWords from '../words/formats.json' with { type: 'json' };
import looks from '../words/looks.json' with { type: 'json' };
import type { Token } from './lexicon.ts';
import { Lexicon, lexiconOf, tokensOf } from './lexicon.ts';
import type { Colors, Instructions, Span } from './reading.ts';
import { themes } from './reading.ts';

const directions = new Lexicon<string>();
for (const name of ['ask', 'make', 'order', 'medium', 'place', 'wish', 'look', 'material', 'mood', 'soft'] as const)
  directions.add(words[name], name);
const styles = lexiconOf(looks.styles);
const aspects = lexiconOf(looks.aspects);
const themeWords = lexiconOf(looks.themes);
const colors = lexiconOf(colorWords);
const formatCues = lexiconOf(formatWords);
const cues = lexiconOf({ highlight: words.highlight });
const excludes = lexiconOf({ exclude: words.exclude });
const onlys = lexiconOf({ only: words.only });
/** Words for custom drawing or animation, which no format provides. */
const drawn = lexiconOf({ drawn: words.drawn });
const negatives = lexiconOf({ negative: words.negative });
const stops = lexiconOf({ stop: words.stop });

const lengthPattern =
  /(?!(?<=\b(?:under|over|u)\s)\d+s\s+\p{L}{3,})(?<![\p{L}\p{N}:.,]|(?:year|grade|class|klasse)\s)(\d{1,3}(?:[.,]\d)?)[\s-]?(s|secs?|seconds?|sek\.?|sekunden?|segundos?|secondes?|secondi|mins?|minutes?|minuten?|minutos?)(?![\p{L}\p{N}])|(?<![\d:])0?([01]):([0-5]\d)(?![\d:]|\s*[ap]\.?m)/giu;
const aspectPattern = /(?<![\d:.])(16|9|4|1)\s?[:x×/]\s?(9|16|5|1)(?![\d:])/iu;
const hexPattern = /#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z])/giu;
const limit =
  /\b(?:max(?:imum|imal)?|at most|no more than|not more than|under|less than|shorter than|höchstens|au plus|máximo|massimo|up to|or less)\b/iu;

export const isStop = ({ word }: Token) => stops.get(word) !== undefined;

/** Returns the hex value of the colour that a word names, or `null` if it names none. */
export const colorOf = (word: string): string | null => colors.get(word) ?? null;

/** Returns whether a single word can be part of an instruction: a verb, a medium, a look, an article. */
export const isInstructing = (word: string) =>
  stops.get(word) !== undefined ||
  directions.get(word) !== undefined ||
  styles.get(word) !== undefined ||
  aspects.get(word) !== undefined ||
  colors.get(word) !== undefined;

/** Matches the start of a statement about people: “We are so happy that …”. Its adjectives do not describe the film. */
const aboutPeople = /^(?:we|you|they|he|she|wir|ihr|sie|er|nous|vous|ils|elles|elle|ellos|ellas|nosotros)\s(?:\S+\s+){4}/iu;
const describing: ReadonlySet<string> = new Set(['mood', 'soft', 'audience', 'place', 'material']);

/**
 * Returns whether a sentence has a word or phrase of an instruction: a request, a medium, a look, a length, a restriction. In a
 * label such as “Team news”, words for audiences and data are part of the title.
 */
export function hasInstruction(sentence: string, isLabel = false): boolean {
  const tokens = tokensOf(sentence);
  const isStatement = isLabel || aboutPeople.test(sentence);
  const cueWords = isStatement ? [] : [themeWords, formatCues];
  const lookWords = isStatement && !isLabel ? [] : [styles, colors];
  // A verb such as “design” or “show” commands only at the start.
  const isInstruction = ({ value, at }: { value: string; at: number }) =>
    (at <= 1 || (value !== 'make' && value !== 'order')) && !(isStatement && describing.has(value));
  return (
    directions.find(tokens).some(isInstruction) ||
    [...cueWords, ...lookWords, aspects, cues, excludes, onlys, negatives].some((lexicon) => lexicon.find(tokens).length > 0) ||
    lengthsOf(sentence) !== null
  );
}

/** Matches commands that only make sense to the maker of a film. “Keep”, “turn” and “write” may be content. */
const command =
  /^(?:(?:please|pls|and|then|und|dann|et|puis|y|luego)\s+)*(?:show(?!\s+(?:up|your|us|off|them))|label|highlight|animate|visuali[sz]e|simulate|illustrate|display|colou?r (?:the|it|them)|zeig(?:e|t|en sie)?|beschrifte|animiere|montre[zr]?|affiche[zr]?|mettez|surligne[zr]?|muestra|mostrar|destaca|resalta)\s/iu;

/** Returns whether a clause starts with a command to draw. */
export const isCommand = (clause: string) => command.test(clause.trim());

/** Returns whether a single word names a style or an aspect ratio. */
export const isLook = (word: string) => styles.get(word) !== undefined || aspects.get(word) !== undefined;

/** Returns whether a clause restricts which data is shown: “only use Day 1”, “skip Internal”. */
export const isRestriction = (tokens: readonly Token[]) =>
  [...onlys.find(tokens), ...excludes.find(tokens)].some(({ at }) => at <= 1) && tokens.length <= 8;

/** Collects the instructions while a request is read. */
export class InstructionCollector {
  readonly #spans: Span[] = [];
  readonly #text: string;
  /** End of the last exclusion, which an enumeration may continue: “skip the chores, docs and merge commits”. */
  #exclusionEnd: number | null = null;
  readonly highlight: string[] = [];
  readonly exclude: string[] = [];
  readonly only: string[] = [];
  /** Instructions that a film made of formats cannot follow. */
  readonly unmet: Span[] = [];
  /** Instructions that restrict, emphasise or exclude content. The names in them are not reported as missing from the film. */
  readonly understood: Span[] = [];

  /** Formats named by a label or by the subject of the request. */
  readonly formats: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get spans(): readonly Span[] {
    return this.#spans;
  }

  add(span: Span): void {
    this.#spans.push(span);
    const tokens = tokensOf(this.#text.slice(span.start, span.end), span.start);
    const isDrawn = drawn.find(tokens).some(({ at }) => negatives.find(tokens.slice(Math.max(0, at - 2), at)).length === 0);
    if (isDrawn) this.unmet.push(span);
    if (isDrawn || [negatives, excludes, onlys, cues].some((lexicon) => lexicon.find(tokens).length > 0))
      this.understood.push(span);
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
    else if (excludes.find(tokens).length > 0 || this.#continuesExclusion(span, tokens)) {
      this.exclude.push(...named());
      this.understood.push(span);
      this.#exclusionEnd = span.end;
    }
    if (cues.find(tokens).length > 0) this.highlight.push(...named());
  }

  #continuesExclusion({ start }: Span, tokens: readonly Token[]): boolean {
    if (this.#exclusionEnd === null || tokens.length > 5 || directions.find(tokens).length > 0) return false;
    return /^\s*(?:[,&]|and|or|und|oder|et|ou|y|o)\s*$/iu.test(this.#text.slice(this.#exclusionEnd, start));
  }

  /** Whether an instruction excludes phone numbers. */
  get hidesPhones(): boolean {
    return this.#spans.some((span) => {
      const part = this.#text.slice(span.start, span.end);
      const tokens = tokensOf(part);
      return (
        [excludes, negatives].some((lexicon) => lexicon.find(tokens).length > 0) &&
        /\b(?:phone|telephone|mobile|telefon(?:nummer)?|handynummer|téléphone|teléfono|móvil)\b/iu.test(part)
      );
    });
  }

  /** Excludes a span from the film without reporting it, such as the header of an email. */
  drop(span: Span): void {
    this.#spans.push(span);
    this.understood.push(span);
  }

  /** Whether the user wants only the main points. */
  get isHighlights(): boolean {
    return this.#spans.some(({ start, end }) =>
      /\b(?:highlights? only|only (?:the )?highlights?|just (?:the )?highlights?|nur (?:die )?highlights)\b/iu.test(
        this.#text.slice(start, end),
      ),
    );
  }

  /** Returns what all instructions together ask for. */
  instructions(): Omit<Instructions, 'words'> & { words: string[] } {
    const parts = this.#spans.map(({ start, end }) => this.#text.slice(start, end));
    const all = parts.join(' \n ');
    const tokens = tokensOf(all);
    const isNegated = (at: number) => negatives.find(tokens.slice(Math.max(0, at - 2), at)).length > 0;
    const firstOf = <Name extends string>(lexicon: Lexicon<Name>): Name | null => {
      for (const part of parts) {
        const own = tokensOf(part);
        const isOff = (at: number) => negatives.find(own.slice(Math.max(0, at - 2), at)).length > 0;
        const found = lexicon.find(own).find(({ at }) => !isOff(at));
        if (found !== undefined) return found.value;
      }
      return null;
    };
    const length = lengthsOf(all);
    const named = themes.find((theme) => tokens.some(({ word }, at) => word === theme && !isNegated(at))) ?? null;
    return {
      aspect: ratioIn(all) ?? firstOf(aspects),
      seconds: length,
      isLimit: parts.some((part) => lengthsOf(part) !== null && limit.test(part)),
      style: firstOf(styles),
      theme: named,
      dark: wantsDark(all),
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

/** Returns whether the text asks for a dark film, or `null` if it asks for neither a dark nor a bright one. */
function wantsDark(text: string): boolean | null {
  if (/\b(?:dark|dunkel\w*|sombre|oscuro|scuro|escuro)\b/iu.test(text)) return true;
  return /\b(?:bright|light background|white background|hell\w*|clair|claro)\b/iu.test(text) ? false : null;
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

/** Returns the length in seconds that the text asks for, or `null` if it asks for none. */
export function lengthsOf(text: string): number | null {
  for (const match of text.matchAll(lengthPattern)) {
    const [, amount, unit, minutes, seconds] = match;
    if (amount !== undefined) return Number(amount.replace(',', '.')) * (/^m/iu.test(unit ?? '') ? 60 : 1);
    return Number(minutes) * 60 + Number(seconds);
  }
  return null;
}

/**
 * Returns a colour's luma, 0 to 1. OKLCH lightness is unsuitable: it rates navy, a common background, as a mid tone, and cyan
 * as white.
 */
function luma(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the colours that the instructions name, by role. */
export function colorsOf(parts: readonly string[]): Colors {
  const roles: { ground?: string; ink?: string; accent?: string; helper?: string } = {};
  const free: string[] = [];
  const exact = new Map<string, string>();
  for (const part of parts) {
    const tokens = tokensOf(part);
    const found = colors
      .find(tokens)
      .filter(({ at }) => !isAvoided(tokens, at))
      .map(({ value, at, count }) => ({
        hex: value as string,
        start: tokens[at]?.start ?? 0,
        end: tokens[at + count - 1]?.end ?? 0,
      }));
    for (const match of part.matchAll(hexPattern)) {
      const hex = sixDigits(match[0]);
      // A hex value after a colour name specifies the exact colour.
      const named = found.findIndex(({ start, end }) => part[start] !== '#' && end <= match.index && match.index - end <= 5);
      const start = named === -1 ? match.index : (found[named]?.start ?? match.index);
      const [name] = named === -1 ? [] : found.splice(named, 1);
      if (name !== undefined) exact.set(name.hex, hex);
      found.push({ hex: hex, start, end: match.index + match[0].length });
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
        // For “purple on black”, the colour becomes the accent of the dark background, and the text stays readable.
        if (luma(hex) < 0.08 || luma(hex) > 0.9) roles.ink ??= hex;
        else roles.accent ??= hex;
      } else free.push(hex);
    }
  }
  for (const [role, hex] of Object.entries(roles) as [keyof typeof roles, string][]) roles[role] = exact.get(hex) ?? hex;
  const named = new Set(free.map((hex) => exact.get(hex) ?? hex));
  for (const [index, hex] of [...named].entries()) {
    // A very light or dark neutral next to another colour becomes the background.
    const isNeutral = luma(hex) > 0.85 || luma(hex) < 0.05;
    // “Teal and white”: white reads well on teal, which then fills the film.
    const partner = [...named].find((other) => other !== hex && luma(other) <= 0.85);
    if (luma(hex) > 0.85 && named.size === 2 && partner !== undefined && lowestContrast(hex, [partner]) >= 4.5)
      return { ...roles, ground: roles.ground ?? partner, ink: roles.ink ?? hex, accent: hex };
    if (isNeutral && named.size > 1 && roles.ground === undefined) roles.ground = hex;
    else if (roles.accent === undefined && (!isNeutral || named.size === 1)) roles.accent = hex;
    else if (roles.helper === undefined && index > 0 && hex !== roles.accent) roles.helper = hex;
  }
  return roles;
}

/** Returns the colours that the instructions exclude: “no pink”. */
export function avoidedColors(text: string): string[] {
  const tokens = tokensOf(text);
  return colors.find(tokens).flatMap(({ value, at }) => (isAvoided(tokens, at) ? [value as string] : []));
}

const alternative = /^(?:or|nor|and|oder|und|noch|ou|ni|et|y|o)$/u;

/** Returns whether a colour is excluded: “no red”, “not baby pink or baby blue”. */
function isAvoided(tokens: readonly Token[], at: number): boolean {
  if (negatives.find(tokens.slice(Math.max(0, at - 2), at)).length > 0) return true;
  if (!alternative.test(tokens[at - 1]?.word ?? '')) return false;
  const before = colors.find(tokens.slice(0, at - 1)).at(-1);
  return before !== undefined && before.at + before.count === at - 1 && isAvoided(tokens, before.at);
}

/** Returns how often the words of the text suggest each theme. */
export function themeScores(text: string): Map<string, number> {
  const scores = new Map<string, number>();
  const tokens = tokensOf(text);
  const isNegated = (at: number) => negatives.find(tokens.slice(Math.max(0, at - 2), at)).length > 0;
  for (const { value, at } of themeWords.find(tokens)) if (!isNegated(at)) scores.set(value, (scores.get(value) ?? 0) + 1);
  return scores;
}

/** Returns the formats that the text names anywhere. */
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
