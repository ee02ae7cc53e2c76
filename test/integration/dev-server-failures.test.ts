import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { DevServer } from '../../sandbox-image/sandboxd/preview/dev-server.ts';
import { untilPasses } from '../fixtures/progress.ts';

const open: { server: DevServer; workspace: string }[] = [];
afterEach(async () => {
  for (const { server, workspace } of open.splice(0)) {
    await server.stop();
    rmSync(workspace, { recursive: true, force: true });
  }
});

/** Starts the dev server of a workspace on a system that fails it. */
function devServer(failure: 'exits' | 'logs' | 'always' | 'port' | 'ports'): DevServer {
  const workspace = mkdtempSync(join(tmpdir(), 'koda-dev-server-'));
  for (const folder of ['src', 'node_modules/vite/bin']) mkdirSync(join(workspace, folder), { recursive: true });
  writeFileSync(join(workspace, 'failure'), failure);
  const fixture = join(import.meta.dirname, '../fixtures/failing-vite.ts');
  symlinkSync(fixture, join(workspace, 'node_modules/vite/bin/vite.js'));
  const server = new DevServer(workspace);
  open.push({ server, workspace });
  return server;
}

const pageOf = async (server: DevServer) => {
  const { port } = await server.ensureRunning(AbortSignal.timeout(240_000));
  return await (await fetch(`http://127.0.0.1:${port}/`)).text();
};

it('F7: a dev server that ends because no file can be watched starts again and polls', async () => {
  expect(await pageOf(devServer('exits'))).toBe('polls');
});

it('F7: a dev server that stays but watches nothing starts again and polls', async () => {
  const server = devServer('logs');
  await untilPasses('the dev server to poll', async () => expect(await pageOf(server)).toBe('polls'));
  expect(server.status()).toMatchObject({ state: 'running', problems: [] });
});

it('F7: a watcher that fails although files are polled is a problem of the preview', async () => {
  const server = devServer('always');
  // The first dev server may end while it is asked.
  await untilPasses('the page', async () => void (await pageOf(server)));
  await untilPasses('the problem', async () => {
    expect(server.status().problems).toEqual([
      'The dev server does not notice changes of files: EMFILE: too many open files, watch',
    ]);
  });
});

it('A15: a dev server whose port another program has taken starts with another one', async () => {
  expect(await pageOf(devServer('port'))).toBe('watches');
});

it('A15: a dev server that finds each port taken fails with its output', async () => {
  const server = devServer('ports');
  await expect(pageOf(server)).rejects.toMatchObject({
    code: 'SERVER_FAILED',
    message: expect.stringMatching(/Port \d+ is already in use/),
  });
  expect(server.status()).toMatchObject({ state: 'failed' });
});
