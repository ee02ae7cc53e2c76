import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { routes } from '#contract/routes.ts';
import type { modelSettingsRequestSchema } from '#contract/settings.ts';
import { filmPath, scenePath } from '#kinds/film/contract/film.ts';
import { readFilm } from '../../server/kinds/film/document/document.ts';
import { type LeadingModelOptions, leadingModel, planOf } from '../fixtures/leading-model.ts';
import { type ModelServer, startModelServer } from '../fixtures/model-server.ts';
import { filmIn } from '../fixtures/plans.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const title = { text: 'Spring survey', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] };
const items = ['Tea', 'Milk'].map((text) => ({ text, icon: null, done: true }));
const quote = { text: 'Less, but better.', emphasis: null, author: 'Dieter Rams', role: null, portrait: null, stars: null };
const scenes = [
  { seconds: 1.5, format: 'title', props: title },
  { seconds: 1.5, format: 'checklist', props: { title: 'Packed', items } },
  { seconds: 1.5, code: true, title: 'A cube', description: 'A green cube turns.' },
  { seconds: 1.5, format: 'quote', props: quote },
];
const film = { title: 'Survey', style: 'smooth', theme: 'studio', aspect: '16:9', fps: 30, scenes };

let studio: Studio;
let server: ModelServer;
let projects: ReturnType<typeof projectsOf>;
const generated: string[] = [];

/** Proposes a film with formats, after one attempt with a mistake. */
const behaviour: LeadingModelOptions = {
  asksFirst: false,
  plan: () => planOf(['never']),
  instead({ phase, calls, todos }) {
    const call = (name: string, input: unknown) => ({ calls: [{ name, input }] });
    if (phase === 'executing') {
      const { key } = todos.find(({ status }) => status !== 'done') ?? {};
      generated.push(key ?? '');
      return null;
    }
    if (phase !== 'idle') return null;
    const steps = [
      call('list_formats', {}),
      call('list_formats', { id: 'quote' }),
      call('set_scenes', { ...film, scenes: [{ format: 'quote', props: { ...quote, text: '' } }] }),
      call('set_scenes', film),
    ];
    return steps[calls.length] ?? call('request_approval', { type: 'plan', content: 'A plan.' });
  },
};

beforeAll(async () => {
  server = await startModelServer((request) => leadingModel(behaviour)(request));
  studio = await startStudio({ sandbox: 'process' });
  projects = projectsOf(studio);
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Sets the author of later runs. */
const author = (body: z.input<typeof modelSettingsRequestSchema>) => studio.client.call(routes.saveModel, { body });

async function stored(id: string) {
  const { plan } = await projects.snapshot(id);
  const film = filmIn(plan);
  const files = await projects.files(id);
  expect(readFilm(files.get(filmPath) ?? '')).toEqual(film);
  return { files, sources: film.scenes.map((scene) => ('code' in scene ? 'code' : scene.format)), film };
}

async function accept(id: string, afterSeq: number): Promise<void> {
  const { seq } = await projects.waitForApproval(id, 'preview', afterSeq);
  await projects.post(id, 'preview', { action: 'accept' });
  await projects.until(id, seq, (event) => event.type === 'project.phase' && event.phase === 'complete');
}

it('A4 A9 X1 X16: a model fills three formats and writes one scene, and the built-in author goes on, also from a hand edit', async () => {
  await author({ provider: 'server', baseUrl: server.url, orchestrator: 'claude-sonnet-5-5', apiKey: 'sk-test' });
  const { id } = await projects.create('Sum up our spring survey');
  const { seq } = await projects.waitForApproval(id, 'plan', 0);
  await projects.post(id, 'plan', { action: 'accept' });
  await accept(id, seq);
  expect(server.complaints).toEqual([]);
  const made = await stored(id);
  expect(made.sources).toEqual(['title', 'checklist', 'code', 'quote']);
  expect(made.files.get(scenePath('scene-3'))).toContain('Cube');
  // The model received requests only for its own scene and the check.
  expect([...new Set(generated)]).toEqual(['scene:3', 'check']);

  await author({ provider: 'director' });
  const path = scenePath('scene-2');
  const byHand = `${made.files.get(path) ?? ''}// By hand\n`;
  const written = await fetch(`${studio.url}/api/projects/${id}/files/${path}`, { method: 'PUT', body: byHand });
  expect(written.ok).toBe(true);
  const complete = await projects.snapshot(id);
  await projects.post(id, 'messages', { content: 'more cinematic' });
  await accept(id, complete.seq);
  const cinematic = await stored(id);
  expect(cinematic.film.style).toBe('cinematic');
  expect(cinematic.sources).toEqual(['title', 'code', 'code', 'quote']);
  const differing = [...cinematic.files].filter(([name, content]) => made.files.get(name) !== content);
  expect(differing.map(([name]) => name).toSorted()).toEqual([filmPath, 'src/film.ts', path, 'src/theme.ts']);
  expect(cinematic.files.get(path)).toBe(byHand);
});
