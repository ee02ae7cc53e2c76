import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Language, languages, senseSchema } from './sense.ts';

/** What `make` gives, made when it is first asked for. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const words = z.string().optional();
/** A sense, and the words for it in each language, `|` between them. */
const rowsSchema = z.array(z.object({ sense: senseSchema, en: words, de: words, fr: words, es: words }));
export type WordRow = z.infer<typeof rowsSchema>[number];

/** Each table is read once: no code is made for it. */
const once = { jitless: true };
const read = (table: string): unknown => JSON.parse(readFileSync(`${import.meta.dirname}/lexicon/${table}.json`, 'utf8'));

/** A table of the lexicon (`lexicon/<table>.json`). @throws a ZodError where it is no such table. */
export const rowsOf = (table: string): readonly WordRow[] => rowsSchema.parse(read(table), once);

/** A table of names that each stand for one thing. @throws a ZodError where it is no such table. */
export const namesOf = (table: string): Readonly<Record<string, string>> =>
  z.record(z.string(), z.string()).parse(read(table), once);

/** CSS name → hex. */
export const cssColors = lazily((): ReadonlyMap<string, string> => new Map(Object.entries(namesOf('css-colors'))));

/** Every phrase of a row. */
export const phrasesOf = (row: WordRow): readonly (readonly [Language, string])[] =>
  languages.flatMap((language) => row[language]?.split('|').map((phrase) => [language, phrase] as const) ?? []);
