import type { MotionType } from '../../../contract/film.ts';
import type { Brief, Clause, SubjectWish } from '../brief/brief.ts';
import { newClause, newMotion, newSubject, newText, noModifiers } from '../brief/wishes.ts';

/** Longer than this it is no title. */
const maxTitleCharacters = 60;

/** "Please create a short video about …": what asks for the film and is not its subject. */
const request =
  /^(?:please\s+)?(?:(?:can|could) you\s+)?(?:(?:create|make|design|build|generate|animate|show|explain|visuali[sz]e|tell|give|do|i want|i need|i'd like|we need)\s+)(?:me\s+|us\s+)?(?:(?:a|an|the|some)\s+)?(?:(?:short|quick|simple|nice|cool|little|animated)\s+)*(?:(?:animation|video|film|clip|explainer|movie|intro|gif)\s+)?(?:(?:of|about|for|on|showing|explaining|that shows|that explains)\s+)?/iu;
const preamble =
  /^(?:an?\s+)?(?:(?:short|animated|quick|simple)\s+)*(?:animation|video|film|clip|explainer|movie|gif)\s+(?:of|about|for|on|showing|explaining)\s+/iu;
/** "… in 3 steps": what the title is told in. */
const manner = /\s+(in\s+(?:\d+|two|three|four|five|six)\s+(?:steps|parts|points|minutes|words))$/iu;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a prompt is about, and how that is told; null when its words are more than a title. */
function topicOf(prompt: string): { title: string; told: string | null } | null {
  const words = prompt
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.!]+$/u, '');
  const bare = words.replace(request, '').replace(preamble, '');
  const [, told = null] = manner.exec(bare) ?? [];
  const title = told === null ? bare : bare.replace(manner, '');
  if (title === '' || title.length > maxTitleCharacters || !/[\p{L}\p{N}]/u.test(title)) return null;
  return { title: capitalized(title), told: told === null ? null : capitalized(told) };
}

const solid = (ref: SubjectWish['ref'], motion: MotionType): SubjectWish => ({
  ...newSubject(ref, { mods: noModifiers(), plural: false }),
  motion: newMotion(motion),
});

/**
 * A prompt without anything to animate shows what it is about as a title, when that is short enough for one; three
 * shapes stand in where it says nothing at all ("something cool"), and a ball for all that is too long to be a title.
 */
export function standInClauses(brief: Brief): { clauses: Clause[]; note: string } {
  const clause = newClause(false);
  const topic = topicOf(brief.prompt);
  if (brief.unknownWords.length === 0 && /\p{L}/u.test(brief.prompt)) {
    clause.subjects.push(
      solid({ kind: 'cube' }, 'jump'),
      solid({ kind: 'ball' }, 'bounce'),
      solid({ kind: 'shape', shape: 'star' }, 'pulse'),
    );
    return { clauses: [clause], note: 'Nothing in it says what should move, so three shapes do.' };
  }
  if (topic !== null) {
    clause.texts.push({ ...newText(noModifiers()), text: topic.title, role: 'title' });
    if (topic.told !== null) clause.texts.push({ ...newText(noModifiers()), text: topic.told, role: 'subtitle' });
    if (brief.background?.shade === 'dark' && brief.background.colors.length === 0)
      clause.subjects.push(newSubject({ kind: 'particles', preset: 'stars' }, { mods: noModifiers(), plural: true }));
    return { clauses: [clause], note: 'Nothing in it says what should move, so your words appear as a title.' };
  }
  clause.subjects.push(solid({ kind: 'ball' }, 'bounce'));
  return { clauses: [clause], note: 'Nothing in it says what should move, so a ball bounces.' };
}
