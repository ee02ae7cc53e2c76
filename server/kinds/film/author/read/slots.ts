import rules from '../words/rules.json' with { type: 'json' };
import slotWords from '../words/slots.json' with { type: 'json' };
import type { Token } from './lexicon.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';
import { chipsIn, formatNames, isStop, lookClause } from './looks.ts';
import type { Piece, Role, Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import { isRemarkSentence } from './remarks.ts';
import { quotesOf } from './sentences.ts';

const slots = lexiconOf(slotWords as Record<Exclude<Role, null>, string>);
const makes = lexiconOf({ make: rules.make });
const tells = lexiconOf({ tell: rules.tell });
const asks = lexiconOf({ ask: rules.ask });
const greetings = lexiconOf({ greeting: rules.greeting });
const topics = lexiconOf({ topic: rules.topic });
const clips = lexiconOf({ clip: rules.clip });
const smalls = lexiconOf({ small: rules.small });
const highlights = lexiconOf({ highlight: rules.highlight });
const mediums = lexiconOf({ medium: rules.medium });
const remarks = lexiconOf({ remark: rules.remark, ask: rules.ask, medium: rules.medium });
const abouts = lexiconOf({ about: rules.about });
const leaveOuts = lexiconOf({ leaveOut: rules.leaveOut });
const nothingElse = lexiconOf({ nothing: rules.nothingElse });

const around =
  /^(?:card|is|are|reads|says|ist|lautet|est|es|sera|será|dit|dice|è|zegt|karte|carte|tarjeta|screen|line|in|as|als|then|on|the|with|and)$/u;

/** Returns the role that the words before a text name with their last words: “subtitle”, “then the button says”. */
export function roleBefore(words: string): Role {
  const own = words.slice(Math.max(words.lastIndexOf(','), words.lastIndexOf(';'), words.lastIndexOf('.')) + 1);
  const tokens = tokensOf(own);
  const found = slots.find(tokens).at(-1);
  if (found === undefined) return null;
  return tokens.slice(found.at + found.count).every((token) => isStop(token) || around.test(token.word)) ? found.value : null;
}

/** Returns the role that a label names: “Title”, “The main title”, “Bottom line”. `null`: the label is something else. */
export function roleOfLabel(label: string): Role {
  const tokens = tokensOf(label);
  const found = slots.find(tokens).at(-1);
  if (found === undefined || found.at + found.count < tokens.length) return null;
  return tokens.slice(0, found.at).every((token) => isStop(token) || makes.get(token.word) !== undefined) ? found.value : null;
}

/** Returns the role and the start of the text if a clause begins with the word for a role: “title Newsletter signups”. */
export function slotStart(text: string, clause: Span): { role: Role; start: number } | null {
  const tokens = tokensOf(text.slice(clause.start, clause.end), clause.start);
  const isVerb = (token: Token) => isStop(token) || tells.get(token.word) !== undefined;
  const skip = tokens.findIndex((token) => !isVerb(token) || slots.get(token.word) !== undefined);
  const found = slots.find(tokens).find(({ at }) => at === Math.max(0, skip));
  const next = found === undefined ? undefined : tokens[found.at + found.count];
  const isEnd = found?.value === 'end' && found.count > 1;
  if (found === undefined || next === undefined || (!isEnd && /^\p{Lu}/u.test(tokens[found.at]?.text ?? ''))) return null;
  if (!/^\s*:?\s*$/u.test(text.slice(tokens[found.at + found.count - 1]?.end, next.start))) return null;
  // “Use a title scene” names a format.
  const rest = tokens.slice(found.at + found.count);
  const names = new Set(
    [...formatNames(rest), ...mediums.find(rest)].flatMap(({ at, count }) =>
      Array.from({ length: count }, (_, index) => at + index),
    ),
  );
  if (rest.every((token, at) => isStop(token) || names.has(at) || token.word === 'chart')) return null;
  return { role: found.value, start: next.start };
}

/** Returns the index of the first token after a greeting. */
function afterGreeting(tokens: readonly Token[]): number {
  let at = 0;
  for (const found of greetings.find(tokens)) if (found.at === at) at += found.count;
  return at >= tokens.length ? 0 : at;
}

const startsWith = (
  lexicon: { find(tokens: readonly Token[]): { at: number; count: number }[] },
  tokens: readonly Token[],
  at: number,
) => lexicon.find(tokens.slice(at, at + 6)).some((found) => found.at === 0);

/** Returns whether a sentence speaks to Koda: it starts with a verb of making, “please”, “can you”, “I need” or thanks. */
export function isAddressed(text: string): boolean {
  if (isRemarkSentence(text)) return true;
  const tokens = tokensOf(text);
  const at = afterGreeting(tokens);
  if ([makes, asks].some((lexicon) => startsWith(lexicon, tokens, at))) return true;
  if (asks.find(tokens.slice(-3)).some(({ at: last, count }) => last + count === Math.min(3, tokens.length)) && tokens.length > 1)
    return true;
  return (startsWith(tells, tokens, at) && isAboutFilm(text, tokens)) || isClipLead(text, tokens, at);
}

/** Returns whether a line is the salutation of a letter: “Dear parents,”. */
export const isSalutation = (text: string) =>
  /^\s*(?:dear|hi|hello|liebe[rs]?|sehr geehrte[rs]?|hallo|chère?s?|bonjour|estimad[oa]s?|querid[oa]s?|hola|car[aio]|gentil[ei]|prezad[oa]s?|car[oa]s|olá|beste|geachte)\s[^,.!?\n]{1,50}[,!]?\s*$/iu.test(
    text,
  );

/** Returns whether a sentence asks for something without naming a film, as the sentences of a letter do: “Please pack a lunch”. */
export function isLetterRequest(text: string): boolean {
  const tokens = tokensOf(text);
  return !isRemarkSentence(text) && makes.find(tokens).length === 0 && mediums.find(tokens).length === 0;
}

/** Returns whether a sentence starts with the kind of film that it asks for: “agenda clip for slack”, “a short video”. */
function isClipLead(text: string, tokens: readonly Token[], from: number): boolean {
  const clip = clips.find(tokens.slice(from, from + 5))[0];
  if (clip === undefined) return false;
  const names = new Set(
    formatNames(tokens.slice(from)).flatMap(({ at, count }) => Array.from({ length: count }, (_, index) => at + index)),
  );
  return tokens
    .slice(from, from + clip.at)
    .every(
      (token, at) => isStop(token) || names.has(at) || smalls.get(token.word) !== undefined || lookClause(text, token).isLook,
    );
}

/** Returns whether a sentence names what a film consists of: a scene, a look, a format, a title. */
function isAboutFilm(text: string, tokens: readonly Token[]): boolean {
  const words = tokens.slice(1);
  return (
    mediums.find(words).length > 0 ||
    formatNames(words).length > 0 ||
    highlights.find(words).length > 0 ||
    tokens.slice(0, 3).some(({ word }) => ['dont', 'don'].includes(word)) ||
    chipsIn(text, { start: 0, end: text.length }).some(({ look }) => look !== 'theme') ||
    /\b(?:background|hintergrund|fond|fondo|sfondo|achtergrond|screen|logo|button|letters|words?|text|bars?|rows?|values?|numbers|one by one|big|large|lines?|paths?|route|arrows?)\b/iu.test(
      text,
    )
  );
}

/** Returns whether the words before a quotation ask to emphasise it. */
export const isHighlight = (text: string) => startsWith(highlights, tokensOf(text), 0);

/** Returns whether a sentence that is shown sounds like a remark to Koda. */
export const isRemark = (text: string) => {
  const tokens = tokensOf(text);
  return remarks.find(tokens).length > 0 || startsWith(tells, tokens, afterGreeting(tokens));
};

/** Returns the words that a clause leaves out, or `null` if it leaves out none. */
export function leftOutIn(text: string): string[] | null {
  const tokens = tokensOf(text);
  const at = afterGreeting(tokens);
  const skip = startsWith(asks, tokens, at) ? 1 : 0;
  const found = leaveOuts.find(tokens.slice(at + skip)).find((one) => one.at === 0);
  if (found === undefined || tokens.length > 14) return null;
  const from = tokens[at + skip + found.count]?.start;
  // “Drop-in sessions” leaves out nothing.
  if (from === undefined || text[tokens[at + skip + found.count - 1]?.end ?? 0] === '-') return null;
  return text
    .slice(from)
    .split(/,\s*|\s+(?:and|or|und|oder|et|ou|y|o|e|en|of)\s+/iu)
    .map((part) =>
      tokensOf(part)
        .filter((token) => !isStop(token))
        .map(({ word }) => word)
        .join(' '),
    )
    .filter((name) => name.length > 1);
}

/** Returns whether a clause says that only quotations are shown. */
export const isNothingElse = (text: string) => {
  const tokens = tokensOf(text);
  const [found] = nothingElse.find(tokens);
  return found !== undefined && tokens.length - found.count <= 3;
};

/** Formats whose name is not shown: they draw a single thing, and their name is no title for it. */
const silent: ReadonlySet<string> = new Set([
  ...(['logo', 'lower-third', 'quote', 'notification', 'terminal', 'code', 'chat', 'number', 'bar-chart', 'line-chart'] as const),
  ...(['pie', 'race', 'headline', 'loader', 'before-after', 'flow', 'route', 'map', 'ambient', 'price', 'social-post'] as const),
  ...(['mockup', 'title', 'countdown', 'end-card', 'event', 'people'] as const),
]);
/** Names of the event format that are not the event themselves. “Party” and “concert” are. */
const invitation = /^(?:invit|einladung|event|uitnodiging|convite|invitation|ankundigung|announcement)/u;

/** A format that the first words of a text name: “Logo reveal for NORDLYS”. */
export interface NamedLead {
  readonly format: string;
  /** Whether the name is not shown. */
  readonly isSilent: boolean;
  /** Position after the name. */
  readonly end: number;
  /** Start of the words that follow “for”, “of” or “about”. `null` if nothing follows the name. */
  readonly rest: number | null;
  /** The word between: “for”. */
  readonly link: string | null;
}

export function namedLead(text: string, span: Span): NamedLead | null {
  const tokens = tokensOf(text.slice(span.start, span.end), span.start);
  const all = formatNames(tokens.slice(0, 10));
  const found = all[0];
  if (found === undefined) return null;
  const isFree = (token: Token) =>
    isStop(token) || mediums.get(token.word) !== undefined || lookClause(text, token).isLook || makes.find([token]).length > 0;
  const makesAt = new Set(
    [...makes.find(tokens), ...asks.find(tokens), ...tells.find(tokens)].flatMap(({ at, count }) =>
      Array.from({ length: count }, (_, i) => at + i),
    ),
  );
  if (!tokens.slice(0, found.at).every((token, at) => isFree(token) || makesAt.has(at))) return null;
  let next = found.at + found.count;
  for (let token = tokens[next]; token !== undefined; token = tokens[++next]) {
    const again = all.find(({ at, value }) => at === next && value === found.value);
    if (
      again === undefined &&
      mediums.get(token.word) === undefined &&
      !/^(?:reveal|sting|card|bubble|window|screen)$/u.test(token.word)
    )
      break;
    next += (again?.count ?? 1) - 1;
  }
  const end = tokens[next - 1]?.end ?? span.end;
  const name = tokens
    .slice(found.at, next)
    .map(({ word }) => word)
    .join(' ');
  const isSilent =
    silent.has(found.value) &&
    (found.value !== 'event' || invitation.test(name)) &&
    (found.value !== 'people' || !/team/u.test(name));
  const base = { format: found.value as string, isSilent, end };
  const after = tokens[next];
  if (after === undefined) return { ...base, rest: null, link: null };
  const link = abouts.find(tokens.slice(next, next + 4)).find(({ at }) => at === 0);
  const isFrom = /^(?:from|by|with|von|vom|mit|de|par|da|van|met|con)$/u.test(after.word);
  if (/^\s*[,;–—]/u.test(text.slice(end, after.start))) return { ...base, rest: null, link: null };
  const gap = text.slice(end, after.start);
  const isNear = /^\s+@?$/u.test(gap);
  // “A post by @koda”: the name of the format ends with “by”.
  if (isNear && gap.endsWith('@')) return { ...base, rest: after.start - 1, link: null };
  if (!isNear || (link === undefined && !isFrom)) return null;
  const first = tokens[next + (link?.count ?? 1)];
  return { ...base, rest: first === undefined ? null : first.start, link: after.word };
}

/** Returns the position after “about” or “for” in a sentence that speaks to Koda: where its subject starts. */
export function subjectStart(text: string, span: Span): number | null {
  const tokens = tokensOf(text.slice(span.start, span.end), span.start);
  const noun = [...mediums.find(tokens), ...formatNames(tokens)].sort((one, other) => one.at - other.at)[0];
  if (noun === undefined) return null;
  const link = abouts.find(tokens).find(({ at }) => at >= noun.at + noun.count);
  const next = link === undefined ? undefined : tokens[link.at + link.count];
  return next?.start ?? null;
}

/** Returns what a request is about: “the water cycle” in “a video about the water cycle for my pupils”. */
export function topicIn(text: string, span: Span): Piece | null {
  const tokens = tokensOf(text.slice(span.start, span.end), span.start);
  const noun = mediums.find(tokens)[0];
  const link = topics.find(tokens).find(({ at }) => noun !== undefined && at >= noun.at + noun.count && at - noun.at <= 4);
  const first = link === undefined ? undefined : tokens[link.at + link.count];
  if (first === undefined) return null;
  const rest = text.slice(first.start, span.end);
  const stop = /\s(?:for|für|pour|para|per|voor)\s|[,;.!?:]|\s[–—-]\s/iu.exec(rest);
  const piece = pieceOf(text, first.start, first.start + (stop?.index ?? rest.length));
  return piece === null || piece.text.length > 60 ? null : piece;
}

/** Returns whether the words before a quotation in a line say something about it, so that the line is no row of data. */
export function isDirected(line: string): boolean {
  const [first] = quotesOf(line, 0, line.length);
  if (first === undefined) return false;
  const before = line.slice(0, first.start).replace(/^\s*(?:[-*•]|\(?\d{1,2}[.):])\s*/u, '');
  if (tokensOf(before).length === 0) return false;
  return roleBefore(before) !== null || isAddressed(before) || chipsIn(before, { start: 0, end: before.length }).length > 0;
}
