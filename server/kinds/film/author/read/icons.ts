import { createRequire } from 'node:module';
import nouns from '../words/icons.json' with { type: 'json' };
import type { Token } from './lexicon.ts';
import { lexiconOf, tokensOf } from './lexicon.ts';

const movers = lexiconOf<string>(nouns.movers);
const icons = lexiconOf<string>({ ...nouns.movers, ...nouns.things });
let characters: Readonly<Record<string, string>> | null = null;

/** Returns the drawing of an emoji, such as `fluent:party-popper`, or `null` if the icon set has none. */
export function iconOfEmoji(emoji: string): string | null {
  characters ??= createRequire(import.meta.url)('@iconify-json/fluent-emoji-flat/chars.json') as Record<string, string>;
  const codes = [...emoji].map((character) => (character.codePointAt(0) ?? 0).toString(16));
  const name = characters[codes.join('-')] ?? characters[codes.filter((code) => code !== 'fe0f').join('-')];
  return name === undefined ? null : `fluent:${name}`;
}

const emojiPattern = /\p{Extended_Pictographic}(?:\uFE0F|\u200D\p{Extended_Pictographic}|\p{Emoji_Modifier})*/u;

/**
 * Returns the drawing for the first emoji of the text. Returns `null` if there is none, because then the user has not asked for a
 * drawing.
 */
export function emojiIconIn(text: string): string | null {
  const emoji = emojiPattern.exec(text)?.[0];
  return emoji === undefined ? null : iconOfEmoji(emoji);
}

/** Finds the nouns that have a drawing. */
export const nounsIn = (tokens: readonly Token[]) => icons.find(tokens);

/** Finds the nouns that can move by themselves: animals, people, vehicles. */
export const moversIn = (tokens: readonly Token[]) => movers.find(tokens);

/** Returns a line drawing for each text, chosen by its nouns. All are `null` unless each text has a different one. */
export function lineIconsFor(texts: readonly string[]): (string | null)[] {
  const found = texts.map((text) => icons.find(tokensOf(text)).find(({ value }) => value.startsWith('lucide:'))?.value ?? null);
  const isComplete = !found.includes(null) && new Set(found).size === found.length;
  return isComplete ? found : texts.map(() => null);
}

/** Removes a leading emoji that has a drawing, because the drawing is shown beside the text. */
export function withoutEmoji(text: string): string {
  const lead = new RegExp(`^(?:${emojiPattern.source})\\s+`, 'u').exec(text)?.[0] ?? '';
  return lead !== '' && iconOfEmoji(lead.trim()) !== null ? text.slice(lead.length) : text;
}
