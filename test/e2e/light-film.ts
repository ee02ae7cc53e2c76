import { expect } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { craftZip } from '../fixtures/zip.ts';
import { studioUrl } from './studio.ts';

/** The file that the page of a light film runs. */
export const lightScript = 'src/main.js';

/** A page that speaks with the studio as a film does, and draws next to nothing: it is there at once. */
export const lightFilmCode = pageCode('light-film.js');

/** Makes a project with a light film, whose preview comes up as soon as it is looked at. Returns its id. */
export async function lightFilm(): Promise<string> {
  const page = `<!doctype html><title>Light</title><body><script>
    addEventListener('error', ({ message }) => parent.postMessage({ type: 'koda:error', message }, '*'));
  </script><script type="module" src="/src/main.js"></script>`;
  const zip = craftZip([
    { name: 'package.json', content: '{ "name": "light", "type": "module" }' },
    { name: 'index.html', content: page },
    { name: lightScript, content: lightFilmCode },
  ]);
  const imported = await fetch(studioUrl('/api/projects/import'), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', 'x-filename': 'light.zip' },
    body: zip,
  });
  return projectSchema.parse(await imported.json()).id;
}

/** Writes the film's code as the agent or somebody by hand does. The sandbox is awake. */
export async function rewrite(projectId: string, code: string): Promise<void> {
  const answer = await fetch(studioUrl(`/api/projects/${projectId}/files/${lightScript}`), { method: 'PUT', body: code });
  expect(answer.ok).toBe(true);
}
