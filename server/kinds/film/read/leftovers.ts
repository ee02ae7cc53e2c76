import { formatsIn, isInstructing } from './directions.ts';
import { languageOf } from './language.ts';
import { tokensOf } from './lexicon.ts';
import type { Reading, Span } from './reading.ts';
import { fold } from './reading.ts';

/**
 * Returns the names and amounts in an instruction, such as “Mare Street” or “£20”. They are reported if no scene shows them,
 * because the words may be content that was mistaken for an instruction. Lengths, looks and capitalised words at the start of a
 * sentence are not names.
 */
function factsIn(reading: Reading, { start, end }: Span): Span[] {
  const { text } = reading;
  const facts: Span[] = [];
  // German capitalises every noun.
  const isGerman = languageOf(text) === 'de';
  for (const token of tokensOf(text.slice(start, end), start)) {
    const before = text.slice(Math.max(0, token.start - 2), token.start);
    const isName = /^\p{Lu}\p{L}{2,}/u.test(token.text) && /[\p{L}\p{N},]\s$/u.test(before) && !isGerman;
    const isAmount =
      /\d/u.test(token.text) &&
      (/[$€£]$/u.test(before) || /^\s?(?:[$€£%]|euros?\b|pounds?\b)/iu.test(text.slice(token.end, token.end + 7)));
    const last = facts.at(-1);
    if ((!isName && !isAmount) || isInstructing(token.word) || formatsIn(token.word).length > 0) continue;
    if (last !== undefined && /^\s$/u.test(text.slice(last.end, token.start)))
      facts[facts.length - 1] = { start: last.start, end: token.end };
    else facts.push(token);
  }
  return facts;
}

/** Returns the instructions of a request as written, without one-word labels such as “Title”. */
export function instructionTexts({ text, directions }: Pick<Reading, 'text' | 'directions'>): string[] {
  const spans: Span[] = [];
  for (const span of directions.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const last = spans.at(-1);
    // Sentences stay separate, so that the user can show one of them.
    const isSameSentence =
      last !== undefined &&
      !/[\p{L}\p{N}\n]/u.test(text.slice(last.end, span.start)) &&
      !/[.!?…。]\s*$/u.test(text.slice(last.start, span.start));
    if (isSameSentence) spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else spans.push(span);
  }
  return spans.flatMap(({ start, end }) => {
    const instruction = text.slice(start, end).replace(/\s+/gu, ' ').trim();
    return tokensOf(instruction).length > 1 ? [instruction] : [];
  });
}

/** Words that structure or label content and are not shown themselves. */
const structure = new Set(
  fold(
    'subject betreff objet asunto title titel unit service output prints introducing first second third then finally answers asks says fragt sagt antwortet until bis end ore zuerst dann danach ensuite enfin luego',
  ).split(' '),
);
/** Returns whether a token is an item number, an issue or commit id, the time of a message, or a JSON key. */
const isMark = (text: string, start: number, end: number, hasChat: boolean) =>
  text[start - 1] === '#' ||
  (/^[0-9a-f]*\d[0-9a-f]*$/u.test(text.slice(start, end)) && end - start >= 7) ||
  /^"\s*:/u.test(text.slice(end, end + 4)) ||
  (/^\d{1,2}$/u.test(text.slice(start, end)) &&
    (/^[.)]\s/u.test(text.slice(end, end + 2)) || (hasChat && /[:\d]/u.test(`${text[start - 1]}${text[end]}`))));

/**
 * Returns the content that no scene shows, as runs of words. `shown`: the values of all fields. Every content word is shown, is
 * part of an instruction, or is in the result.
 */
export function leftoversOf(reading: Reading, shown: readonly unknown[], told: readonly Span[]): string[] {
  const words = new Set<string>();
  let digits = ' ';
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const { word } of tokensOf(value)) words.add(word);
      digits += `${value.replace(/[^\d]+/gu, ' ')} `;
    } else if (typeof value === 'number')
      digits += `${Math.abs(value).toFixed(2).replace('.', ' ')} ${String(Math.abs(value)).replace('.', '')} `;
    else if (Array.isArray(value)) value.forEach(visit);
    // The number of a list's first item is not content.
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) if (key !== 'start') visit(inner);
  };
  shown.forEach(visit);
  const runs: string[] = [];
  let [from, to, weight] = [-1, -1, 0];
  const flush = () => {
    if (weight > 0) runs.push(reading.text.slice(from, to).replace(/\s+/gu, ' '));
    [from, to, weight] = [-1, -1, 0];
  };
  for (const block of reading.blocks)
    if (block.kind === 'table') for (const cell of block.header ?? []) for (const { word } of tokensOf(cell)) words.add(word);
  const hasChat = reading.blocks.some(({ kind }) => kind === 'chat');
  const isBar = (end: number, start: number) => end !== -1 && /[.!?\n]/u.test(reading.text.slice(end, start));
  const facts = hasChat
    ? []
    : reading.directions.flatMap((span) => (reading.understood.includes(span) ? [] : factsIn(reading, span)));
  const spans = [...reading.directions, ...told].toSorted((one, other) => one.start - other.start);
  const isToldFact = (start: number) => facts.some((fact) => fact.start <= start && fact.end > start);
  let at = 0;
  for (const { start, end, text, word } of tokensOf(reading.text)) {
    while (at < spans.length && (spans[at]?.end ?? 0) <= start) at++;
    const isAsked = !isToldFact(start) && spans.slice(at, at + 4).some((span) => span.start <= start && span.end >= end);
    const number = /^\d+/u.exec(text)?.[0].replace(/^0+(?=\d)/u, '');
    const isShown =
      words.has(word) ||
      structure.has(word) ||
      (number !== undefined && digits.includes(number)) ||
      isMark(reading.text, start, end, hasChat);
    if (isAsked || isShown) {
      flush();
      continue;
    }
    if (isBar(to, start)) flush();
    const isContent = number !== undefined || (word.length >= 3 && !isInstructing(word) && formatsIn(word).length === 0);
    if (from === -1 && !isContent) continue;
    if (from === -1) from = start;
    to = end;
    if (isContent) weight++;
  }
  flush();
  return runs;
}
