import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { filmPath, type PlanDraft, readFilm, scenePath } from '../contract/film.ts';
import { newId } from '../contract/ids.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectDeps } from './deps.ts';
import { keepFilm } from './film-document.ts';

it('X1: the document in a sandbox is brought up to date once, and a hand’s change is marked', async () => {
  const old = JSON.parse(readFileSync('test/fixtures/film-version-1.json', 'utf8')) as {
    plan: PlanDraft;
    files: { path: string; content: string }[];
  };
  const files = new Map(old.files.map(({ path, content }) => [path, content]));
  const sandbox = {
    listFiles: async (folder: string) => ({
      complete: true,
      files:
        folder === ''
          ? [{ path: 'src', type: 'directory', sizeBytes: 0 }]
          : [...files].map(([path, content]) => ({ path, type: 'file', sizeBytes: Buffer.byteLength(content) })),
    }),
    readFile: async (path: string) => Readable.from([Buffer.from(files.get(path) ?? '')]),
    writeFile: async (path: string, content: Buffer) => {
      files.set(path, content.toString());
      return { path, sizeBytes: content.length };
    },
  } as unknown as Sandbox;
  const plan = { ...old.plan, id: newId('plan'), revision: 1, accepted: true };
  const events: unknown[] = [];
  const store = {
    state: async () => ({ project: { id: newId('prj'), prompt: 'x' }, plan, todos: [] }),
    record: async (_id: string, bodies: unknown[]) => void events.push(...bodies),
  } as unknown as ProjectDeps['store'];
  const keep = () => keepFilm({ store }, 'p', { sandbox, signal: AbortSignal.timeout(5_000) });
  const film = () => readFilm(files.get(filmPath) ?? '').film;

  await keep();
  expect(events).toEqual([{ type: 'file.written', path: filmPath, sizeBytes: expect.any(Number) }]);
  expect(film()?.scenes.map(({ source }) => source)).toEqual(['document', 'document']);
  expect(film()?.parameters.length).toBeGreaterThan(0);
  await keep();
  expect(events).toHaveLength(1);
  files.set(scenePath('scene-2'), 'export const title = 1;\n');
  await keep();
  expect(film()?.scenes.map(({ source }) => source)).toEqual(['document', 'code']);
  expect(events).toHaveLength(2);
});
