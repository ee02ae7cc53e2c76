import { readFileSync } from 'node:fs';
import { type Film, type FilmOutline, filmPath, scenePath } from '#contract/film.ts';
import { codeFilm, filmOutlineOf, isCode } from '#contract/film-outline.ts';
import { defaultWritableRoots } from '#contract/paths.ts';
import { validatePlan } from '#contract/plan-rules.ts';
import { changeKey, type PlanDraft } from '#contract/project.ts';
import { toolNames } from '#contract/tools.ts';
import { operatorLimits } from '../../sandbox/sandbox.ts';
import type { KindDefinition, ReadText } from '../kind.ts';
import { assetsOf, builtInAuthor, printedTodo, readScene, seedOf } from './author.ts';
import { checkFilm, type FrameScope } from './check/check-film.ts';
import {
  editedFilm,
  planOf,
  problemsOf,
  readFilm,
  readOlderFilm,
  type SceneReader,
  storedFilm,
  withCodeScenes,
} from './document.ts';
import { editedDocument } from './edit-film.ts';
import { changesToFollow, scenesEditedByHand } from './follow-document.ts';
import { printScene } from './print.ts';
import { withPrinted } from './set-scenes.ts';
import { textsOf } from './texts.ts';
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

/** The film project kind. Its stored name is `animation`. */
export const filmKind: KindDefinition = {
  id: 'animation',
  title: 'Animation',
  noun: 'film',
  template: 'animation',
  writableRoots: defaultWritableRoots,
  sandbox: { ...operatorLimits, idleMinutes: 5 },
  limits: { maxSteps: 400, maxIdenticalCalls: 5, maxRunMinutes: 90, maxTokens: 20_000_000, maxCostUsd: 25 },
  startsFromArchive: false,
  requiredFiles: ['package.json', 'index.html'],
  tools: toolNames,
  ownTools: filmTools,
  builtIn: builtInAuthor,
  generatorFiles: {
    always: ['src/film.ts', 'src/theme.ts'],
    described: ['src/kit/', 'src/stage/', 'src/formats/', 'src/themes/', 'src/icons.ts', 'src/film.json'],
  },
  prompts: { workflow: prompt('workflow'), generator: prompt('generator') },
  planTodos: (plan) => [
    { key: 'setup', title: 'Set up the film' },
    ...plan.sections.map(({ title }, index) => ({ key: `scene:${index + 1}`, title: `Animate “${title}”` })),
    ...closing,
  ],
  changeTodos: (message) => [{ key: changeKey(message.id), title: shorten(`Change: ${message.content}`) }, ...closing],
  isPreview: (key) => key === 'preview',
  isFinalStep: (key) => closing.some((todo) => todo.key === key),
  steps: { live: 'sandbox_start_preview', check: 'check_animation', show: 'render_preview' },
  previewText: {
    finished: 'Here is the preview. Accept it, or say what to change: colours, sizes, speed, text, scenes.',
    changed: 'Here is the changed film. Does it look right?',
  },
  outline: {
    shown({ id, revision, accepted, ...plan }) {
      return { id, revision, accepted, ...filmOutlineOf(plan) };
    },
    problems: validatePlan,
    proposed: (outline, { projectId }) => planOf(codeFilm(outline, seedOf(projectId)), outline),
    edited(before, outline, { assets, parsesText }) {
      const uploads = assetsOf(assets);
      const { film, outline: outlineBefore } = storedFilm(before);
      const read: SceneReader = (text, next) => (parsesText ? readScene(text, next, uploads) : null);
      return planOf(editedFilm(film, outlineBefore, outline, read), { ...before, caveat: outline.caveat });
    },
  },
  document: {
    problems: problemsOf,
    edit: editedDocument,
    changesToFollow: (plan, read, { isProposed = false } = {}) => changesToFollow(storedFilm(plan).film, read, { isProposed }),
    async withHandwork(plan, edits, read) {
      const { film } = storedFilm(plan);
      const ids = edits.flatMap((edit) => (edit.type === 'field' || edit.type === 'format' ? [edit.scene] : []));
      const edited = await scenesEditedByHand(film, ids, read);
      return edited.length === 0 ? null : planOf(withCodeScenes(film, new Set(edited)), plan);
    },
    imported: async (read, { name }) => (await planInFiles(read)) ?? unknownFilm(name),
  },
  print: { written: printedTodo, withPrinted },
  check: {
    scopeOf: (todoKey) => ({ key: todoKey ?? 'check', isWhole: isWholeFilm(todoKey) }),
    run(sandbox, { plan, scope, ...request }, options) {
      const { film, outline } = storedFilm(plan);
      return checkFilm(sandbox, { film: outline, scope: framesFor(scope.key, film, outline), ...request }, options);
    },
  },
  finalRender: { kind: 'final', format: 'mp4', resolution: '1080p', fps: 60 },
  rendered: filmOutlineOf,
};

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
  return !['setup', 'scene', 'change'].includes(form);
}

/** Returns which frames to check before a todo is done. */
function framesFor(todoKey: string, film: Film, { scenes, durationSeconds }: FilmOutline): FrameScope {
  const [form, argument] = formOf(todoKey);
  switch (form) {
    case 'setup':
      return { atSeconds: [], wholeFilm: false, texts: [] };
    case 'scene': {
      const scene = scenes.find(({ number }) => number === Number(argument));
      const atSeconds = scene ? spread(changeFrames, scene.startSeconds, scene.durationSeconds) : [];
      return { atSeconds, wholeFilm: false, texts: [] };
    }
    case 'change':
      return { atSeconds: spread(changeFrames, 0, durationSeconds), wholeFilm: false, texts: [] };
    default:
      return { atSeconds: spread(filmFrames, 0, durationSeconds), wholeFilm: true, texts: textsOf(film) };
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
