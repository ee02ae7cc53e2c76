import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { craftZip } from '../fixtures/zip.ts';
import { studioUrl } from './studio.ts';

export const lightScript = 'src/main.js';

/** Longer than Vite's watcher ignores a file after a change. Unlike the template, a light film does not compensate for that. */
const unwatchedMs = 200;

/** A page that implements the film protocol but draws almost nothing, so it starts immediately. */
export const lightFilmCode = pageCode('light-film.js');

/** Returns a light film and these files as a project to import, whose preview starts on request. */
export function lightFilmZip(files: readonly { name: string; content: string }[] = []) {
  const page = `<!doctype html><title>Light</title><body><script>
    addEventListener('error', ({ message }) => parent.postMessage({ type: 'koda:error', message }, '*'));
  </script><script type="module" src="/src/main.js"></script>`;
  return craftZip([
    { name: 'package.json', content: '{ "name": "light", "type": "module" }' },
    { name: 'index.html', content: page },
    { name: lightScript, content: lightFilmCode },
    ...files,
  ]);
}

/** Creates a project from `lightFilmZip`. Returns its id. */
export async function lightFilm(files: readonly { name: string; content: string }[] = []): Promise<string> {
  const imported = await fetch(studioUrl('/api/projects/import'), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-filename': 'light.zip' },
    body: lightFilmZip(files),
  });
  return projectSchema.parse(await imported.json()).id;
}

/** Writes the film's code, as the agent or the user would. The sandbox must be running. */
export async function rewrite(projectId: string, code: string): Promise<void> {
  await delay(unwatchedMs);
  const answer = await fetch(studioUrl(`/api/projects/${projectId}/files/${lightScript}`), { method: 'PUT', body: code });
  expect(answer.ok).toBe(true);
}
