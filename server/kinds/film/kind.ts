import { readFileSync } from 'node:fs';
import { filmPath, type PlanDraft, scenePath } from '#contract/film.ts';
import { changeKey, type Plan } from '#contract/project.ts';
import { toolNames } from '#contract/tools.ts';
import type { KindDefinition } from '../../authors/kind.ts';
import type { CheckScope } from '../../tools/checks/check-work.ts';
import { assetsOf, printedTodo, readScene } from './author.ts';
import { editedFilm, isCode, planOf, readFilm, readOlderFilm, withCodeScenes } from './document.ts';
import { editedDocument } from './edit-film.ts';
import { changesToFollow, scenesEditedByHand } from './follow-document.ts';
import { printScene } from './print.ts';
import { formatInfos, setScenes, withPrinted } from './set-scenes.ts';
import { textsOf } from './texts.ts';

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
  capabilities: ['plan', 'preview', 'render', 'assets'],
  services: ['sandbox', 'dev-server', 'browser', 'encoder'],
  template: 'animation',
  limits: { maxSteps: 400, maxIdenticalCalls: 5, maxRunMinutes: 90, maxTokens: 20_000_000, maxCostUsd: 25 },
  inputs: ['prompt', 'style', 'assets'],
  outputs: ['video', 'thumbnail'],
  tools: toolNames,
  generatorFiles: {
    always: ['src/film.ts', 'src/theme.ts'],
    described: ['src/kit/', 'src/stage/', 'src/formats/', 'src/themes/', 'src/icons.ts', 'src/film.json'],
  },
  prompts: { workflow: prompt('workflow'), generator: prompt('generator') },
  planTodos: (plan) => [
    { key: 'setup', title: 'Set up the film' },
    ...plan.scenes.map((scene) => ({ key: `scene:${scene.number}`, title: `Animate “${scene.title}”` })),
    ...closing,
  ],
  changeTodos: (message) => [{ key: changeKey(message.id), title: shorten(`Change: ${message.content}`) }, ...closing],
  isPreview: (key) => key === 'preview',
  isFinalStep: (key) => closing.some((todo) => todo.key === key),
  checkFor,
  editedPlan(before, edit, { assets, parsesText }) {
    if (before?.film == null) return { ...edit, film: null };
    const uploads = assetsOf(assets);
    const film = editedFilm(before.film, before, edit, (text, next) => (parsesText ? readScene(text, next, uploads) : null));
    // A language model keeps its own outline, whose scenes may overlap.
    return parsesText ? planOf(film, edit.caveat) : { ...edit, film };
  },
  document: {
    edit: editedDocument,
    changesToFollow,
    async withHandwork(film, edits, read) {
      const ids = edits.flatMap((edit) => (edit.type === 'field' || edit.type === 'format' ? [edit.scene] : []));
      const edited = await scenesEditedByHand(film, ids, read);
      return edited.length === 0 ? null : planOf(withCodeScenes(film, new Set(edited)), null);
    },
  },
  formats: { list: formatInfos, setScenes, printed: printedTodo, withPrinted },
  plannedIn,
};

/** Reads the plan from a project's files. A scene whose file differs from the generated one becomes a code scene. */
async function plannedIn(read: (path: string) => Promise<string | null>): Promise<PlanDraft | null> {
  const text = (await read(filmPath)) ?? '';
  const film = readFilm(text);
  if (film === null) return readOlderFilm(text);
  const edited = new Set<string>();
  for (const scene of film.scenes)
    if (!isCode(scene) && (await read(scenePath(scene.id))) !== printScene(scene).content) edited.add(scene.id);
  return planOf(withCodeScenes(film, edited), null);
}

function checkFor(todoKey: string | null, plan: Plan): CheckScope {
  const [form, argument] = (todoKey ?? 'check').split(':', 2);
  switch (form) {
    case 'setup':
      return { atSeconds: [], wholeFilm: false, texts: [] };
    case 'scene': {
      const scene = plan.scenes.find(({ number }) => number === Number(argument));
      const atSeconds = scene ? spread(changeFrames, scene.startSeconds, scene.durationSeconds) : [];
      return { atSeconds, wholeFilm: false, texts: [] };
    }
    case 'change':
      return { atSeconds: spread(changeFrames, 0, plan.durationSeconds), wholeFilm: false, texts: [] };
    default:
      return {
        atSeconds: spread(filmFrames, 0, plan.durationSeconds),
        wholeFilm: true,
        texts: plan.film == null ? [] : textsOf(plan.film),
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
  // Removes half of a surrogate pair.
  return `${line.slice(0, titleCharacters - 1).replace(/\p{Cs}$/u, '')}…`;
}
