import type { Brief, Clause } from '../brief/brief.ts';
import { newClause, newMotion, newSubject, newText, noModifiers } from '../brief/wishes.ts';

/** A prompt without anything to animate shows its own words, when they are few, and a ball otherwise. */
export function standInClauses(brief: Brief): { clauses: Clause[]; note: string } {
  const words = brief.prompt.replace(/\s+/g, ' ').trim();
  const clause = newClause(false);
  if (words !== '' && words.length <= 40 && /[\p{L}\p{N}]/u.test(words)) {
    clause.texts.push({ ...newText(noModifiers()), text: words, role: 'title' });
    clause.subjects.push(newSubject({ kind: 'particles', preset: 'sparkles' }, { mods: noModifiers(), plural: true }));
    return { clauses: [clause], note: 'Nothing in it says what should move, so your words appear as a title over sparkles.' };
  }
  const ball = newSubject({ kind: 'ball' }, { mods: noModifiers(), plural: false });
  ball.motion = newMotion('bounce');
  clause.subjects.push(ball);
  return { clauses: [clause], note: 'Nothing in it says what should move, so a ball bounces.' };
}
