import {
  type Film,
  type FilmScene,
  filmPath,
  filmSchema,
  type PlanDraft,
  planMark,
  readFilm,
  type Scene,
  sceneIdOf,
  scenePath,
} from '../../contract/film.ts';
import type { ProjectFacts } from '../author.ts';
import { type FilmCode, filmCodeIn, type ListedScene, parametersIn, themeIn, titleIn } from './emit/read-code.ts';
import { sceneFile } from './emit/scene-code.ts';
import { hashOf, inOrder } from './emit/setup-code.ts';
import { seedOf } from './film-of.ts';
import { isCode, listPath, themePath } from './paths.ts';

/** A scene may start this much before the cut that the plan has (`generator.md`). */
const overlapSeconds = 0.5;
const neutral = {
  backgroundTop: '#f4f2ee',
  backgroundBottom: '#dcd8d1',
  ink: '#2b2d33',
  accent: '#e2654a',
  helper: '#8fa6c4',
} as const;

/**
 * The document of a film as it is true now, whoever wrote its plan, its code or the document before. Scenes, times, colours
 * and parameters are the code's where they can be read, words are the plan's, and a scene whose file is not the one that
 * the director wrote for it is marked as code. Until all planned scenes are written, the film is its plan. Null when
 * neither plan, document nor code say what the film is. `files` are the texts under `src/`.
 */
export function documentOf(
  facts: Pick<ProjectFacts, 'projectId' | 'prompt' | 'plan' | 'todos'>,
  files: ReadonlyMap<string, string>,
): Film | null {
  const before = readFilm(files.get(filmPath) ?? '').film;
  const unwritten = unwrittenIn(facts.todos);
  const code = unwritten.size > 0 ? null : filmCodeIn(files.get(listPath) ?? '');
  const outline = outlineFrom(facts.plan, before, code);
  if (outline === null) return null;

  const theme = themeIn(files.get(themePath) ?? '');
  const scenes = placesIn(outline, before, code).map(({ id, place }, index): FilmScene => {
    const text = files.get(scenePath(id));
    const known = before?.scenes.find((scene) => scene.id === id) ?? null;
    const words = wordsOf(outline, {
      id,
      index,
      title: place?.title ?? titleIn(text ?? ''),
      isWhole: code?.scenes.length === outline.scenes.length,
    });
    const timed = {
      ...timedBy(words ?? known ?? unknownWords(place?.title ?? id, outline.durationSeconds), place),
      id,
      number: index + 1,
      background: place === null ? (known?.background ?? null) : place.background,
    };
    const isWritten = text !== undefined && !unwritten.has(timed.number);
    if (before !== null && known !== null && (!isWritten || isOwn(known, text, { before, files })))
      return { ...known, ...timed, ...(isWritten ? { codeHash: hashOf(text) } : {}) };
    return { ...timed, ...inCode, ...(place?.isStill === true ? { still: 'everything' as const } : {}) };
  });
  const hasScenes = code !== null && code.scenes.length > 0;
  const checked = filmSchema.safeParse({
    ...before,
    version: 2,
    title: outline.title,
    prompt: before?.prompt ?? facts.prompt,
    seed: theme.seed ?? before?.seed ?? seedOf(facts.projectId),
    style: theme.style ?? outline.style,
    aspect: code?.aspect ?? outline.aspect,
    fps: code?.fps ?? outline.fps,
    durationSeconds: code?.durationSeconds ?? outline.durationSeconds,
    palette: theme.palette ?? before?.palette ?? neutral,
    music: hasScenes ? code.music : (before?.music ?? null),
    scenes,
    parameters: parametersOf(scenes, { before, unwritten, files }),
  });
  // What was read of code may be anything; what breaks the bounds of a film is none.
  return checked.success ? checked.data : before;
}

const inCode = { source: 'code', speed: 1, camera: 'static', subjects: [], texts: [] } as const satisfies Partial<FilmScene>;

const unknownWords = (title: string, durationSeconds: number): Omit<Scene, 'id' | 'number'> => ({
  title,
  description: 'Written in code.',
  animationNotes: 'As its code says.',
  startSeconds: 0,
  durationSeconds,
});

/** Numbers of the planned scenes that are still to be written. */
function unwrittenIn(todos: ProjectFacts['todos']): Set<number> {
  const open = todos.filter(({ status }) => status !== 'done');
  return new Set(open.flatMap(({ key }) => (/^scene:\d+$/.test(key) ? [Number(key.slice('scene:'.length))] : [])));
}

/** The words of the film: the plan's, unless the director changed the film since or there is none. */
function outlineFrom(plan: ProjectFacts['plan'], before: Film | null, code: FilmCode | null): PlanDraft | Film | null {
  const isAhead = before !== null && plan !== null && before.aheadOf === planMark(plan);
  if (plan?.accepted === true && !isAhead) return plan;
  if (before !== null || code === null || code.durationSeconds === null || code.scenes.length === 0) return before;
  const { title, durationSeconds, fps, aspect } = code;
  return {
    title: title ?? 'Film',
    style: 'smooth',
    aspect: aspect ?? '16:9',
    fps: fps ?? 60,
    durationSeconds,
    scenes: [],
    caveat: null,
  };
}

/** The scenes in their order: as the code lists them, else as they are planned. */
function placesIn(
  outline: PlanDraft | Film,
  before: Film | null,
  code: FilmCode | null,
): { id: string; place: ListedScene | null }[] {
  if (code !== null && code.scenes.length > 0) return code.scenes.map((place) => ({ id: place.id, place }));
  return outline.scenes.map((scene) => ({
    id: scene.id ?? before?.scenes.find(({ number }) => number === scene.number)?.id ?? sceneIdOf(scene),
    place: null,
  }));
}

/** The words of a scene: found by its title in the code, which is the plan's, else by its place or its id. */
function wordsOf(
  { scenes }: PlanDraft | Film,
  scene: { readonly id: string; readonly index: number; readonly title: string | null; readonly isWhole: boolean },
): Omit<Scene, 'id'> | null {
  const titled = scenes.filter(({ title }) => title === scene.title);
  if (titled.length === 1) return titled[0] ?? null;
  return (scene.isWhole ? scenes[scene.index] : scenes.find((one) => sceneIdOf(one) === scene.id)) ?? null;
}

/** Words with the times of the code, where these are others and no mere overlap with the scene before. */
function timedBy(
  { title, description, animationNotes, startSeconds, durationSeconds }: Omit<Scene, 'id' | 'number'>,
  place: ListedScene | null,
) {
  const words = { title, description, animationNotes };
  const [start, duration] = [place?.startSeconds ?? startSeconds, place?.durationSeconds ?? durationSeconds];
  const early = startSeconds - start;
  const isSame = Math.abs(start + duration - startSeconds - durationSeconds) < 0.01 && early > -0.01 && early <= overlapSeconds;
  return isSame ? { ...words, startSeconds, durationSeconds } : { ...words, startSeconds: start, durationSeconds: duration };
}

/**
 * Whether a scene's file is the one that the director wrote for it. Films of version 1 have no hashes: there a file is the
 * director's when it is what the scene gives today. An older version of the director wrote other code, so when that is
 * true of no scene, all count as its own.
 */
function isOwn(scene: FilmScene, text: string, { before, files }: { before: Film; files: ReadonlyMap<string, string> }): boolean {
  if (scene.source === 'code') return false;
  if (scene.codeHash !== undefined) return scene.codeHash === hashOf(text);
  const isOfToday = (one: FilmScene) => sceneFile(before, one).content === files.get(scenePath(one.id));
  return isOfToday(scene) || !before.scenes.some(isOfToday);
}

/** The parameters that the code declares, in the order of the scenes; those of scenes still to be written are as before. */
function parametersOf(
  scenes: readonly FilmScene[],
  { before, unwritten, files }: { before: Film | null; unwritten: ReadonlySet<number>; files: ReadonlyMap<string, string> },
): Film['parameters'] {
  const ofScenes = scenes.flatMap(({ id, number }) => {
    const text = unwritten.has(number) ? undefined : files.get(scenePath(id));
    return text === undefined ? (before?.parameters.filter(({ scene }) => scene === id) ?? []) : parametersIn(text, id);
  });
  const paths = new Set(scenes.map(({ id }) => scenePath(id)));
  const others = [...files]
    .filter(([path]) => isCode(path) && !paths.has(path))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return inOrder([...ofScenes, ...others.flatMap(([, text]) => parametersIn(text, null))], scenes);
}
