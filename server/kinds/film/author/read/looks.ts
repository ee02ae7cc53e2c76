import { lowestContrast, sixDigits } from '../colors.ts';
import colorWords from '../words/colors.json' with { type: 'json' };
import formatWords from '../words/formats.json' with { type: 'json' };
import looks from '../words/looks.json' with { type: 'json' };
import remarks from '../words/remarks.json' with { type: 'json' };
import rules from '../words/rules.json' with { type: 'json' };
import type { Lexicon, Token } from './lexicon.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';
import type { Colors, Instructions, Mark, Span } from './reading.ts';
import { themes } from './reading.ts';

const styles = lexiconOf(looks.styles);
const aspects = lexiconOf(looks.aspects);
const themeWords = lexiconOf(looks.themes);
const colors = lexiconOf(colorWords);
/** German and Dutch write the shade and the colour as one word: “knallrot”, “felgeel”. */
const shades = 'hell|dunkel|knall|leucht|grell|zart|pastell|tief|mittel|fel|licht|donker|knal|hel|zacht|diep'.split('|');
for (const [hex, names] of Object.entries(colorWords))
  for (const name of names.split('|'))
    if (/^\p{Ll}{3,7}$/u.test(name)) colors.add(shades.map((shade) => shade + name).join('|'), hex as keyof typeof colorWords);
const formatCues = lexiconOf(formatWords);
const highlights = lexiconOf({ highlight: rules.highlight });
const negatives = lexiconOf({ negative: rules.negative });
const stops = lexiconOf({ stop: rules.stop });
const lookWords = lexiconOf({ look: rules.look, medium: rules.medium });
const requests = lexiconOf({ ask: rules.ask, thanks: rules.thanks });
const makers = lexiconOf({ ask: rules.ask, thanks: rules.thanks, clip: rules.clip, small: rules.small });
const moves = lexiconOf({ move: remarks.move });
const besides = lexiconOf({ beside: remarks.beside, placed: remarks.placed, should: remarks.should });
const purposes = lexiconOf({ purpose: remarks.purpose });

const lengthPattern =
  /(?<![\p{L}\p{N}:.,]|(?:years?|grade|class|klasse)\s)(\d{1,3}(?:[.,]\d)?)[\s-]?(s|secs?|seconds?|sek\.?|sekunden?|segundos?|secondes?|secondi|seconden|mins?|minutes?|minuten?|minutos?|minuti)(?![\p{L}\p{N}])|(?<![\d:])0?([01]):([0-5]\d)(?![\d:]|\s*[ap]\.?m)/giu;
const aspectPattern = /(?<![\d:.])(16|9|4|1)\s?[:x×/]\s?(9|16|5|1)(?![\d:])/giu;
const hexPattern = /#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z])/giu;
const limit =
  /\b(?:max(?:imum|imal)?|at most|no more than|not more than|under|less than|shorter than|höchstens|au plus|máximo|massimo|hoogstens|up to|or less)\b/iu;

export const isStop = ({ word }: Token) => stops.get(word) !== undefined;

/** Returns the hex value of the colour that a word names, or `null` if it names none. */
export const colorOf = (word: string): string | null => colors.get(word) ?? null;

/** A word or phrase that sets a look. */
type Chip = Span & NonNullable<Mark['sets']>;

/** Finds the words of a span that set a look, in order and without overlaps. */
export function chipsIn(text: string, { start, end }: Span): Chip[] {
  const source = text.slice(start, end);
  const tokens = tokensOf(source, start);
  const found: Chip[] = [];
  const add = (look: Chip['look'], value: string, from: number, to: number) => {
    if (!found.some((chip) => chip.start < to && chip.end > from)) found.push({ look, value, start: from, end: to });
  };
  for (const { 0: all, 1: wide, 2: high, index } of source.matchAll(aspectPattern)) {
    const ratio = ratios.find((one) => one === `${wide}:${high}`);
    if (ratio !== undefined) add('aspect', ratio, start + index, start + index + all.length);
  }
  for (const match of source.matchAll(lengthPattern))
    add('length', `${secondsOf(match)} s`, start + match.index, start + match.index + match[0].length);
  for (const { 0: hex, index } of source.matchAll(hexPattern))
    add('accent', sixDigits(hex), start + index, start + index + hex.length);
  const isOff = (at: number) => isNegated(tokens, at);
  for (const [lexicon, look] of [
    [aspects, 'aspect'],
    [colors, 'accent'],
    [styles, 'style'],
    [formatCues, 'format'],
  ] as const)
    for (const { value, at, count } of (lexicon as Lexicon<string>).find(tokens))
      if (!isOff(at)) add(look, value, tokens[at]?.start ?? start, tokens[at + count - 1]?.end ?? end);
  for (const [at, { word, start: from, end: to }] of tokens.entries())
    if ((themes as readonly string[]).includes(word) && !isOff(at)) add('theme', word, from, to);
  return found.sort((one, other) => one.start - other.start);
}

const strongLook =
  /^(?:background|hintergrund|fond|fondo|sfondo|fundo|achtergrund|achtergrond|text|texte|texto|testo|tekst|letters?|lettering|lettres|letras|lettere|buchstaben|schrift|theme|thema|tema|style|stil|stile|estilo|stijl|colou?rs?|farben?|couleurs?|colores|colori|cores|kleuren|accents?|font|schriftart|police|sorted|sortiert|trié|triés|ordenad[oa]s?)$/u;

/** The last word of a style: “paper cut look”. In Romance languages it is the first. */
const lookNoun = /^(?:look|style|vibes?|aesthetic|effect|optik|stil|stijl|ästhetik|asthetik|effekt)$/u;
const mannerNoun = /^(?:style|estilo|stile|stil|stijl|effet|efecto|efeito|effetto|ambiance)$/u;

/**
 * Returns whether a clause consists of looks: a colour, a style, a length, a frame, with the words that belong to them. `isSure`:
 * the clause also says so itself, as “navy background” and “6 seconds” do, and “blue” alone does not.
 */
export function lookClause(text: string, span: Span): { isLook: boolean; isSure: boolean; isStyle: boolean } {
  const chips = chipsIn(text, span).filter(({ look }) => look !== 'format');
  const tokens = tokensOf(text.slice(span.start, span.end), span.start);
  const known = new Set(
    [lookWords, styles, negatives, makers, moves, besides].flatMap((lexicon) =>
      (lexicon as Lexicon<string>)
        .find(tokens)
        .flatMap(({ at, count }) => Array.from({ length: count }, (_, index) => at + index)),
    ),
  );
  const isIn = ({ start, end }: Token) => chips.some((chip) => chip.start <= start && chip.end >= end);
  const isNamed = tokens.some(({ word }) => strongLook.test(word)) || moves.find(tokens).length > 0;
  // “Paper map look”: a format's name beside the word for a look.
  const names = isNamed ? formatCues.find(tokens) : [];
  for (const { at, count } of names) for (let index = at; index < at + count; index++) known.add(index);
  // “Neon sign look” and “style bande dessinée” name a style in words of their own.
  const isManner =
    tokens.length > 1 &&
    tokens.length <= 5 &&
    (lookNoun.test(tokens.at(-1)?.word ?? '') || mannerNoun.test(tokens[0]?.word ?? '')) &&
    !/\d{3}|[:€$£%@]/u.test(text.slice(span.start, span.end)) &&
    !tokens.some(({ word }) =>
      /^(?:new|neu\w*|nouve\w+|nuev[oa]|nuov[oa]|nov[oa]|nieuwe?|our|unser\w*|notre|nuestr[oa]|nostr[oa]|noss[oa]|ons|onze|the)$/u.test(
        word,
      ),
    );
  if (isManner) return { isLook: true, isSure: true, isStyle: true };
  const isLook = tokens.length > 0 && tokens.every((token, at) => isIn(token) || known.has(at) || isStop(token));
  if (!isLook) {
    // “Dark editor look for my class” says what the look is for.
    const at = tokens.findIndex((token, index) => index > 0 && purposes.get(token.word) !== undefined);
    const [tail, last] = [tokens[at], tokens.at(-1)];
    const head = tail === undefined ? null : lookClause(text, { start: span.start, end: tail.start });
    const isPlain = tail !== undefined && last !== undefined && !/[\d€$£%@]/u.test(text.slice(tail.start, last.end));
    if (head?.isSure === true && isPlain && tokens.length - at <= 8) return head;
  }
  const isAsked = requests.find(tokens).length > 0;
  const hasLook = chips.length > 0 || isNamed || isAsked;
  const isPair = chips.length > 1 && /\s(?:on|auf|sur|sobre|su|op|em)\s/iu.test(text.slice(span.start, span.end));
  const isStyle = chips.some(({ look }) => look === 'style' || look === 'theme') && chips.every(({ look }) => look !== 'accent');
  const isSure =
    isNamed || isPair || chips.some(({ look, start }) => look === 'aspect' || look === 'length' || text[start] === '#');
  return { isLook: isLook && hasLook, isSure: isLook && hasLook && isSure, isStyle: isLook && isStyle };
}

const isNegated = (tokens: readonly Token[], at: number) => negatives.find(tokens.slice(Math.max(0, at - 2), at)).length > 0;

/** Returns what the instructions together ask for. `hexes`: colours that stand in texts which are shown. */
export function instructionsOf(text: string, spans: readonly Span[], hexes: readonly string[]): Instructions {
  const parts = spans.map(({ start, end }) => text.slice(start, end));
  const all = parts.join(' \n ');
  const tokens = tokensOf(all);
  const chips = spans.flatMap((span) => chipsIn(text, span));
  const first = (look: Chip['look']) => chips.find((chip) => chip.look === look)?.value ?? null;
  return {
    aspect: first('aspect') as Instructions['aspect'],
    seconds: lengthsOf(all),
    isLimit: parts.some((part) => lengthsOf(part) !== null && limit.test(part)),
    style: first('style') as Instructions['style'],
    theme: first('theme') as Instructions['theme'],
    dark: wantsDark(all),
    colors: colorsOf([...parts, ...hexes]),
    avoided: avoidedColors(all),
    formats: [...new Set(chips.flatMap(({ look, value }) => (look === 'format' ? [value] : [])))],
    sorted: /\b(?:sort(?:ed|iert)?|high to low|low to high|descending|ascending|trié\w*|ordenad\w+|absteigend)\b/iu.test(all),
    highlight: parts.flatMap((part) => {
      const own = tokensOf(part);
      if (highlights.find(own).length === 0) return [];
      return own.filter((token) => !isStop(token) && highlights.get(token.word) === undefined).map(({ word }) => word);
    }),
    stars: starsOf(text),
    words: tokens.map(({ word }) => word),
  };
}

const darkPattern =
  /(?<!\p{L})(?:dark|dunk(?:el|l(?:e[rnms]?))\p{L}*|sombres?|oscur[oa]s?|scur[oa]|escur[oa]s?|donkere?)(?!\p{L})/iu;
const brightPattern =
  /(?<!\p{L})(?:bright|light background|white background|hell(?:e[rnms]?)?|claire?s?|claro|chiar[oa]|lichte)(?!\p{L})/iu;

/** Returns whether the text asks for a dark film, or `null` if it asks for neither a dark nor a bright one. */
function wantsDark(text: string): boolean | null {
  if (darkPattern.test(text)) return true;
  return brightPattern.test(text) ? false : null;
}

/** Returns the looks that an instruction sets: those of `chipsIn`, and whether the film is dark or bright. */
export function looksIn(text: string, span: Span): Chip[] {
  const chips = chipsIn(text, span);
  const source = text.slice(span.start, span.end);
  const value = wantsDark(source) === true ? 'dark' : 'bright';
  const found = (value === 'dark' ? darkPattern : brightPattern).exec(source);
  if (found === null) return chips;
  const start = span.start + found.index;
  const end = start + found[0].length;
  if (chips.some((chip) => chip.start < end && chip.end > start)) return chips;
  return [...chips, { look: 'theme' as const, value, start, end }].sort((one, other) => one.start - other.start);
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
  const [found] = text.matchAll(lengthPattern);
  return found === undefined ? null : secondsOf(found);
}

function secondsOf([, amount, unit, minutes, seconds]: RegExpMatchArray): number {
  if (amount === undefined) return Number(minutes) * 60 + Number(seconds);
  return Number(amount.replace(',', '.')) * (/^m/iu.test(unit ?? '') ? 60 : 1);
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
        /^\W*(?:back)?ground|^\W*(?:er |en )?hintergrund|^\W*(?:fond|fondo|sfondo|fundo|achtergrond)\b/iu.test(after) ||
        /(?:background|hintergrund|fond|fondo|sfondo|fundo|achtergrond|\bon|auf|sur|sobre|su|op)[\s:]*(?:in|of|is|the|an?|off)?[\s:]*$/iu.test(
          before,
        )
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
  if (isNegated(tokens, at)) return true;
  if (!alternative.test(tokens[at - 1]?.word ?? '')) return false;
  const before = colors.find(tokens.slice(0, at - 1)).at(-1);
  return before !== undefined && before.at + before.count === at - 1 && isAvoided(tokens, before.at);
}

/** Returns how often the words of the text suggest each theme. */
export function themeScores(text: string): Map<string, number> {
  const scores = new Map<string, number>();
  const tokens = tokensOf(text);
  for (const { value, at } of themeWords.find(tokens))
    if (!isNegated(tokens, at)) scores.set(value, (scores.get(value) ?? 0) + 1);
  return scores;
}

/** Returns the formats that the text names anywhere. */
export function formatsIn(text: string): string[] {
  return [...new Set(formatCues.find(tokensOf(text)).map(({ value }) => value as string))];
}

/** Finds the names of formats. */
export const formatNames = (tokens: readonly Token[]) => formatCues.find(tokens);

const ratios = ['16:9', '9:16', '1:1', '4:5'] as const;

export const styleIn = (text: string) => styles.find(tokensOf(text))[0]?.value ?? null;
export const aspectIn = (text: string) =>
  (chipsIn(text, { start: 0, end: text.length }).find(({ look }) => look === 'aspect')?.value ?? null) as Instructions['aspect'];
