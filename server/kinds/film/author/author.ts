import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { KodaError } from '#contract/errors.ts';
import { type Asset, changeMessageId, type Plan, type PlanDraft } from '#contract/project.ts';
import type { RenderRequest } from '#contract/render.ts';
import type { GenerateCodeTask } from '#contract/tools.ts';
import { type Film, type FormatScene, filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { filmOf, isCode, lengthOf } from '#kinds/film/contract/outline.ts';
import { seenHintsSchema } from '#kinds/film/contract/reading.ts';
import {
  type Assignment,
  type AuthorContext,
  requestTextOf,
  type SourceFile,
  type Written,
} from '../../../projects/assignment.ts';
import type { AuthorRun, Builder, Proposal, Question } from '../../../projects/author.ts';
import { outlineOfScene, planOf, storedFilm, withCodeScenes, withoutUnknownIcons } from '../document/document.ts';
import { FilmFiles } from '../document/film-files.ts';
import { printFilm, printList, printScene } from '../document/print.ts';
import { changeFilm } from './change-film.ts';
import { type FilmAsset, planFilm, quotedScene, withUploads } from './plan-film.ts';
import { describeRequest, renderRequestIn } from './render-request.ts';

/**
 * The built-in author, which needs neither a key nor a network. It edits the film's document, which is stored with the plan,
 * and generates the code from it.
 */
export const builtInAuthor: Builder = {
  kind: 'director',
  name: 'Koda director (built in)',
  canRepair: false,
  canResume: (transcript) => transcript.length === 0,
  ask: (facts) => (facts.phase === 'question' ? afterRejection : firstQuestion(facts)),
  plan: propose,
  revise: propose,
  write: writeWith((film, words, { assets }) => changeFilm(film, words, { assets: assetsOf(assets) })),
};

export const afterRejection: Question = {
  callId: null,
  content: 'What should be different from that plan?',
  options: [
    { id: 'playful', label: 'More playful', description: 'Quick moves with overshoot.' },
    { id: 'smooth', label: 'Calmer and smoother', description: 'Slow, soft moves with plenty of space.' },
    { id: 'cinematic', label: 'More cinematic', description: 'Slow moves with depth and tension.' },
  ],
};

const styleQuestion: Question = {
  callId: null,
  content: 'How should it move?',
  options: [
    { id: 'playful', label: 'Playful', description: 'Quick moves with overshoot.' },
    { id: 'smooth', label: 'Smooth', description: 'Slow, soft moves with plenty of space; nothing overshoots.' },
    { id: 'cinematic', label: 'Cinematic', description: 'Slow moves with depth; tension builds and is released.' },
  ],
};

/** Maximum words of a vague request. A longer or structured one is specific enough to plan without a question. */
const maxVagueWords = 12;

/** Returns the question about style, or `null` if the request suggests a style or is specific. */
function firstQuestion({ settled, prompt, ...facts }: AuthorContext): Question | null {
  const hints = seenHintsSchema.parse(facts.hints);
  const wasAsked = settled.some(({ approval }) => approval.type === 'question');
  const isSpecific = /[\n\d:;@#]/u.test(prompt.trim()) || prompt.trim().split(/\s+/u).length > maxVagueWords;
  if (wasAsked || isSpecific || hints.style !== null || hints.film !== undefined) return null;
  const { suggestsStyle } = planFilm({ prompt, hints, answers: [], assets: [], seed: 0 });
  return suggestsStyle ? null : styleQuestion;
}

/** Plans a film for the first request. Later requests change the film of the previous plan. */
function propose(facts: AuthorContext): Proposal {
  return proposalOf(proposedFilm(facts));
}

interface ProposedFilm {
  readonly film: Film;
  readonly caveat: string | null;
  readonly notShown: string[];
}

export function proposalOf({ film, caveat, notShown }: ProposedFilm): Proposal {
  const plan = planOf(withoutUnknownIcons(film), { caveat: caveat === null ? null : caveat.slice(0, 500), notShown });
  const content = `${lengthOf(film)} seconds in ${countOf(film)}, ${film.style}.${plan.caveat === null ? '' : ` ${plan.caveat}`}`;
  return { callId: null, content, plan };
}

const countOf = ({ scenes }: Film) => (scenes.length === 1 ? 'one scene' : `${scenes.length} scenes`);

export function proposedFilm(facts: AuthorContext): ProposedFilm {
  const assets = assetsOf(facts.assets);
  const { plan } = facts;
  const change = plan === null ? null : requestTextOf(facts.settled.at(-1)?.response);
  const stored = plan === null ? null : filmOf(plan);
  const base =
    plan === null || stored === null
      ? plannedFilm(facts, assets)
      : { film: stored, caveat: plan.caveat, notShown: plan.notShown ?? [] };
  if (change === null) return base;
  const { film, explanation, render } = changeFilm(base.film, change, { assets });
  const later = render === null ? [] : ['The video can be rendered once you have accepted the plan.'];
  return { film, caveat: [explanation, ...later].filter(Boolean).join(' '), notShown: base.notShown };
}

function plannedFilm(facts: AuthorContext, assets: readonly FilmAsset[]) {
  const answers = facts.settled.flatMap(({ approval, response }) =>
    approval.type === 'question' ? (requestTextOf(response) ?? []) : [],
  );
  const { film, corrections = [], ...hints } = seenHintsSchema.parse(facts.hints);
  const plan = planFilm({ prompt: facts.prompt, hints, answers, assets, seed: seedOfText(facts.prompt), corrections });
  // What the user saw is made. Uploads come after the project, so the page shows the film without them.
  return film === undefined ? plan : { film: withUploads(film, assets), caveat: null, notShown: plan.notShown };
}

/** Returns the uploads with their URLs in the film page. */
export function assetsOf(assets: readonly Asset[]): FilmAsset[] {
  return assets.map(({ name, path, kind, width, height }) => ({ name, path: path.replace(/^public/, ''), kind, width, height }));
}

/** Returns a 31-bit seed that never changes for a text, such as a project’s id. */
export function seedOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) >>> 1;
}

/** Returns the seed of the film that a request describes, so that every way to plan it gives the same film. */
export const seedOfText = (text: string) => seedOf(text.trim());

/** Reads a description as a single scene, which shows a quoted text as it is. Returns `null` if it describes a code scene. */
export function readScene(text: string, film: Film, assets: readonly FilmAsset[]): FormatScene | null {
  const quoted = quotedScene(text, film.style);
  if (quoted !== null) return quoted;
  const hints = { style: film.style, aspect: film.aspect, durationSeconds: null };
  const [scene] = withoutUnknownIcons(planFilm({ prompt: text, hints, answers: [], assets, seed: film.seed }).film).scenes;
  return scene === undefined || isCode(scene) ? null : scene;
}

/** Applies a message to a film. `explanation` tells the user what was and was not changed. */
type FilmChange = (film: Film, words: string, facts: AuthorContext, run: AuthorRun) => Changed | Promise<Changed>;
type Changed = Pick<ReturnType<typeof changeFilm>, 'film' | 'explanation'>;

/**
 * Returns the author's `write`: a todo's files, or `null` if it needs none. It throws GENERATION_FAILED if the project's template
 * has no formats.
 */
export function writeWith(change: FilmChange): Builder['write'] {
  return async ({ context, todo, files }, run) => {
    const [form, argument = ''] = todo.key.split(':', 2);
    switch (form) {
      case 'setup':
      case 'scene': {
        const number = form === 'scene' ? Number(argument) : 0;
        const plan = acceptedPlan(context);
        return writeNew(plan, await withReadScenes(context, storedFilm(plan).film, number, files), number);
      }
      case 'change':
        return await writeChange(context, changeMessageId(todo.key) ?? '', await files(), (film, words) =>
          change(film, words, context, run),
        );
      default:
        return null;
    }
  };
}

/** Generates a todo's files for a film that a language model planned: the base, and the format scenes. `null`: the model writes them. */
export function printedTodo({ context, todo }: Pick<Assignment, 'context' | 'todo'>): Written | null {
  const { plan } = context;
  const film = plan === null ? null : filmOf(plan);
  if (plan === null || film === null) return null;
  const [form, argument] = todo.key.split(':', 2);
  if (form === 'setup') return writeNew(plan, film, 0);
  const scene = form === 'scene' ? film.scenes[Number(argument) - 1] : undefined;
  return scene === undefined || isCode(scene) ? null : writeNew(plan, film, Number(argument));
}

/** Generates the base of a new film (`number` 0), or scene `number` with the list of all scenes up to it. */
function writeNew(plan: Plan, film: Film, number: number): Written {
  const scene = film.scenes[number - 1];
  if (number > 0 && scene === undefined)
    throw new KodaError('GENERATION_FAILED', `Scene ${number} cannot be written: the plan has ${film.scenes.length} scenes.`);
  const written =
    scene === undefined ? printFilm(film).slice(0, 3) : [...(isCode(scene) ? [] : [printScene(scene)]), printList(film, number)];
  const task: GenerateCodeTask =
    scene === undefined
      ? { task: 'initial_setup', style: film.style }
      : { task: 'create_scene', scenes: [number], components: [] };
  const summary =
    scene === undefined
      ? `“${film.title}”: ${lengthOf(film)} s in ${countOf(film)}, ${film.style}.`
      : outlineOfScene(scene).description;
  const changed = film === filmOf(plan) ? null : planOf(film, plan);
  return { files: written, deleted: [], summary, task, plan: changed, message: null };
}

function acceptedPlan({ plan }: AuthorContext): Plan {
  if (plan !== null) return plan;
  throw new KodaError('GENERATION_FAILED', 'Nothing to write: the project has no plan.');
}

/**
 * Replaces code scenes that a language model planned but has not written by scenes read from their descriptions. Scenes before
 * `number` that have a file belong to the model. Those and hand-edited scenes are left unchanged.
 */
async function withReadScenes(facts: AuthorContext, film: Film, number: number, read: Assignment['files']): Promise<Film> {
  if (!film.scenes.some(isCode)) return film;
  const files = await read();
  if (!hasFormats(files)) throw new KodaError('GENERATION_FAILED', olderProject);
  const assets = assetsOf(facts.assets);
  const scenes = film.scenes.map((scene, index) => {
    if (!isCode(scene)) return scene;
    const isWritten = files.some(({ path }) => path === scenePath(scene.id));
    const isPlanned = scene.notes !== undefined && index + 1 >= number;
    if (isWritten && !isPlanned) return scene;
    const fresh = readScene(scene.description, film, assets);
    return fresh === null ? scene : { ...fresh, id: scene.id, seconds: scene.seconds };
  });
  return scenes.every((scene, index) => scene === film.scenes[index]) ? film : { ...film, scenes };
}

const hasFormats = (files: readonly SourceFile[]) => files.some(({ path }) => path.startsWith('src/formats/'));
const olderProject =
  'I cannot change this film, because it was made with an earlier version of Koda. Start a new film with the same text, or use a language model.';

/**
 * Applies a change to the stored film and generates the files that differ. The plan records the last change in its film, so
 * that a retry does not apply it twice.
 */
async function writeChange(
  facts: AuthorContext,
  messageId: string,
  files: readonly SourceFile[],
  change: (film: Film, words: string) => Changed | Promise<Changed>,
): Promise<Written> {
  const words = facts.messages.find(({ id }) => id === messageId)?.content ?? '';
  const task: GenerateCodeTask = { task: 'modify_existing', files: [filmPath], change: words };
  const unchanged = (message: string, render: RenderRequest | null = null): Written =>
    withRender({ files: [], deleted: [], summary: message, task, plan: null, message }, render);
  const { plan } = facts;
  if (plan === null) return unchanged('Nothing to change: the project has no plan yet.');
  const only = renderRequestIn(words);
  if (only !== null) return unchanged('', only);
  if (!hasFormats(files)) return unchanged(olderProject);

  const stored = storedFilm(plan).film;
  const isApplied = plan.change?.messageId === messageId;
  const { render } = changeFilm(stored, words, { assets: assetsOf(facts.assets) });
  const edited = new FilmFiles(files, [stored]).editedByHand(stored);
  const before = withCodeScenes(stored, new Set(edited.map(({ id }) => id)));
  const { film: changed, explanation } = isApplied
    ? { film: before, explanation: plan.change?.summary ?? '' }
    : await change(before, words);
  const after = withoutUnknownIcons(changed);
  const isSame = isDeepStrictEqual(after, stored);
  if (isSame && !isApplied) return unchanged(explanation, render);

  const { files: written, deleted, blocked } = new FilmFiles(files, [stored, after]).changesFor(before, after);
  if (blocked !== null)
    return unchanged(
      `I did not change the film, because that requires ${blocked}, which was edited by hand. A language model can change it; you can choose one in the settings.`,
    );
  const message = [
    explanation,
    ...edited.map((scene) => `“${outlineOfScene(scene).title}” was edited by hand, so it is now a code scene.`),
  ].join(' ');
  const draft: PlanDraft = { ...planOf(after, plan), change: { messageId, summary: explanation } };
  return withRender({ files: written, deleted, summary: message, task, plan: isSame ? null : draft, message }, render);
}

/** Adds the requested render, and a message about it. */
function withRender(written: Written, render: RenderRequest | null): Written {
  if (render === null) return written;
  const text = `I am rendering the final video ${describeRequest(render)}. You will find it under Renders.`;
  const message = [written.message, text].filter(Boolean).join(' ');
  return { ...written, summary: message, message, render };
}
