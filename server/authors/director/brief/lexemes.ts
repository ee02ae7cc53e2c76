import type { Formation } from '../../../contract/film.ts';
import type { Language, Sense } from './sense.ts';
import type { Mark } from './tokens.ts';
import type { BriefAsset } from './uploads.ts';

export interface BarValue {
  readonly label: string;
  readonly value: number;
}

/** What the grammar reads: a sense of the lexicon, or something that several tokens made together. */
export type Meaning =
  | Sense
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'duration'; readonly seconds: number; readonly clock: boolean }
  | { readonly kind: 'repeat'; readonly times: number }
  | { readonly kind: 'turns'; readonly turns: number }
  | { readonly kind: 'frameRate'; readonly fps: number }
  | { readonly kind: 'figure'; readonly value: number; readonly prefix: string; readonly suffix: string }
  /** "a row of", "in a circle"; `usual`: how many there are when nobody says. */
  | { readonly kind: 'formation'; readonly as: Formation | null; readonly usual: number }
  | {
      readonly kind: 'bars';
      readonly bars: readonly BarValue[];
      readonly unit: string;
      readonly heading: string | null;
      readonly chart?: 'pie';
    }
  | { readonly kind: 'ratio'; readonly width: number; readonly height: number }
  /** An uploaded sound, by its name. */
  | { readonly kind: 'sound'; readonly asset: BriefAsset }
  | { readonly kind: 'unknown' };

export type MeaningKind = Meaning['kind'];

export interface Lexeme {
  readonly meaning: Meaning;
  /** Every sense the words can have; the first is the usual one. */
  readonly senses: readonly Sense[];
  /** As the user wrote it. */
  readonly text: string;
}

export interface Reading {
  readonly language: Language;
  readonly lexemes: readonly Lexeme[];
}

/** The lexeme with this sense in front, when its words can have it. */
export function senseOf<Kind extends Sense['kind']>(
  lexeme: Lexeme | undefined,
  kind: Kind,
): Extract<Sense, { kind: Kind }> | null {
  if (lexeme === undefined) return null;
  if (lexeme.meaning.kind === kind) return lexeme.meaning as Extract<Sense, { kind: Kind }>;
  return (lexeme.senses.find((sense) => sense.kind === kind) as Extract<Sense, { kind: Kind }> | undefined) ?? null;
}

export const lexeme = (meaning: Meaning, text: string, senses: readonly Sense[] = []): Lexeme => ({ meaning, text, senses });
