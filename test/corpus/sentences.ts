import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { noHints, parseBrief } from '../../server/authors/director/brief/parse-brief.ts';
import { seedOf } from '../../server/authors/director/film-of.ts';
import { planDraft } from '../../server/authors/director/plan/draft.ts';
import { planFilm } from '../../server/authors/director/plan/plan-film.ts';
import type { Film } from '../../server/contract/film.ts';

/** What a viewer has to see, in words (`say`), and as far as it can be said in data. */
const factSchema = z.looseObject({
  kind: z.string(),
  say: z.string(),
  noun: z.string().optional(),
  whom: z.string().optional(),
  count: z.number().optional(),
  colour: z.string().optional(),
  text: z.string().optional(),
  times: z.number().optional(),
  value: z.number().optional(),
  place: z.string().optional(),
  as: z.string().optional(),
  first: z.string().optional(),
  // biome-ignore lint/suspicious/noThenProperty: the sentences' own word.
  then: z.string().optional(),
  what: z.string().optional(),
});
export type Fact = z.infer<typeof factSchema>;

const sentenceSchema = z.object({
  id: z.string(),
  sentence: z.string(),
  /** BCP 47. */
  language: z.string(),
  hard: z.boolean(),
  facts: z.array(factSchema).min(1),
});
export type Sentence = z.infer<typeof sentenceSchema>;

export async function readSentences(file: string): Promise<Sentence[]> {
  return z.array(sentenceSchema).parse(JSON.parse(await readFile(file, 'utf8')));
}

/** The film that the director makes of a sentence in a new project, and what its plan admits. */
export function plannedFilm(sentence: string, projectId: string): { film: Film; caveat: string | null } {
  const brief = parseBrief(sentence, noHints);
  const film = planFilm(brief, { seed: seedOf(projectId) });
  return { film, caveat: planDraft(film, brief).caveat };
}
