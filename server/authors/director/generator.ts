import { KodaError } from '../../contract/errors.ts';
import { type Film, type FilmChange, filmPath, readFilm } from '../../contract/film.ts';
import { changeMessageId } from '../../contract/project.ts';
import type { GenerateCodeTask, GeneratedCode } from '../../contract/tools.ts';
import type { ProjectFacts, SourceFile } from '../author.ts';
import { affectedFiles, emitAll, emitScene } from './emit/emit.ts';
import type { GeneratedFile } from './emit/generated-file.ts';
import { filmFile, filmJson, themeFile } from './emit/setup-code.ts';
import { applyFeedback } from './feedback/apply-feedback.ts';
import { assetsOf, filmOf } from './film-of.ts';
import { baseSummary, scenesSummary } from './summary.ts';

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
      return { files: [filmJson(film), themeFile(film)], deleted: [], summary: baseSummary(film) };
    }
    case 'create_scene':
      return createScenes(filmOf(facts), task.scenes);
    case 'modify_existing':
      return modify(currentFilm(facts), task.change, facts);
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
function modify(film: Film, change: string, facts: FilmFacts): GeneratedCode {
  const messageId = messageAtWork(facts);
  if (messageId !== null && film.lastChange?.messageId === messageId) return changedAlready(film, film.lastChange, facts);
  const { film: asked, explanation } = applyFeedback(film, change, assetsOf(facts));
  const isSame = affectedFiles(film, asked).written.length === 0;
  const changed = isSame || messageId === null ? asked : { ...asked, lastChange: { messageId, summary: explanation } };
  const { written, deleted } = affectedFiles(film, changed);
  // The film as data is what the next attempt starts from. Were it there before the code that follows from it, an
  // attempt after an interruption would find nothing left to change.
  const code = written.filter(({ path }) => path !== filmPath);
  const data = written.filter(({ path }) => path === filmPath);
  return { files: [...code, ...data], deleted, summary: explanation };
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
  const own = new Set(emitAll(film).map(({ path }) => path));
  const deleted = files.map(({ path }) => path).filter((path) => sceneFilePath.test(path) && !own.has(path));
  return { files: [filmJson(film)], deleted, summary };
}

/** The film as it is kept in the project. */
function currentFilm(facts: FilmFacts): Film {
  const file = facts.files.find(({ path }) => path === filmPath);
  if (file === undefined) {
    throw new KodaError(
      'GENERATION_FAILED',
      `${filmPath} is missing, so the film cannot be changed. Restore it, or start a new project.`,
    );
  }
  const { film, problem } = readFilm(file.content);
  if (film !== null) return film;
  throw new KodaError('GENERATION_FAILED', `${filmPath} cannot be read as a film (${problem}). Undo the last edit of it.`);
}
