import { isDeepStrictEqual } from 'node:util';
import { KodaError } from '../../contract/errors.ts';
import {
  type Film,
  type FilmChange,
  filmPath,
  type PlanDraft,
  planMark,
  planOfFilm,
  readFilm,
  scenePath,
} from '../../contract/film.ts';
import { changeMessageId } from '../../contract/project.ts';
import type { GenerateCodeTask, GeneratedCode } from '../../contract/tools.ts';
import type { Assignment, ProjectFacts, Proposal, Question, SourceFile, Written } from '../author.ts';
import { affectedFiles, emitAll, emitScene } from './emit/emit.ts';
import type { GeneratedFile } from './emit/generated-file.ts';
import { filmCodeIn, themeIn } from './emit/read-code.ts';
import { drawingsFile, filmFile, filmJson, themeFile } from './emit/setup-code.ts';
import { applyFeedback } from './feedback/apply-feedback.ts';
import { documentOf } from './film-document.ts';
import { assetsOf, briefOf, filmOf, planOf, questionOf } from './film-of.ts';
import { listPath, themePath } from './paths.ts';
import { baseSummary, scenesSummary } from './summary.ts';

/** What to ask before a plan; null = nothing. After a rejected plan: what should be different. */
export function questionFor(facts: ProjectFacts): Question | null {
  return facts.phase === 'question' ? otherWish : firstQuestion(facts);
}

/** The files of a todo; null when it needs none. Throws GENERATION_FAILED when the project's film cannot be read. */
export async function filesFor({ facts, todo, files }: Assignment): Promise<Written | null> {
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
}

function firstQuestion(facts: ProjectFacts): Question | null {
  const question = questionOf(facts, briefOf(facts));
  return question === null ? null : { callId: null, ...question };
}

const otherWish: Question = {
  callId: null,
  content: 'That plan was not it. What should be different?',
  options: [
    { id: 'playful', label: 'More playful', description: 'Bouncy, quick, with overshoot.' },
    { id: 'smooth', label: 'Calmer and smoother', description: 'Slow, soft moves and a quiet palette.' },
    { id: 'cinematic', label: 'More cinematic', description: 'Dark ground, depth, a slow camera.' },
  ],
};

/** The plan of the film, and what is said of it. */
export function proposalFor(facts: ProjectFacts): Proposal {
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

/** What a summary may hold (`generatedCodeSchema`). */
const maxSummaryCharacters = 2000;
/** Where `emitScene` puts them. */
const sceneFilePath = /^src\/scenes\/scene-\d+\.tsx$/;

interface FilmFacts extends ProjectFacts {
  /** What a change starts from; not needed for anything else. */
  readonly files: readonly SourceFile[];
}

/** The files that a task asks for. Throws GENERATION_FAILED when the project's film cannot be read or the task is not the director's. */
export function generateFiles(task: GenerateCodeTask, facts: FilmFacts): GeneratedCode {
  switch (task.task) {
    case 'initial_setup': {
      const film = filmOf(facts);
      return { files: [filmJson(film, null), themeFile(film), ...drawingsFile(film)], deleted: [], summary: baseSummary(film) };
    }
    case 'create_scene':
      return createScenes(filmOf(facts), task.scenes);
    case 'modify_existing':
      return modify(task.change, facts);
    case 'create_component':
      throw new KodaError(
        'GENERATION_FAILED',
        'The built-in director writes whole scenes and no single components. Ask for a scene.',
      );
  }
}

/** The scenes, and the film's list of all scenes up to them: the preview plays what is there while the rest is written. */
function createScenes(film: Film, numbers: readonly number[]): GeneratedCode {
  const last = Math.max(...numbers);
  const scenes = film.scenes.filter((scene) => numbers.includes(scene.number));
  if (scenes.length !== numbers.length)
    throw new KodaError('GENERATION_FAILED', `The plan has ${film.scenes.length} scenes; ${numbers.join(', ')} was asked for.`);
  const files: GeneratedFile[] = scenes.flatMap((scene) => emitScene(film, scene.number));
  const soFar: Film = { ...film, scenes: film.scenes.filter((scene) => scene.number <= last) };
  return { files: [...files, filmFile(soFar)], deleted: [], summary: scenesSummary(film, scenes).slice(0, maxSummaryCharacters) };
}

/** The change is the one of the todo that is at work; what the film has of it is not done again ("faster", "one more"). */
function modify(change: string, facts: FilmFacts): GeneratedCode {
  const kept = keptFilm(facts);
  const messageId = messageAtWork(facts);
  if (kept?.lastChange !== undefined && kept.lastChange.messageId === messageId)
    return changedAlready(kept, kept.lastChange, facts);
  const film = filmToChange(change, facts, kept);
  const { film: asked, explanation } = applyFeedback(film, change, assetsOf(facts));
  const isSame = affectedFiles(film, asked).written.length === 0;
  const aheadOf = facts.plan === null ? undefined : planMark(facts.plan);
  const changed: Film = {
    ...asked,
    ...(isSame || aheadOf === undefined ? {} : { aheadOf }),
    ...(isSame || messageId === null ? {} : { lastChange: { messageId, summary: explanation } }),
  };
  const { written, deleted } = affectedFiles(film, changed);
  const refused = refusal(written, facts);
  if (refused !== null) return { files: [], deleted: [], summary: refused };
  // The film as data is what the next attempt starts from, so it is true of the code before anything is written. Were the
  // changed one there before the code that follows from it, that attempt would find nothing left to change.
  const isTrue = isDeepStrictEqual(film, kept);
  const code = written.filter(({ path }) => path !== filmPath);
  const data = written.filter(({ path }) => path === filmPath);
  return {
    files: [...(isTrue || data.length === 0 ? [] : [filmJson(film, film)]), ...code, ...data],
    deleted,
    summary: explanation,
  };
}

/**
 * The film to change, true of the code whoever wrote that. What an interrupted attempt at this change has written already
 * is no code of somebody else's: the film as it is kept stands for it.
 */
function filmToChange(change: string, facts: FilmFacts, kept: Film | null): Film {
  const files = new Map(facts.files.map(({ path, content }) => [path, content]));
  const attempt = kept === null ? [] : emitAll(applyFeedback(kept, change, assetsOf(facts)).film);
  for (const { path, content } of attempt) if (path !== filmPath && files.get(path) === content) files.delete(path);
  const film = documentOf(facts, files);
  if (film !== null) return film;
  throw new KodaError(
    'GENERATION_FAILED',
    `${filmPath} is missing, so the film cannot be changed. Restore it, or start a new project.`,
  );
}

/** Why these files cannot be written; null = they can. What somebody's own code says in a way of its own would be lost. */
function refusal(written: readonly GeneratedFile[], { files }: FilmFacts): string | null {
  const isForeign = ({ path, content }: SourceFile) =>
    (path === listPath && !filmCodeIn(content).isWhole) || (path === themePath && themeIn(content).palette === null);
  const [foreign] = files.filter((file) => written.some(({ path }) => path === file.path) && isForeign(file));
  if (foreign === undefined) return null;
  return `This change needs ${foreign.path}, which is written in a way of its own, so I left the film as it is. A language model can change it.`;
}

/** The message whose change is being made; null when this is not the work of a todo for one. */
function messageAtWork({ todos }: ProjectFacts): string | null {
  const messageId = changeMessageId(todos.find(({ status }) => status === 'active')?.key ?? '');
  return messageId;
}

/**
 * An attempt was interrupted after it had written the film, which is written last: its code is there. What it had still to
 * delete may not be gone, and the plan follows the film that it answers with.
 */
function changedAlready(film: Film, { summary }: FilmChange, { files }: FilmFacts): GeneratedCode {
  const own = new Set(film.scenes.map(({ id }) => scenePath(id)));
  const deleted = files.map(({ path }) => path).filter((path) => sceneFilePath.test(path) && !own.has(path));
  return { files: [filmJson(film, film)], deleted, summary };
}

/** The film as data, as the project keeps it; null when it is missing. Throws GENERATION_FAILED when it cannot be read. */
function keptFilm({ files }: FilmFacts): Film | null {
  const text = files.find(({ path }) => path === filmPath)?.content;
  if (text === undefined) return null;
  const { film, problem } = readFilm(text);
  if (film !== null) return film;
  throw new KodaError('GENERATION_FAILED', `${filmPath} cannot be read as a film (${problem}). Undo the last edit of it.`);
}
