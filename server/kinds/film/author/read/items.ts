import { pairIn } from './changes.ts';
import type { Item, Piece } from './reading.ts';
import { findAmounts, isPeriod, leadOf } from './values.ts';

/** Matches a reference to an issue or a commit at the end of a changelog entry. */
const reference = /\s*\((?:#\d+|[0-9a-f]{7,})(?:,[^)]*)?\)\s*$/u;
const parenthesis = /\s*\(([^()]{1,80})\)\s*$/u;
/** Matches a label and the text after a colon, dots, a dash, a gap or an equals sign. */
const labelled = /^(.{1,60}?)(?:\s*(\.{2,}|…{2,})\s*|(:)\s+|\s+([-–—])\s+|(\s{2,}|\t)|\s*(=)\s*)(\S.*)$/u;

/** Matches the type of a change before its description: “fix(ui): …”. */
const changeType = /^(feat|fix|perf|refactor|docs|chore|test|build|ci|style|revert)(?:\([^)]*\))?!?:\s+/iu;
/** Matches a final word that needs a continuation. A number after it is part of the sentence. */
const open =
  /(?:\b(?:is|are|was|now|to|of|at|by|from|for|than|about|with|under|over|asking|ab|bis|auf|um|von|mit|für|de|à|du|des|en|por|para|con|desde|hasta|a|da|di))$/iu;

/** Matches three columns separated by gaps: “Tue  Leek soup  6,80”. */
const columns = /^(\S.{0,19}?)(?:\s{2,}|\t)(\S.*?)(?:\s{2,}|\t)(\S.{0,15})$/u;

/**
 * Returns the items of a series such as “Jan 1200, Feb 1800”, or `null` if the texts are not a series. “May 2021” alone is a
 * date.
 */
export function seriesOf(pieces: readonly Piece[], language: string): Item[] | null {
  const pairs = pieces.map(({ text }) => /^(.*?\p{L}.*?)[\s:=]+([-−+]?\d[\d.,]*\s?\S{0,5})$/u.exec(text));
  if (pieces.length < 3 || !pairs.every((pair) => pair !== null && isPeriod(pair[1] ?? ''))) return null;
  if (pairs.every((pair) => /^(?:19|20)\d\d$/u.test(pair?.[2] ?? ''))) return null;
  return pieces.map((piece, index) => {
    const [, label = '', value = ''] = pairs[index] ?? [];
    const amount = findAmounts(value, language)[0] ?? null;
    return { ...piece, label, lead: null, value, amount, detail: null, done: null };
  });
}

export function makeItem(piece: Piece, language: string, done: boolean | null = null): Item | null {
  let rest = piece.text
    .replace(reference, '')
    .replace(/[;,]\s*$/u, '')
    .trim();
  if (!/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(rest)) return null;
  const text = rest;
  const opening = leadOf(rest);
  // “Saturday 6 September, from 5 pm” is one date.
  const isOneDate =
    opening !== null &&
    /^,?\s*(?:from|at|ab|um|à|dès|a las|desde las?)?\s*\d{1,2}[\s:.\dh]*(?:[ap]m|uhr|h)?$/iu.test(rest.slice(opening.length));
  const lead = isOneDate ? null : opening;
  if (lead !== null && lead.length < rest.length) rest = rest.slice(lead.length).replace(/^\s*[,:–—|-]?\s*/u, '');
  let detail: string | null = null;
  const remark = parenthesis.exec(rest);
  if (remark !== null && remark.index > 0) {
    detail = remark[1] ?? null;
    rest = rest.slice(0, remark.index);
  }
  const row = lead === null && detail === null ? columns.exec(rest) : null;
  const [price] = row === null ? [] : findAmounts(row[3] ?? '', language);
  if (row !== null && price !== undefined)
    return { ...piece, text, label: row[2] ?? '', lead: row[1] ?? '', value: row[3] ?? '', amount: price, detail, done };
  let value: string | null = null;
  const change = changeType.exec(rest);
  if (change !== null) {
    value = change[1] ?? null;
    rest = rest.slice(change[0].length);
  }
  const values = value === null ? pairIn(rest, findAmounts(rest, language)) : null;
  if (values !== null) {
    const name = rest.slice(0, values.first.start).replace(/[\s:=–—-]+$/u, '');
    const tail = rest.slice(values.second.end).trim();
    // A single word after the second value is its unit: “3 days → 1 day”.
    const unit = /^\p{L}{1,8}\.?$/u.test(tail) ? rest.length : values.second.end;
    const after = rest.slice(unit).trim();
    const own = lead !== null && lead.length < text.length ? lead : null;
    // Text such as “from 12 to 4” stays whole, because one of the numbers alone would be misleading.
    if (values.link !== 'arrow' || name === '')
      return { ...piece, text, label: rest.trim(), lead: own, value, amount: null, detail, done };
    return {
      ...piece,
      text,
      label: name,
      lead: own,
      value: rest.slice(values.first.start, unit),
      amount: null,
      detail: detail ?? (after || null),
      done,
    };
  }
  const pair = value === null ? labelled.exec(rest) : null;
  if (pair !== null && (lead === null || pair[2] !== undefined || pair[5] !== undefined)) {
    const after = (pair[7] ?? '').trim();
    const amounts = findAmounts(after, language);
    const isAmount = amounts.length > 0 && after.length <= 16;
    const isLoose = pair[4] !== undefined;
    if (isAmount || (!isLoose && after.length <= 16)) {
      value = after;
      rest = pair[1] ?? '';
    } else if (!isLoose && detail === null) {
      detail = after;
      rest = pair[1] ?? '';
    }
  }
  let amount = value === null || change !== null ? null : (findAmounts(value, language)[0] ?? null);
  if (value === null && lead === null) {
    const last = findAmounts(rest, language).at(-1);
    const before = last === undefined ? '' : rest.slice(0, last.start).trim();
    if (last !== undefined && last.end >= rest.trimEnd().length && /\p{L}{2}/u.test(before)) {
      amount = last;
      // In “Lattes from 3.90”, “from” is part of the price.
      const least = last.decimals === 2 ? /^(.*\p{L}.*)\s+((?:from|ab|dès|desde|da)\s)$/iu.exec(`${before} `) : null;
      if (least !== null) {
        value = `${least[2] ?? ''}${last.text}`;
        rest = least[1] ?? before;
      } else if (!open.test(before) && before.split(/\s+/u).length <= 5) {
        value = last.text;
        rest = before.replace(/[\s:,;–—-]+$|\s+it['’]?s$/giu, '');
      }
    }
  }
  const label = rest.trim() || text;
  return { ...piece, text, label, lead: lead !== null && lead.length < text.length ? lead : null, value, amount, detail, done };
}
