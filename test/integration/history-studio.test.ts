import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Project } from '#contract/project.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { startTestStudio } from '../fixtures/app.ts';
import { tempDir } from '../fixtures/storage.ts';

const launcher = join(import.meta.dirname, '../../scripts/koda.sh');
const run = promisify(execFile);

it('X4 F10: the command line keeps, compares, rewinds, branches, exports, imports and clones with a real sandbox', async () => {
  await using studio = await startTestStudio();
  using folder = tempDir();
  const koda = async (...args: string[]) => {
    const { stdout } = await run(launcher, ['--url', studio.url, ...args], {
      cwd: folder.path,
      timeout: 600_000,
      env: { ...process.env, KODA_DATA_DIR: studio.dataDir },
    });
    return stdout.trim();
  };
  const { id } = await studio.send<Project>('POST', '/api/projects', { prompt: 'A red ball', start: false });
  const note = `/api/projects/${id}/files/public/note.txt`;
  const write = async (text: string) => expect((await studio.call(note, { method: 'PUT', body: text })).status).toBe(200);
  const read = async (project: string) => await (await studio.call(`/api/projects/${project}/files/public/note.txt`)).text();

  // The project has no sandbox yet, so the request waits for one.
  await write('one\n');
  const first = await koda('checkpoint', id, 'The first words');
  const [firstId = ''] = first.split(' ');
  await write('two\n');
  const history = (await koda('history', id)).split('\n');
  expect(history[0]).toContain('(1 file: public/note.txt)');
  expect(await koda('diff', id)).toBe('M  public/note.txt  +1 -1');
  const [newest = ''] = history[0]?.split(' ') ?? [];
  expect(await koda('diff', id, newest, 'public/note.txt')).toContain('-one\n+two');

  await koda('rewind', id, firstId);
  expect(await read(id)).toBe('one\n');
  await koda('rewind', id, newest);
  expect(await read(id)).toBe('two\n');

  const [branched = ''] = (await koda('branch', id, firstId, '--name', 'Other words')).split(' ');
  await studio.send('POST', `/api/projects/${branched}/sandbox`);
  expect(await read(branched)).toBe('one\n');

  const zip = await koda('export', id, 'film.zip');
  const [imported = ''] = (await koda('import', zip)).split(' ');
  await studio.send('POST', `/api/projects/${imported}/sandbox`);
  expect(await read(imported)).toBe('two\n');

  await run(
    'git',
    ['clone', '--quiet', `${studio.url.replace('//', `//koda:${readLocalKey(studio.dataDir)}@`)}/git/${id}.git`, 'clone'],
    { cwd: folder.path },
  );
  expect(readFileSync(join(folder.path, 'clone/public/note.txt'), 'utf8')).toBe('two\n');
  expect((await run('git', ['log', '--format=%s'], { cwd: join(folder.path, 'clone') })).stdout).toContain('Restored “');
});
