import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { DevServer } from '../../sandbox-image/sandboxd/preview/dev-server.ts';

const templates = join(import.meta.dirname, '../../sandbox-image/templates');
const workspace = mkdtempSync(join(tmpdir(), 'koda-modules-'));
const server = new DevServer(workspace);

afterEach(async () => {
  await server.stop();
  rmSync(workspace, { recursive: true, force: true });
});

it('F7: serves each module as its file is, although no watcher has reported the write', async () => {
  cpSync(join(templates, 'film'), workspace, { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(join(templates, 'film/node_modules'), join(workspace, 'node_modules'));
  const config = join(workspace, 'vite.config.ts');
  const withoutWatcher = readFileSync(config, 'utf8').replace(/^ {4}watch: .*$/m, '    watch: null,');
  expect(withoutWatcher).toContain('watch: null');
  writeFileSync(config, withoutWatcher);
  const file = join(workspace, 'src/answer of a test.ts');
  const { port } = await server.ensureRunning(AbortSignal.timeout(240_000));
  const served = async () => await (await fetch(`http://127.0.0.1:${port}/src/answer%20of%20a%20test.ts`)).text();
  for (const answer of ['first', 'second', 'third']) {
    writeFileSync(file, `export const answer = '${answer}';\n`);
    expect(await served()).toContain(answer);
  }
});
