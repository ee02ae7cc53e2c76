import { expect } from '@playwright/test';
import { projectSchema } from '../../server/contract/project.ts';
import { craftZip } from '../fixtures/zip.ts';
import { studioUrl } from './studio.ts';

/** The file that the page of a light film runs. */
export const lightScript = 'src/main.js';

/** A page that speaks with the studio as a film does, and draws next to nothing: it is there at once. */
export const lightFilmCode = `
const info = { durationSeconds: 4, width: 1920, height: 1080, fps: 30, scenes: [{ id: 'scene-1', title: 'One', startSeconds: 0, durationSeconds: 4 }] };
let playing = true;
let seconds = 0;
const post = (message) => window.parent.postMessage(message, '*');
const report = () => post({ type: 'koda:time', seconds, durationSeconds: 4, playing, playback: { speed: 1, loop: true, range: null } });
window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent) return;
  if (data.type === 'koda:play') playing = true;
  if (data.type === 'koda:pause') playing = false;
  if (typeof data.seconds === 'number') seconds = data.seconds;
  document.body.textContent = seconds.toFixed(3);
  report();
});
post({ type: 'koda:ready', info });
setInterval(() => playing && ((seconds = (seconds + 0.1) % 4), report()), 100);
`;

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
