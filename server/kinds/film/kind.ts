import { readFileSync } from 'node:fs';
import { defaultWritableRoots } from '#contract/paths.ts';
import { changeKey, type PlanDraft } from '#contract/project.ts';
import { type GenerateCodeTask, toolNames } from '#contract/tools.ts';
import { filmEditsSchema } from '#kinds/film/contract/edit.ts';
import { type Film, type FilmOutline, filmOutlineSchema, filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { chipsOf, codeFilm, filmOf, filmOutlineOf, isCode, renderedFilmOf } from '#kinds/film/contract/outline.ts';
import { validatePlan } from '#kinds/film/contract/plan-rules.ts';
import { seenHintsSchema } from '#kinds/film/contract/reading.ts';
import type { Kind, ReadText } from '../../projects/kind.ts';
import { operatorLimits } from '../../sandbox/sandbox.ts';
import { assetsOf, builtInAuthor, printedTodo, readScene, seedOf } from './author/author.ts';
import { jsonPath } from './author/one-call.ts';
import { unusedWords } from './author/plan-film.ts';
import { checkFilm, type FrameScope } from './check/check-film.ts';
import { textsOf } from './check/expected-texts.ts';
import {
  editedFilm,
  planOf,
  problemsOf,
  readFilm,
  readOlderFilm,
  type SceneReader,
  storedFilm,
  withCodeScenes,
} from './document/document.ts';
import { editedDocument } from './document/edit-film.ts';
import { changesToFollow, scenesEditedByHand } from './document/follow-document.ts';
import { upgradedPlan } from './document/older-plan.ts';
import { printScene } from './document/print.ts';
import { withPrinted } from './document/set-scenes.ts';
import { formatOf } from './formats/catalogue.ts';
import { offeredTools } from './offered-tools.ts';
import { filmTools } from './tools.ts';

const prompt = (name: string) => readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8');
const closing = [
  { key: 'check', title: 'Check the code and the frames' },
  { key: 'preview', title: 'Render the preview' },
];
const titleCharacters = 120;
/** Number of frames to check in a whole film: several for each of up to a dozen scenes. */
const filmFrames = 12;
/** Number of frames to check after a single scene or change: entrance, hold and exit. */
const changeFrames = 3;
const setupFrames = 6;
/** Limit of one inspection. */
const maxFrames = 30;

/** The film that a user saw consists of formats, whose fields are checked like all others. */
const makeableHintsSchema = seenHintsSchema.superRefine(({ film }, { addIssue }) => {
  for (const [index, scene] of (film?.scenes ?? []).entries()) {
    const path = ['film', 'scenes', index];
    const format = isCode(scene) ? null : formatOf(scene.format);
    if (isCode(scene) || format === null)
      addIssue({ code: 'custom', path: [...path, 'format'], message: 'must be the id of a format' });
    else
      for (const issue of format.props.safeParse(scene.props).error?.issues ?? [])
        addIssue({ code: 'custom', path: [...path, 'props', ...issue.path], message: issue.message });
  }
});

/** The film project kind. Its stored name is `animation`. */
export const filmKind = {
  id: 'animation',
  title: 'Animation',
  noun: 'film',
  template: 'film',
  writableRoots: defaultWritableRoots,
  sandbox: { ...operatorLimits, idleMinutes: 5 },
  limits: { maxSteps: 400, maxIdenticalCalls: 5, maxRunMinutes: 90, maxTokens: 20_000_000, maxCostUsd: 25 },
  tools: [...toolNames, ...filmTools.map(({ name }) => name)],
  ownTools: filmTools,
  offeredTools,
  author: builtInAuthor,
  jsonPath,
  workflow: {
    type: 'build',
    prompt: prompt('workflow'),
    shown: ({ id, revision, accepted, ...plan }) => ({ id, revision, accepted, ...filmOutlineOf(plan) }),
    problems: problemsOf,
    planTodos: (plan) => [
      { key: 'setup', title: 'Set up the film' },
      ...plan.sections.map(({ title }, index) => ({ key: `scene:${index + 1}`, title: `Animate “${title}”` })),
      ...closing,
    ],
    changeTodos: (message) => [{ key: changeKey(message.id), title: shorten(`Change: ${message.content}`) }, ...closing],
    isFinalStep: (key) => closing.some((todo) => todo.key === key),
    previewText: {
      finished: 'Here is the preview. Accept it, or say what to change: colours, sizes, speed, text, scenes.',
      changed: 'Here is the changed film. Does it look right?',
    },
  },
  generator: {
    prompt: prompt('generator'),
    files: {
      always: ['src/film.ts', 'src/theme.ts'],
      described: ['src/kit/', 'src/stage/', 'src/formats/', 'src/themes/', 'src/drawing/', 'src/icons.ts', 'src/film.json'],
    },
    checkKey,
    printed: printedTodo,
    withPrinted,
  },
  outline: {
    schema: filmOutlineSchema,
    problems: validatePlan,
    proposed(proposal, { projectId }) {
      const outline = filmOutlineSchema.parse(proposal);
      return planOf(codeFilm(outline, seedOf(projectId)), outline);
    },
    edited(before, edit, { assets, parsesText }) {
      const outline = filmOutlineSchema.parse(edit);
      const uploads = assetsOf(assets);
      const { film, outline: outlineBefore } = storedFilm(before);
      const read: SceneReader = (text, next) => (parsesText ? readScene(text, next, uploads) : null);
      return planOf(editedFilm(film, outlineBefore, outline, read), { ...before, caveat: outline.caveat });
    },
  },
  document: {
    unused: (draft, prompt) => unusedWords(prompt, storedFilm(draft).film),
    edit: (before, edits, options) => editedDocument(before, filmEditsSchema.parse(edits), options),
    changesToFollow: (plan, read, { isProposed = false } = {}) => changesToFollow(storedFilm(plan).film, read, { isProposed }),
    async withHandwork(plan, edits, read) {
      const { film } = storedFilm(plan);
      const ids = filmEditsSchema
        .parse(edits)
        .flatMap((edit) => (edit.type === 'field' || edit.type === 'format' ? [edit.scene] : []));
      const edited = await scenesEditedByHand(film, ids, read);
      return edited.length === 0 ? null : planOf(withCodeScenes(film, new Set(edited)), plan);
    },
  },
  preview: { live: 'sandbox_start_preview', show: 'render_preview', isTodo: (key) => key === 'preview' },
  check: {
    tool: 'check_animation',
    scopeOf: (todoKey) => ({ key: todoKey ?? 'check', isWhole: isWholeFilm(todoKey) }),
    run(sandbox, { plan, scope, ...request }, options) {
      const { film, outline } = storedFilm(plan);
      return checkFilm(sandbox, { film: outline, scope: framesFor(scope.key, film, outline), ...request }, options);
    },
  },
  output: { onAccept: { kind: 'final', format: 'mp4', resolution: '1080p' }, rendered: renderedFilmOf },
  archive: {
    requiredFiles: ['package.json', 'index.html'],
    startsWork: false,
    imported: async (read, { name }) => (await planInFiles(read)) ?? unknownFilm(name),
  },
  hints: { schema: makeableHintsSchema, chips: (hints) => chipsOf(seenHintsSchema.parse(hints)) },
  planUpgrade: { version: 2, upgraded: upgradedPlan },
} satisfies Kind;

/** Reads the plan from a project's files. A scene whose file differs from the generated one becomes a code scene. */
async function planInFiles(read: ReadText): Promise<PlanDraft | null> {
  const text = (await read(filmPath)) ?? '';
  const film = readFilm(text);
  if (film === null) return readOlderFilm(text);
  const edited = new Set<string>();
  for (const scene of film.scenes)
    if (!isCode(scene) && (await read(scenePath(scene.id))) !== printScene(scene).content) edited.add(scene.id);
  const plan = planOf(withCodeScenes(film, edited));
  return problemsOf(plan).length === 0 ? plan : null;
}

/** Returns a plan with a single scene of default length, for files that describe no film. */
function unknownFilm(name: string): PlanDraft {
  const scene = { id: 'scene-1', seconds: 6, title: 'The imported film', description: 'The film as it was imported.' };
  const caveat = `The file does not state the film’s length and aspect ratio (${filmPath}). Choose them when you render it.`;
  const look = { style: 'smooth', theme: 'studio', aspect: '16:9', fps: 60, seed: 1, language: 'en', colors: {} } as const;
  return planOf({ version: 3, title: name, ...look, music: null, scenes: [{ ...scene, code: true }] }, { caveat });
}

const formOf = (todoKey: string | null) => (todoKey ?? 'check').split(':', 2);

function isWholeFilm(todoKey: string | null): boolean {
  const [form = ''] = formOf(todoKey);
  return !['setup', 'component', 'scene', 'change'].includes(form);
}

/** Returns the todo key whose check covers a task: that of the scenes that it writes, or names the files of. */
function checkKey(task: GenerateCodeTask, { plan, todoKey }: { plan: PlanDraft; todoKey: string | null }): string {
  switch (task.task) {
    case 'initial_setup':
      return 'setup';
    case 'create_component':
      return 'component';
    case 'create_scene':
      return `scene:${task.scenes.join(',')}`;
    case 'modify_existing': {
      const paths = new Set(task.files);
      const numbers = (filmOf(plan)?.scenes ?? []).flatMap(({ id }, index) => (paths.has(scenePath(id)) ? [index + 1] : []));
      return numbers.length > 0 ? `scene:${numbers.join(',')}` : (todoKey ?? 'change');
    }
  }
}

/** Returns which frames to check before a todo is done. */
function framesFor(todoKey: string, film: Film, { scenes, durationSeconds }: FilmOutline): FrameScope {
  const [form, argument = ''] = formOf(todoKey);
  const formatScenes = film.scenes.flatMap((scene) => (isCode(scene) ? [] : [scene.id]));
  const part = { wholeFilm: false, mayBeBlank: false, texts: [], formatScenes };
  switch (form) {
    case 'setup':
      return { ...part, atSeconds: spread(setupFrames, 0, durationSeconds), mayBeBlank: true };
    case 'component':
      return { ...part, atSeconds: [] };
    case 'scene': {
      const numbers = argument.split(',').map(Number);
      const named = scenes.filter(({ number }) => numbers.includes(number));
      const atSeconds = named.flatMap((scene) => spread(changeFrames, scene.startSeconds, scene.durationSeconds));
      const texts = textsOf(film).filter(({ scene }) => numbers.includes(scene.number));
      return { ...part, texts, atSeconds: atSeconds.slice(0, maxFrames) };
    }
    case 'change':
      return { ...part, atSeconds: spread(changeFrames, 0, durationSeconds) };
    default:
      return {
        ...{ formatScenes, atSeconds: spread(filmFrames, 0, durationSeconds), wholeFilm: true, mayBeBlank: false },
        texts: textsOf(film),
        accent: film.colors.accent,
      };
  }
}

/** Divides a time range into equal parts and returns their centres. */
function spread(count: number, startSeconds: number, durationSeconds: number): number[] {
  return Array.from({ length: count }, (_, index) => startSeconds + ((index + 0.5) / count) * durationSeconds);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= titleCharacters) return line;
  // The cut may leave half of a surrogate pair at the end.
  return `${line.slice(0, titleCharacters - 1).replace(/\p{Cs}$/u, '')}…`;
}
