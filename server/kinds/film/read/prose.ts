import { isChange } from './changes.ts';
import { readClauses } from './clauses.ts';
import type { Draft } from './draft.ts';
import { isClosing, isGreeting, readCommand } from './draft.ts';
import { readConversation, readEvent, readInlineChat, readIntroduced, readShell, readSide, readSides } from './forms.ts';
import { addContent, readAfterQuote, readEnumeration } from './passages.ts';
import type { Span } from './reading.ts';
import { pieceOf } from './reading.ts';
import { membersOf, numberedStart, sentencesOf } from './sentences.ts';

/** Matches a sentence in which the sender gives a name: “small pottery studio here (Clay & Co)”, “(we're called Pedalio)”. */
const introducesSelf =
  /^(?:[^.!?()]{0,60}\bhere\s*[(,:–-]+\s*|\(?(?:we['’]?re|we are|i['’]?m) called\s+|\(?wir heißen\s+|\(?nous nous appelons\s+|\(?nos llamamos\s+|\(?our name is\s+)([\p{Lu}\d][^()!?]{1,36}?)\)?[.!]?$/u;

export function readProse(draft: Draft, span: Span, paragraph: number, split = true): void {
  if (readInlineChat(draft, span, paragraph)) return;
  const sentences = split ? sentencesOf(draft.text, span.start, span.end) : [span];
  let isClosed = false;
  for (const [index, sentence] of sentences.entries()) {
    const source = draft.text.slice(sentence.start, sentence.end);
    if (isClosed && index === sentences.length - 1 && source.split(/\s+/u).length <= 2) {
      // A name after “Thanks!” is the sender's signature.
      draft.instructions.add(sentence);
      continue;
    }
    isClosed = isClosing(draft, source);
    // Thanks such as “Thank you very much, Jean” at the end of a request with instructions are not content.
    if (
      isClosed &&
      sentence.end >= draft.text.trimEnd().length &&
      draft.instructions.spans.length > 0 &&
      /\p{L}\W+\p{L}/u.test(source)
    ) {
      draft.instructions.add(sentence);
      continue;
    }
    if (draft.isLetter && (isGreeting(draft, source) || isClosing(draft, source))) draft.instructions.add(sentence);
    else if (
      index === 0 &&
      isGreeting(draft, source) &&
      sentences.length > 1 &&
      source.length < 30 &&
      /^(?:hi|hello|hey|hiya|dear|hallo|bonjour|hola)/iu.test(source)
    )
      draft.instructions.add(sentence);
    else readSentence(draft, sentence, paragraph);
  }
}

function readSentence(draft: Draft, sentence: Span, paragraph: number): void {
  const text = draft.text;
  const source = text.slice(sentence.start, sentence.end);
  // Bold text marks what a copied text wants to say, so its sentence is content.
  const whole = /\*\*[^*\n]+\*\*/u.test(source) ? pieceOf(text, sentence.start, sentence.end) : null;
  if (whole !== null) {
    addContent(draft, whole, paragraph, false);
    return;
  }
  const last = draft.blocks.at(-1);
  if (last?.kind === 'quote' && last.author === null && /^[—–-]\s*\p{Lu}/u.test(source)) {
    readAfterQuote(draft, sentence, paragraph);
    return;
  }
  const self = introducesSelf.exec(source)?.[1];
  if (self !== undefined) {
    const start = sentence.start + source.lastIndexOf(self);
    draft.brand ??= { text: self, start, end: start + self.length };
    draft.instructions.add(sentence);
    return;
  }
  if (readCommand(draft, sentence, paragraph)) return;
  if (readShell(draft, sentence, paragraph)) return;
  if (readConversation(draft, sentence, paragraph)) return;
  if (readEvent(draft, sentence, paragraph)) return;
  if (readSides(draft, sentence, paragraph) || readSide(draft, sentence, paragraph)) return;
  // “thurs: fado night, fri: beach, sat: tram 28” is a list of labelled entries.
  const pairs = membersOf(text, sentence).members;
  const leastPairs = pairs.every((pair) => isChange(pair.text)) ? 2 : 3;
  if (pairs.length >= leastPairs && pairs.every((pair) => /^[^:]{2,20}:\s+\S/u.test(pair.text))) {
    readEnumeration(draft, sentence, paragraph);
    return;
  }
  // A colon followed by white space introduces text. The colon of a time, an address or a ratio has none after it.
  const colon = /:\s+/u.exec(source.replace(/"[^"]*"|“[^”]*”|«[^»]*»|„[^“]*“/gu, (quoted) => '_'.repeat(quoted.length)));
  if (colon !== null && colon.index > 1 && colon.index <= 90) {
    const left = { start: sentence.start, end: sentence.start + colon.index };
    const right = { start: sentence.start + colon.index + colon[0].length, end: sentence.end };
    if (right.end > right.start && readIntroduced(draft, left, right, paragraph)) return;
  }
  const numbered = numberedStart(source);
  if (numbered >= 0 && membersOf(text, { start: sentence.start + numbered, end: sentence.end }).isMarked) {
    if (numbered > 0)
      readClauses(draft, { start: sentence.start, end: sentence.start + numbered }, paragraph, { isIntroduction: true });
    readEnumeration(draft, { start: sentence.start + numbered, end: sentence.end }, paragraph);
    return;
  }
  readClauses(draft, sentence, paragraph);
}
