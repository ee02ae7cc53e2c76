import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { filmPath, filmText, readFilm } from '../contract/film.ts';
import { readAll } from '../lib/read-all.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { ProjectDeps } from './deps.ts';
import { type FilmSources, filmOf } from './film-document.ts';

const filmFiles = new Set([filmPath, 'src/film.ts', 'src/theme.ts']);
const scenesFolder = 'src/scenes/';
/** What is read of one file, and of how many; a film has 15 scenes at most. */
const maxFileBytes = 400_000;
const maxFiles = 60;

/** What the film of a project is known from, besides its files. */
export function filmFacts({ project, plan, todos }: ProjectState): Omit<FilmSources, 'files'> {
  const unwritten = todos.flatMap(({ key, status }) => {
    const number = /^scene:(\d+)$/.exec(key)?.[1];
    return number === undefined || status === 'done' ? [] : [Number(number)];
  });
  return {
    plan: plan?.accepted === true ? plan : null,
    prompt: project.prompt,
    // A number of 31 bits that belongs to the project.
    seed: createHash('sha256').update(project.id).digest().readUInt32BE(0) >>> 1,
    unwritten: new Set(unwritten),
  };
}

/**
 * Brings the document of the film up to date with the plan and with the code, whoever wrote them. Called after files were
 * placed or the plan changed, before the files are kept.
 */
export async function keepFilm(
  { store }: Pick<ProjectDeps, 'store'>,
  projectId: string,
  { sandbox, signal }: { readonly sandbox: Sandbox; readonly signal: AbortSignal },
): Promise<void> {
  const state = await store.state(projectId);
  if (state.plan?.accepted !== true) return;
  const files = await readFilmFiles(sandbox, signal);
  const film = filmOf({ ...filmFacts(state), files });
  if (film === null) return;
  const before = readFilm(files.find(({ path }) => path === filmPath)?.content ?? '').film;
  if (isDeepStrictEqual(film, before)) return;
  const { path, sizeBytes } = await sandbox.writeFile(filmPath, Buffer.from(filmText(film)), { signal });
  await store.record(projectId, [{ type: 'file.written', path, sizeBytes }]);
}

async function readFilmFiles(sandbox: Sandbox, signal: AbortSignal): Promise<{ path: string; content: string }[]> {
  const { files } = await sandbox.listFiles('src', { recursive: true, signal });
  const wanted = files.filter(
    ({ type, path, sizeBytes }) =>
      type === 'file' &&
      sizeBytes <= maxFileBytes &&
      (filmFiles.has(path) || (path.startsWith(scenesFolder) && path.endsWith('.tsx'))),
  );
  const texts: { path: string; content: string }[] = [];
  for (const { path } of wanted.slice(0, maxFiles)) {
    const content = await readAll(await sandbox.readFile(path, { signal }), maxFileBytes);
    texts.push({ path, content: content.toString('utf8') });
  }
  return texts;
}
