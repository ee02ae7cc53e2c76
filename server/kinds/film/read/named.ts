import formatWords from '../words/formats.json' with { type: 'json' };
import { isInstructing } from './directions.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';
import type { Piece, Role, Span } from './reading.ts';
import { pieceOf } from './reading.ts';

const cues = lexiconOf(formatWords);

/** Formats whose name does not appear in the film, with the role of the words that follow “for”, “from” or “by”. */
const roles: Readonly<Record<string, Role>> = {
  logo: 'brand',
  features: 'brand',
  notification: 'brand',
  mockup: 'brand',
  'social-post': 'brand',
  quote: 'author',
  'lower-third': 'text',
  chat: null,
  terminal: null,
  code: null,
  number: null,
  'bar-chart': null,
  'line-chart': null,
  pie: null,
  price: null,
  race: null,
  headline: 'source',
  loader: null,
  'before-after': null,
  calendar: null,
  people: null,
  flow: null,
  route: null,
  map: null,
  ambient: null,
  event: null,
};
/** Words that announce an event without being part of it. “Party” and “concert”, by contrast, are content. */
const invites = /^(?:an? )?(?:invit\w+|einladung\w*|announcement|ankündigung|annonce|anuncio|event)$/iu;
/** Matches the audience after a subject: “the space race for history class”. */
const audience =
  /\s+(?:for|für|pour|para|per)\s+(?:\S+\s+){0,3}?(?:class|lesson|course|students|pupils|kids|children|school|team|meeting|newsletter|grade \d+|year \d+|klasse(?: \d+)?|unterricht|schüler|kinder|cours|élèves|classe|clase|alumnos|niños)$/iu;
const links =
  /^(?:for|of|from|by|about|with|to|fur|von|vom|zu|zum|zur|uber|mit|pour|de|du|des|d|sur|par|para|con|del|sobre|a|al|per|di)$/u;
/** Matches the end of the name of a person, a product or an app. */
const subjectEnd =
  /\s+(?:saying|that says|says|where|which|who|with|sagt|mit dem text|qui dit|disant|diciendo|que dice)\b|["“„«]|,\s/iu;
const trailing =
  /^(?:video|clip|card|animation|animated|animada|animado|anime|animee|animiert|animierte|reveal|sting|story|short|reel|spot|bubble|screen|window)$/u;
const articles =
  /^(?:(?:a|an|the|our|my|your|ein|eine|einen|der|die|das|den|unser\w*|mein\w*|une?|notre|mon|ma|mes|nos|una|unos|mi|mis|nuestr[oa]s?)\s+)+/iu;

/** A format that a phrase names, and the subject of the phrase: “logo reveal for NORDLYS”. */
export interface NamedFormat {
  readonly format: string;
  /** Words that name the format, which are an instruction. */
  readonly cue: Span;
  readonly subject: Piece | null;
  /** Words after or instead of the subject that are not shown: “ for history class”, “this thread”. */
  readonly audience: Span | null;
  readonly role: Role;
}

/**
 * Returns the format that the first words of a span name. Returns `null` if they name none, or if the name is part of the
 * content.
 */
export function namedFormat(text: string, span: Span, isLabel: boolean): NamedFormat | null {
  const tokens = tokensOf(text.slice(span.start, span.end), span.start);
  const all = cues.find(tokens.slice(0, 9));
  const found = all[0];
  if (found === undefined || !(found.value in roles)) return null;
  const lead = tokens.slice(0, found.at);
  if (!lead.every((token) => isInstructing(token.word))) return null;
  let next = found.at + found.count;
  for (let grows = true; grows; ) {
    // “Website mock-up” names the same format twice.
    const more = all.find(({ at, value }) => at === next && value === found.value)?.count ?? 0;
    grows = more > 0 || trailing.test(tokens[next]?.word ?? '');
    if (more > 0) next += more;
    else if (grows) next++;
  }
  const words = text.slice(tokens[found.at]?.start, tokens[next - 1]?.end);
  if (found.value === 'event' && !invites.test(words)) return null;
  const after = tokens[next];
  const last = tokens[next - 1];
  const gap = text.slice(last?.end, after?.start ?? span.end);
  // In “a post by @koda”, the cue ends with “by”.
  const isLink = last !== undefined && after !== undefined && links.test(last.word) && /^\s+@?$/u.test(gap);
  const isLinked = isLink || (after !== undefined && links.test(after.word) && /^\s+$/u.test(gap));
  if (!isLinked && after !== undefined && !(isLabel && lead.length === found.at && /^\s+$/u.test(gap))) return null;
  if (!isLinked && !isLabel) return null;
  const from =
    isLinked && !isLink
      ? (tokens[next + 1]?.start ?? span.end)
      : (after?.start ?? span.end) - (isLink && gap.endsWith('@') ? 1 : 0);
  const rest = text.slice(from, span.end);
  const stop = found.value === 'event' ? -1 : rest.search(subjectEnd);
  const whole = pieceOf(text, from, stop === -1 ? span.end : from + stop);
  const article = whole === null ? 0 : (articles.exec(whole.text)?.[0].length ?? 0);
  const named = whole === null ? null : pieceOf(text, whole.start + article, whole.end);
  const heard = named === null || roles[found.value] !== null ? null : audience.exec(named.text);
  const own = named === null || heard === null ? named : pieceOf(text, named.start, named.start + heard.index);
  const subject = own === null || roles[found.value] !== null ? own : titleOf(own);
  return {
    format: found.value,
    cue: { start: tokens[0]?.start ?? span.start, end: subject?.start ?? last?.end ?? span.end },
    subject,
    audience: named === null || subject?.end === named.end ? null : { start: subject?.end ?? named.start, end: named.end },
    role: roles[found.value] ?? null,
  };
}

/** Returns the topic that a label names after its format: “the space race” in “Timeline of the space race for year 9”. */
export function topicOfLabel(text: string, label: Span): Piece | null {
  const tokens = tokensOf(text.slice(label.start, label.end), label.start);
  const [cue] = cues.find(tokens.slice(0, 5));
  const link = tokens[(cue?.at ?? 0) + (cue?.count ?? 0)];
  if (cue === undefined || link === undefined || !topicLinks.test(link.word)) return null;
  if (!tokens.slice(0, cue.at).every(({ word }) => isInstructing(word))) return null;
  const dedication = /\s(?:for|für|pour|para)\s/iu.exec(text.slice(link.end, label.end));
  return pieceOf(text, link.end, dedication === null ? label.end : link.end + dedication.index);
}

const topicLinks = /^(?:of|about|on|uber|zu|zum|zur|sur|sobre)$/u;

/** Returns the subject of data as its title, or `null` if it only points at the data: “this thread”. */
function titleOf(subject: Piece): Piece | null {
  if (/^(?:this|these|that|the following|dies\p{L}*|ce|cette|ces|est[aeo]s?|quest[aeio])(?:\s\S+)?$/iu.test(subject.text))
    return null;
  const text = subject.text.replace(/[.]$/u, '').replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return { ...subject, text };
}

/**
 * Returns the formats that a short label above or before its content names anywhere: “our packing list”, “how to repot a
 * plant”.
 */
export function formatsOfLabel(label: string): string[] {
  const tokens = tokensOf(label);
  if (tokens.length > 9) return [];
  return cues
    .find(tokens)
    .flatMap(({ value }) =>
      ['checklist', 'steps', 'list', 'timeline', 'comparison', 'countdown'].includes(value) ? [value as string] : [],
    );
}
