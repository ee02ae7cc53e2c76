import type { Film } from '../../../contract/film.ts';
import type { Brief } from '../brief/brief.ts';
import { parseBrief } from '../brief/parse-brief.ts';
import { planFilm } from '../plan/plan-film.ts';
import { applyFeedback, type FeedbackResult } from './apply-feedback.ts';

/** Words that say: not this film, another one. */
const anew = /\b(?:instead|rather|something else|start over|new idea|forget|lieber|stattdessen|plutôt|mejor)\b/i;

/**
 * Feedback at the plan approval: what the grammar of feedback knows changes the plan; a sentence that describes a
 * film of its own ("rather a blue cube that spins") is planned anew with the same style, format and length.
 */
export function changePlan(film: Film, brief: Brief, text: string): FeedbackResult {
  const changed = applyFeedback(film, text, brief.assets);
  if (changed.understood && !startsOver(text, brief)) return changed;
  const wish = parseBrief(text, {
    style: brief.style.value,
    aspect: null,
    durationSeconds: brief.durationSeconds,
    answers: [],
    assets: brief.assets,
  });
  const fresh =
    wish.animatable &&
    wish.clauses.some((clause) => clause.subjects.some((subject) => subject.standsFor === null) || clause.texts.length > 0);
  if (!fresh) return changed;
  const style = wish.style.value ?? film.style;
  // The film's and not the brief's: it may have been edited.
  const aspect = wish.aspect ?? film.aspect;
  const planned = planFilm(
    { ...wish, prompt: film.prompt, style: { value: style, source: 'stated' }, aspect },
    { seed: film.seed },
  );
  return { film: planned, explanation: 'I planned it anew from your words.', understood: true };
}

/** A thing and what it does, announced as an alternative, is a new film and no detail of this one. */
function startsOver(text: string, brief: Brief): boolean {
  if (!anew.test(text)) return false;
  const wish = parseBrief(text, { style: null, aspect: null, durationSeconds: null, answers: [], assets: brief.assets });
  const acting = wish.clauses
    .flatMap((clause) => clause.subjects)
    .filter((subject) => subject.motion !== null && subject.standsFor === null && !subject.definite);
  return acting.length > 0 && !/\b(?:instead of|statt|au lieu|en vez)\b/i.test(text);
}
