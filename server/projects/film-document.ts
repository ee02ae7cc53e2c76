import { createHash } from 'node:crypto';
import { sceneFile } from '../authors/director/emit/scene-code.ts';
import { filmFile } from '../authors/director/emit/setup-code.ts';
import {
  type Film,
  type FilmScene,
  filmPath,
  filmSchema,
  filmText,
  planMark,
  readFilm,
  type Scene,
  scenePath,
} from '../contract/film.ts';
import type { Plan } from '../contract/project.ts';
import { type ListedFilm, type ListedScene, listedIn, parametersIn, themeIn } from './film-code.ts';

/** What a project's film is known from. */
export interface FilmSources {
  /** The accepted plan; null = there is none. */
  readonly plan: Plan | null;
  readonly prompt: string;
  /** For a film whose code names none. */
  readonly seed: number;
  /** Numbers of the planned scenes that are still to be written. */
  readonly unwritten: ReadonlySet<number>;
  /** Text files under `src/`. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/** Scenes overlap by up to this much in code, and follow each other in the document. */
const overlapSeconds = 0.8;
const neutral = {
  backgroundTop: '#f4f2ee',
  backgroundBottom: '#dcd8d1',
  ink: '#2b2d33',
  accent: '#e2654a',
  helper: '#8fa6c4',
} as const;

/**
 * The document of a film as it is true now, from the document before, the plan and the code, whoever wrote them: words are
 * the plan's once it has changed, times, colours and parameters the code's where they can be read, and a scene whose file is
 * not the one that the director wrote for it is marked as code. Null when there is neither a plan nor a document.
 */
export function filmOf(sources: FilmSources): Film | null {
  const { plan, files } = sources;
  const textOf = (path: string): string | null => files.find((file) => file.path === path)?.content ?? null;
  const text = textOf(filmPath);
  const before = text === null ? null : readFilm(text).film;
  const outline = plan !== null && before?.follows !== planMark(plan) ? plan : before;
  if (outline === null) return null;

  const listing = textOf('src/film.ts');
  // The director's own list says what the document says, with the overlaps of its scenes.
  const isOwnListing = before !== null && listing === filmFile(before).content;
  const listed: ListedFilm =
    listing === null || isOwnListing ? { durationSeconds: null, music: null, scenes: [] } : listedIn(listing);
  const theme = themeIn(textOf('src/theme.ts') ?? '');
  const ids = idsOf(outline.scenes, before, listed);
  const scenes = outline.scenes.map((scene, index): FilmScene => {
    const id = ids[index] ?? `scene-${scene.number}`;
    const known = before?.scenes.find((one) => one.id === id) ?? null;
    const written = sources.unwritten.has(scene.number) ? null : textOf(scenePath(id));
    const place = isOwnListing ? undefined : listed.scenes.find((one) => one.id === id);
    const timed = timedBy(scene, place);
    if (before === null || known === null) return { ...blank(id), ...timed, background: place?.background ?? null };
    const worded = { ...known, ...timed, background: place === undefined ? known.background : place.background };
    return written === null ? worded : marked(worded, known, written, before);
  });
  const film: Film = {
    version: 2,
    title: outline.title,
    prompt: before?.prompt ?? sources.prompt,
    seed: theme.seed ?? before?.seed ?? sources.seed,
    style: theme.style ?? outline.style,
    aspect: outline.aspect,
    fps: outline.fps,
    durationSeconds: listed.durationSeconds ?? outline.durationSeconds,
    palette: theme.palette ?? before?.palette ?? neutral,
    music: isOwnListing || listing === null ? (before?.music ?? null) : listed.music,
    scenes,
    parameters: files
      .filter(({ path }) => /\.tsx?$/.test(path))
      .flatMap(({ path, content }) => parametersIn(content, sceneOf(path, ids))),
    ...(before?.lastChange === undefined ? {} : { lastChange: before.lastChange }),
    ...(plan === null ? {} : { follows: planMark(plan) }),
  };
  // What was read out of code may be anything; a document that breaks the bounds is none.
  const checked = filmSchema.safeParse(film);
  return checked.success ? checked.data : before;
}

/** The files, with the document of the film as it is true now. */
export function withFilm(sources: FilmSources): FilmSources['files'] {
  const film = filmOf(sources);
  if (film === null) return sources.files;
  return [...sources.files.filter(({ path }) => path !== filmPath), { path: filmPath, content: filmText(film) }];
}

/** The id of each planned scene: that of the same place in the code's list, else of the same number in the document. */
function idsOf(scenes: readonly Scene[], before: Film | null, listed: ListedFilm): string[] {
  if (listed.scenes.length === scenes.length) return listed.scenes.map(({ id }) => id);
  return scenes.map(({ number }) => before?.scenes.find((one) => one.number === number)?.id ?? `scene-${number}`);
}

const blank = (id: string) =>
  ({ id, source: 'code', speed: 1, camera: 'static', subjects: [], texts: [] }) as const satisfies Partial<FilmScene>;

/** A planned scene's words, and its times: the code's, where they are others and no mere overlap. */
function timedBy(
  { number, title, startSeconds, durationSeconds, description, animationNotes }: Scene,
  place: ListedScene | undefined,
) {
  const words = { number, title, description, animationNotes };
  const [start, duration] = [place?.startSeconds ?? null, place?.durationSeconds ?? null];
  if (start === null || duration === null || duration === 0) return { ...words, startSeconds, durationSeconds };
  const isNear =
    Math.abs(start - startSeconds) <= overlapSeconds &&
    Math.abs(start + duration - startSeconds - durationSeconds) <= overlapSeconds;
  return isNear ? { ...words, startSeconds, durationSeconds } : { ...words, startSeconds: start, durationSeconds: duration };
}

/** A written scene with its mark; what is known of one in code is its texts that its file still has. */
function marked(scene: FilmScene, known: FilmScene, written: string, before: Film): FilmScene {
  const hash = createHash('sha256').update(written).digest('hex');
  const isOwn =
    known.source === 'document' &&
    (known.codeHash === undefined ? sceneFile(before, known).content === written : known.codeHash === hash);
  if (isOwn) return { ...scene, codeHash: hash };
  const { codeHash: _, still: __, ...rest } = scene;
  const texts = known.texts.filter(({ text }) => text !== '' && written.includes(text));
  return { ...rest, source: 'code', speed: 1, camera: 'static', subjects: [], texts };
}

/** The scene that a file belongs to; null when it is another's or everybody's. */
function sceneOf(path: string, ids: readonly string[]): string | null {
  return ids.find((id) => scenePath(id) === path) ?? null;
}
