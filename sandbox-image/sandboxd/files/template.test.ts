import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { initWorkspace } from './template.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'koda-template-')));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('T4: the compiler’s state of a new project names its files and packages', async () => {
  const template = join(folder, 'templates/film');
  for (const name of ['.koda', 'src', 'node_modules/react']) mkdirSync(join(template, name), { recursive: true });
  for (const name of ['src/main.tsx', 'node_modules/react/index.d.ts']) writeFileSync(join(template, name), name);
  const state = { fileNames: ['lib.dom.d.ts', '../node_modules/react/index.d.ts', '../src/main.tsx'] };
  writeFileSync(join(template, '.koda/types.tsbuildinfo'), JSON.stringify(state));
  const workspace = join(folder, 'deep/down/workspace');
  mkdirSync(workspace, { recursive: true });
  await initWorkspace(workspace, join(folder, 'templates'), 'film');
  const moved = JSON.parse(readFileSync(join(workspace, '.koda/types.tsbuildinfo'), 'utf8')) as typeof state;
  const paths = moved.fileNames.slice(1).map((name) => realpathSync(join(workspace, '.koda', name)));
  expect(paths).toEqual([join(template, 'node_modules/react/index.d.ts'), join(workspace, 'src/main.tsx')]);
  expect(moved.fileNames[1]).not.toContain('../node_modules');
});
