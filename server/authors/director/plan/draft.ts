import { type Film, type PlanDraft, planOfFilm } from '../../../contract/film.ts';
import type { Brief } from '../brief/brief.ts';
import { listed, subjectName } from './names.ts';
import { plan } from './plan-film.ts';

/** What `planDraftSchema` allows. */
const maxCaveat = 500;

/** What the film shows, in half a sentence. */
function understood(film: Film): string {
  const things = film.scenes.flatMap((scene) => scene.subjects.map((subject) => subjectName(subject)));
  const texts = film.scenes.flatMap((scene) =>
    scene.texts.map((text) => `the text “${text.text.length > 24 ? `${text.text.slice(0, 23)}…` : text.text}”`),
  );
  const parts = [...new Set([...things, ...texts])];
  return listed(parts.length > 4 ? [...parts.slice(0, 4), 'more'] : parts);
}

const shortened = (word: string): string => (word.length > 24 ? `${word.slice(0, 23)}…` : word);

/** What was not understood, or was decided without being asked, in one paragraph; null when there is nothing to tell. */
export function caveatOf(film: Film, brief: Brief, notes: readonly string[]): string | null {
  const unknown = brief.unknownWords.slice(0, 6).map((word) => `“${shortened(word)}”`);
  const more = brief.unknownWords.length > unknown.length ? ` and ${brief.unknownWords.length - unknown.length} more` : '';
  const lead =
    unknown.length === 0
      ? []
      : [
          brief.animatable
            ? `I understood ${understood(film)}; I could not read: ${unknown.join(', ')}${more}.`
            : `I could not read: ${unknown.join(', ')}${more}.`,
        ];
  const sentences = [...lead, ...brief.notes, ...notes];
  if (sentences.length === 0) return null;
  let caveat = '';
  for (const sentence of sentences) {
    const longer = caveat === '' ? sentence : `${caveat} ${sentence}`;
    if (longer.length > maxCaveat) break;
    caveat = longer;
  }
  return caveat === '' ? `${(sentences[0] ?? '').slice(0, maxCaveat - 1)}…` : caveat;
}

/** The film as the plan that the user sees. */
export function planDraft(film: Film, brief: Brief): PlanDraft {
  const { notes } = plan(brief, { seed: film.seed });
  return planOfFilm(film, caveatOf(film, brief, notes));
}
