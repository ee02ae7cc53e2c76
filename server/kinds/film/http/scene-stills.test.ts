import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { ScreenshotRequest } from '#contract/sandbox/answers.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import { stillKey } from '#kinds/film/contract/still.ts';
import { shopFilm } from '../../../../test/fixtures/shop-film.ts';
import { tempStores, testPerson } from '../../../../test/fixtures/storage.ts';
import { type Sandbox, SandboxdError } from '../../../sandbox/sandbox.ts';
import { planOf } from '../document/document.ts';
import { printFilm } from '../document/print.ts';
import { SceneStills } from './scene-stills.ts';

const film = shopFilm(['Bread', 'Tea', 'Milk']);
const options = { signal: new AbortController().signal };

let stores: ReturnType<typeof tempStores>;
let id: string;
let files: Map<string, string>;
let taken: ScreenshotRequest[];
let concurrent: { now: number; max: number };
let rendering: boolean;
let sandbox: Sandbox | null;
let stills: SceneStills;

const filesOf = (one: Film) =>
  new Map([['src/formats/format-scene.tsx', ''], ...printFilm(one).map(({ path, content }) => [path, content] as const)]);

async function propose(next: Film, revision: number, phase: 'complete' | 'executing' = 'complete'): Promise<void> {
  await stores.projects.record(
    id,
    [
      { type: 'plan.proposed', plan: { ...planOf(next), id: 'plan_1', revision, accepted: true } },
      { type: 'project.phase', phase, previous: 'idle', error: null },
    ],
    { by: testPerson },
  );
}

beforeEach(async () => {
  stores = tempStores();
  id = newId('prj');
  const hints = { style: null, aspect: null, durationSeconds: null };
  await stores.projects.create({ by: testPerson, id, name: 'Film', kind: 'animation', prompt: 'Welcome', hints, events: [] });
  await propose(film, 1);
  files = filesOf(film);
  taken = [];
  concurrent = { now: 0, max: 0 };
  rendering = false;
  const calls: Partial<Sandbox> = {
    async readFile(path) {
      const content = files.get(path);
      if (content === undefined) throw new SandboxdError('FILE_NOT_FOUND', `There is no file "${path}".`, {});
      return Readable.from([Buffer.from(content)]);
    },
    async screenshot(request, { signal }) {
      taken.push(request);
      concurrent.now += 1;
      concurrent.max = Math.max(concurrent.max, concurrent.now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      concurrent.now -= 1;
      signal.throwIfAborted();
      return Buffer.from(`still ${request.seekToSeconds}`);
    },
  };
  sandbox = calls as Sandbox;
  stills = new SceneStills({
    store: stores.projects,
    sandboxes: { current: () => sandbox },
    isRendering: () => rendering,
  });
});
afterEach(() => stores[Symbol.dispose]());

const read = (at: number, of: Film = film) => {
  const sceneId = of.scenes[at]?.id ?? '';
  return stills.read(id, sceneId, stillKey({ film: of, revision: 1 }, sceneId) ?? '', options);
};

it('X7: captures a small still of each scene while it is held, one at a time, and once per content', async () => {
  await Promise.all([read(0), read(1), read(0)]);
  await read(1);
  expect(taken).toHaveLength(2);
  expect(concurrent.max).toBe(1);
  const [first] = film.scenes;
  expect(taken[0]).toMatchObject({ seekToSeconds: (first?.seconds ?? 0) * 0.65, width: 384, height: 216, format: 'jpeg' });
});

it('X7: an edit of one scene leaves the stills of the others valid', async () => {
  await Promise.all([read(0), read(1)]);
  const [first, ...others] = film.scenes;
  if (first === undefined || 'code' in first) throw new Error('expected a format');
  const next: Film = { ...film, scenes: [{ ...first, props: { ...first.props, kicker: 'New' } }, ...others] };
  await propose(next, 2);
  await expect(read(0)).rejects.toMatchObject({ code: 'CONFLICT' });
  await read(1, next);
  expect(taken).toHaveLength(2);
  const coming = read(0, next);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(taken).toHaveLength(2);
  files = filesOf(next);
  await coming;
  expect(taken).toHaveLength(3);
});

it('X7: a still waits for renders, for Koda and for the preview', async () => {
  const later = { code: 'SERVICE_UNAVAILABLE', recovery: 'retry' };
  rendering = true;
  await expect(read(0)).rejects.toMatchObject(later);
  rendering = false;
  await propose(film, 1, 'executing');
  await expect(read(0)).rejects.toMatchObject(later);
  await propose(film, 1);
  const running = sandbox;
  sandbox = null;
  await expect(read(0)).rejects.toMatchObject(later);
  sandbox = running;
  const capturing = read(0);
  while (taken.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  stills.yieldToRender();
  await expect(capturing).rejects.toMatchObject(later);
  expect(String(await read(0))).toMatch(/^still/);
});

it('X7: the order of fields does not change a still, and another theme does', () => {
  const [first] = film.scenes;
  if (first === undefined || 'code' in first) throw new Error('expected a format');
  const reversed = { ...first, props: Object.fromEntries(Object.entries(first.props).reverse()) };
  const key = (one: Film) => stillKey({ film: one, revision: 1 }, first.id);
  expect(key({ ...film, scenes: [reversed] })).toBe(key(film));
  expect(key({ ...film, theme: film.theme === 'neon' ? 'news' : 'neon' })).not.toBe(key(film));
});
