import type { Piece, Span, When } from './reading.ts';
import { pieceOf } from './reading.ts';
import { clausesOf } from './sentences.ts';
import { findWhens } from './values.ts';

/** Parts of a sentence that announces an event. */
export interface EventParts {
  readonly title: Piece;
  readonly date: When;
  readonly time: string | null;
  readonly places: readonly Piece[];
  /** All other information in the sentence, in order. */
  readonly extras: readonly Piece[];
}

/** Words before a date that ends an offer. Such a date is not an event. */
const until = /(?:\buntil|\btill|\bbis|\baté|\bjusqu['’]au|\bhasta)\s+(?:zum\s+|the\s+|el\s+)?$/iu;
const regular = /(?:\bevery|\beach|\bjeden?|\bimmer|\bchaque|\btous les|\bcada|\btodos los)\s+$/iu;
/** Prepositions and similar words before a date or a time, which are not shown with it. */
const beforeWhen =
  /(?:[\s,]+|^)(?:(?:on|at|from|this|next|um|am|ab|vom|von|diesen|nächsten|le|la|du|de|dès|ce|el|del|desde|este|a las|a la|à|al)\s+)+$/iu;
const timeLabel = /(?:\b(?:doors?(?: open)?|starts?|starting|beginn|einlass|start|ab|ouverture|apertura)\s*(?:at|um|à|:)?\s*)$/iu;
const timeZone = /^\s*(?:CET|CEST|GMT|UTC|BST|EST|EDT|PST|PDT|ET|PT|MEZ|MESZ|sharp|o'clock)\b/u;
const placeLead =
  /(?:^|\s)(?:at the|at|in the|in|im|@|beim|bei|auf dem|auf der|in der|auf|à la|à l['’]|au|aux|chez|dans le|dans la|dans|en el|en la|en|nel|alla|al)\s+(?=[\p{L}\d])/iu;
/** Matches a word for a building, a room or a street. */
const placePattern =
  /\b(?:street|st\.|road|rd\.|avenue|ave|lane|square|hall|room|building|park|garden|theatre|theater|museum|church|school|library|hotel|villa|castle|café|bar|club|arena|stadium|studio|centre|center|house|barn|farm|campus|beach|atrium|kirche|schule|halle|saal|raum|haus|garten|platz|rathaus|schloss|hof|kita|rue|place|salle|jardin|église|mairie|château|gymnase|calle|plaza|sala|aula|jardín|iglesia|via|piazza|agriturismo|ristorante|rua|praça)\b|(?:straße|strasse|weg|allee|platz|halle|haus|saal|hof|garten)\b/iu;
const address = /\p{Lu}\p{L}+\s+\d{1,3}[a-z]?(?=\s*(?:$|[,.]))|^\d{1,4}[a-z]?\s+\p{Lu}/u;
export const isPlace = (text: string) => (placePattern.test(text) || address.test(text)) && !/[%€$£]/u.test(text);
const opening =
  /^(?:join us (?:for|at)|come to|please|we are|we're|wir laden(?: sie| euch| dich)? (?:herzlich )?(?:ein )?(?:zu[mr]?)?|nous vous invitons à|os invitamos a)\s+/iu;

/** Matches words at the end of a title that make it incomplete. */
const openEnd =
  /(?:^|\s)(?:between|and|or|is|are|was|takes|will|be|by|of|for|to|with|ist|sind|findet|für|von|zwischen|est|sont|entre|es|son|será|ser)$/iu;

/** Returns whether a part directly follows or precedes a date, without a separator: “born” before “11 November”. */
const isTornAt = (text: string, { start, end }: Span, from: number, to: number) =>
  (from > 0 && !/[,;.:!?–—\n(-]/u.test(text.slice(from - 1, start + 1)) && start - from <= 2) ||
  (to < text.length && !/[,;.:!?–—\n(-]/u.test(text.slice(end, to + 2)) && to - end <= 2 && /\p{L}|\d/u.test(text[to + 1] ?? ''));

interface Cut extends Span {
  readonly when: When;
  readonly text: string;
}

/** Returns the dates and times with the words that introduce them, or `null` if one is recurring or ends an offer. */
function cutsOf(text: string, span: Span): Cut[] | null {
  const source = text.slice(span.start, span.end);
  const cuts: Cut[] = [];
  for (const when of findWhens(source)) {
    const before = source.slice(0, when.start);
    if (regular.test(before) || (when.time === null && until.test(before))) return null;
    const label = when.time === null ? null : timeLabel.exec(before);
    const lead = label === null ? beforeWhen.exec(before) : null;
    const zone = when.time === null ? null : timeZone.exec(source.slice(when.end));
    const end = when.end + (zone?.[0].length ?? 0);
    cuts.push({
      when,
      start: span.start + (label?.index ?? lead?.index ?? when.start),
      end: span.start + end,
      text: source.slice(label?.index ?? when.start, end).trim(),
    });
  }
  return cuts;
}

/**
 * Splits a sentence that announces an event. Returns `null` unless it has exactly one date, a title, and a time or place. If
 * `isNamed`, the request calls it an event, and a date is enough. `before` is the title if an earlier sentence contains it.
 */
export function eventIn(text: string, span: Span, isNamed: boolean, before: Piece | null): EventParts | null {
  const cuts = cutsOf(text, span);
  if (cuts === null) return null;
  const dates = cuts.filter(({ when }) => when.time === null);
  const times = cuts.filter(({ when }) => when.time !== null);
  const date = dates[0]?.when;
  if (date === undefined || dates.length > 1 || times.length > 2 || (date.day === null && date.weekday === null)) return null;
  const rests: { piece: Piece; isFollowing: boolean; isTorn: boolean }[] = [];
  let from = span.start;
  for (const { start, end } of [...cuts, { start: span.end, end: span.end }]) {
    if (start > from)
      for (const [index, piece] of clausesOf(text, { start: from, end: start }).entries())
        rests.push({ piece, isFollowing: from > span.start && index === 0, isTorn: isTornAt(text, piece, from, start) });
    from = Math.max(from, end);
  }
  let title = before;
  const places: Piece[] = [];
  const extras: Piece[] = [];
  for (const { piece, isFollowing, isTorn } of rests) {
    if (!/[\p{L}\p{N}]/u.test(piece.text)) continue;
    const lead = placeLead.exec(text.slice(piece.start, piece.end));
    const at = lead === null ? -1 : lead.index + lead[0].length;
    const target = lead === null ? null : pieceOf(text, piece.start + at, piece.end);
    const head = lead === null ? piece : pieceOf(text, piece.start, piece.start + lead.index);
    // Once the place is known, “then cake in the garden” is shown as a whole instead of being split into text and place.
    const isSaid = lead !== null && head !== null && places.length > 0 && /\p{L}{3}/u.test(head.text);
    const isTown =
      places.length > 0 &&
      extras.length === 0 &&
      /^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(?: [A-Z]{1,2}\d[\dA-Z]? \d[A-Z]{2})?[.!]?$/u.test(piece.text);
    const isLedPlace =
      target !== null &&
      !isSaid &&
      target.text.length <= 44 &&
      (head === null && (before === null || times.length > 0)
        ? isFollowing || title !== null
        : /^(?:the )?[\p{Lu}\d]/u.test(target.text) || isPlace(target.text)) &&
      !/[%€$£]/u.test(target.text);
    if (isLedPlace && places.length < 3) {
      places.push(target);
      if (head !== null && title === null) title = head;
      // Text before a second place belongs to the same sentence as the place, so the sentence cannot be split.
      else if (head !== null) return null;
    } else if (title === null) title = piece;
    else if (!isSaid && (isPlace(piece.text) || isTown) && piece.text.length <= 44 && places.length < 3) places.push(piece);
    else if (isTorn) return null;
    else extras.push(piece);
  }
  if (extras.map((extra) => extra.text).join(' · ').length > 36) return null;
  if (title === null || !/\p{L}{3}/u.test(title.text)) return null;
  if (before === null) title = pieceOf(text, title.start + (opening.exec(title.text)?.[0].length ?? 0), title.end) ?? title;
  const words = title.text.match(/\p{L}{3,}/gu) ?? [];
  if (words.length < 2 && (words[0]?.length ?? 0) < 5) return null;
  if (openEnd.test(title.text)) return null;
  if (title.text.length > 70 || (times.length === 0 && places.length === 0 && !isNamed)) return null;
  const time = times.length === 0 ? null : times.map((each) => each.text).join(', ');
  if (time !== null && time.length > 24) return null;
  return { title, date, time, places, extras };
}
