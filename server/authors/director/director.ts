import { isDeepStrictEqual } from 'node:util';
import { filmPath, type PlanDraft, planOfFilm, readFilm } from '../../contract/film.ts';
import { changeMessageId } from '../../contract/project.ts';
import type { GenerateCodeTask } from '../../contract/tools.ts';
import type { Author, ProjectFacts, Proposal, Question, Written } from '../author.ts';
import { briefOf, filmOf, planOf, questionOf } from './film-of.ts';
import { generateFiles } from './generator.ts';

/**
 * The built-in author: no key, no network, no waiting. Pure functions from the facts of a project to its question, its plan
 * and its files; the same facts give the same film.
 */
export const director: Author = {
  kind: 'director',
  name: 'Koda director (built in)',
  mends: false,
  // It keeps none.
  resumes: (transcript) => transcript.length === 0,
  ask: (facts) => (facts.phase === 'question' ? otherWish : firstQuestion(facts)),
  plan: proposalOf,
  revise: proposalOf,
  async write({ facts, todo, files }) {
    const [form, argument = ''] = todo.key.split(':', 2);
    switch (form) {
      case 'setup':
        return written({ task: 'initial_setup', style: filmOf(facts).style }, facts);
      case 'scene':
        return written({ task: 'create_scene', scenes: [Number(argument)], components: [] }, facts);
      case 'change':
        return changed(changeOf(facts, todo.key), { ...facts, files: await files() });
      default:
        return null;
    }
  },
};

function firstQuestion(facts: ProjectFacts): Question | null {
  const question = questionOf(facts, briefOf(facts));
  return question === null ? null : { callId: null, ...question };
}

/** After a rejected plan. */
const otherWish: Question = {
  callId: null,
  content: 'That plan was not it. What should be different?',
  options: [
    { id: 'playful', label: 'More playful', description: 'Bouncy, quick, with overshoot.' },
    { id: 'smooth', label: 'Calmer and smoother', description: 'Slow, soft moves and a quiet palette.' },
    { id: 'cinematic', label: 'More cinematic', description: 'Dark ground, depth, a slow camera.' },
  ],
};

function proposalOf(facts: ProjectFacts): Proposal {
  const plan = planOf(facts);
  const scenes = plan.scenes.length === 1 ? 'one scene' : `${plan.scenes.length} scenes`;
  const content = `${plan.durationSeconds} seconds in ${scenes}, ${plan.style}.${plan.caveat === null ? '' : ` ${plan.caveat}`}`;
  return { callId: null, content, plan };
}

function written(task: GenerateCodeTask, facts: ProjectFacts): Written {
  return { ...generateFiles(task, { ...facts, files: [] }), task, plan: null, message: null };
}

function changeOf({ messages }: ProjectFacts, todoKey: string): string {
  return messages.find(({ id }) => id === changeMessageId(todoKey))?.content ?? '';
}

/** A change is written, the plan follows it, and the user is told in the words of its summary (A9). */
function changed(change: string, facts: Parameters<typeof generateFiles>[1]): Written {
  const task: GenerateCodeTask = { task: 'modify_existing', files: [filmPath], change };
  const code = generateFiles(task, facts);
  return { ...code, task, plan: changedPlan(facts, code.files), message: code.summary };
}

/** The plan of the film that was written; null when it is still the accepted one. */
function changedPlan({ plan }: ProjectFacts, files: Written['files']): PlanDraft | null {
  const file = files.findLast(({ path }) => path === filmPath);
  if (file === undefined || plan === null) return null;
  const { film } = readFilm(file.content);
  if (film === null) return null;
  const { id, revision, accepted, ...current } = plan;
  const draft = planOfFilm(film, current.caveat);
  return isDeepStrictEqual(draft, current) ? null : draft;
}
