import { createHash } from 'node:crypto';
import type { Film, PlanDraft } from '../../contract/film.ts';
import type { ProjectFacts } from '../author.ts';
import type { Brief } from './brief/brief.ts';
import { parseBrief } from './brief/parse-brief.ts';
import { type Question, question } from './brief/question.ts';
import type { BriefAsset } from './brief/uploads.ts';
import { changePlan } from './feedback/plan-change.ts';
import { applyPlanEdits } from './feedback/plan-edits.ts';
import { planDraft } from './plan/draft.ts';
import { planFilm } from './plan/plan-film.ts';

const maxCaveatCharacters = 500;

/** What the user asked for so far: the prompt, its hints, and the answer to the question. */
export function briefOf(facts: ProjectFacts): Brief {
  const { answers } = wishesOf(facts);
  return parseBrief(facts.prompt, { ...facts.hints, answers, assets: assetsOf(facts) });
}

/** The uploads, as the page serves them. */
export function assetsOf({ assets }: ProjectFacts): BriefAsset[] {
  return assets.map(({ name, path, kind, width, height }) => ({
    name,
    path: path.replace(/^public/, ''),
    kind,
    width,
    height,
  }));
}

/** The question worth asking; none when one was asked before (A2). */
export function questionOf(facts: ProjectFacts, brief: Brief): Question | null {
  const asked = facts.settled.some(({ approval }) => approval.type === 'question');
  return asked ? null : question(brief);
}

/**
 * The film of a project: the brief planned, what the user edited and said at the plan's approval applied in order, and the
 * accepted plan as the user edited it. Deterministic, so that it need not be kept.
 */
export function filmOf(facts: ProjectFacts): Film {
  const { film, brief } = plannedFilm(facts);
  return facts.plan?.accepted === true ? applyPlanEdits(film, facts.plan, brief.assets) : film;
}

/** The plan to show; what became of the last wish is told in its caveat. */
export function planOf(facts: ProjectFacts): PlanDraft {
  const { film, brief, explanation } = plannedFilm(facts);
  const draft = planDraft(film, brief);
  return explanation === null ? draft : { ...draft, caveat: explanation.slice(0, maxCaveatCharacters) };
}

function plannedFilm(facts: ProjectFacts): { film: Film; brief: Brief; explanation: string | null } {
  const brief = briefOf(facts);
  let film = planFilm(brief, { seed: seedOf(facts.projectId) });
  let explanation: string | null = null;
  for (const { words, edited } of wishesOf(facts).changes) {
    const changed = changePlan(edited === null ? film : applyPlanEdits(film, edited), brief, words);
    film = changed.film;
    explanation = changed.explanation;
  }
  return { film, brief, explanation };
}

interface PlanWish {
  readonly words: string;
  /** The plan as the user had edited it before they said so; null = as it was proposed. */
  readonly edited: PlanDraft | null;
}

/** Answers to the question belong to the brief; what was said at, or after, a plan changes the film. */
function wishesOf(facts: ProjectFacts): { answers: string[]; changes: PlanWish[] } {
  const answers: string[] = [];
  const changes: PlanWish[] = [];
  let plansShown = 0;
  for (const { approval, response } of facts.settled) {
    if (approval.type === 'plan') plansShown += 1;
    if (approval.type === 'preview') break;
    const words =
      response.outcome === 'option'
        ? response.optionId
        : response.outcome === 'free_text' || response.outcome === 'changes'
          ? response.text
          : null;
    if (words === null) continue;
    if (approval.type === 'question' && plansShown === 0) answers.push(words);
    else changes.push({ words, edited: response.outcome === 'changes' ? (response.plan ?? null) : null });
  }
  return { answers, changes };
}

/** A number of 31 bits that belongs to the project. */
export function seedOf(projectId: string): number {
  return createHash('sha256').update(projectId).digest().readUInt32BE(0) >>> 1;
}
