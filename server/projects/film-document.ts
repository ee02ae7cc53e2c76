import { isCode, listPath, themePath } from '../authors/director/paths.ts';
import { filmPath, filmText } from '../contract/film.ts';
import { readAll } from '../lib/read-all.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectDeps } from './deps.ts';

/** Payload limits of a file, and of all. */
const maxFileBytes = 400_000;
const maxFiles = 60;

/**
 * Brings the document of the film up to date with the plan and the code: when a project opens, and before each checkpoint
 * of an author's work. An interrupted author writes its own part again: when `opening`, the document of a project with work
 * to do changes only if it is missing or of an older form.
 */
export async function keepFilm(
  { store }: Pick<ProjectDeps, 'store'>,
  projectId: string,
  { sandbox, signal, opening = false }: { readonly sandbox: Sandbox; readonly signal: AbortSignal; readonly opening?: boolean },
): Promise<void> {
  const { project, plan, todos } = await store.state(projectId);
  if (plan?.accepted !== true) return;
  const files = await filmFiles(sandbox, signal);
  if (files === null) return;
  const text = files.get(filmPath) ?? '';
  if (opening && text.includes('"version": 2,') && todos.some(({ status }) => status !== 'done')) return;
  const { documentOf } = await import('../authors/director/film-document.ts');
  const film = documentOf({ projectId, prompt: project.prompt, plan, todos }, files);
  if (film === null || filmText(film) === text) return;
  const { path, sizeBytes } = await sandbox.writeFile(filmPath, Buffer.from(filmText(film)), { signal });
  await store.record(projectId, [{ type: 'file.written', path, sizeBytes }]);
}

/**
 * The film's own texts by path, the most important first; what is too large or too much is left out. Null where no
 * document can be kept: there is no folder for it, something else has its name, or there are more files than are listed.
 */
async function filmFiles(sandbox: Sandbox, signal: AbortSignal): Promise<Map<string, string> | null> {
  const top = await sandbox.listFiles('', { recursive: false, signal });
  if (!top.files.some(({ path, type }) => path === 'src' && type === 'directory')) return null;
  const { files, complete } = await sandbox.listFiles('src', { recursive: true, signal });
  if (!complete || files.some(({ path, type }) => path === filmPath && type !== 'file')) return null;
  const rank = (path: string) =>
    path === filmPath ? 0 : path === listPath || path === themePath ? 1 : path.startsWith('src/scenes/') ? 2 : 3;
  const wanted = files
    .filter(({ type, path, sizeBytes }) => type === 'file' && sizeBytes <= maxFileBytes && (path === filmPath || isCode(path)))
    .toSorted((one, other) => rank(one.path) - rank(other.path))
    .slice(0, maxFiles);
  const texts = new Map<string, string>();
  for (const { path } of wanted) {
    const content = await readAll(await sandbox.readFile(path, { signal }), maxFileBytes);
    texts.set(path, content.toString('utf8'));
  }
  return texts;
}
