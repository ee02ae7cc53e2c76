import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { build } from 'vite';
import { z } from 'zod';
import { endWithThisProcess } from '../fixtures/child-processes.ts';
import { freePort } from '../fixtures/free-port.ts';
import { until, whileProgress } from '../fixtures/progress.ts';
import { findBrowser } from './browser.ts';
import { studioVariable } from './studio.ts';

const root = resolve(import.meta.dirname, '../..');

interface RunningStudio {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Finds the browser, builds the page and starts one studio per worker, unless `KODA_URL` names one. Returns a function that
 * ends them.
 */
export default async function globalSetup({ workers }: FullConfig): Promise<() => Promise<void>> {
  findBrowser();
  if (process.env['KODA_URL']) return () => Promise.resolve();
  await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
  const started = await Promise.allSettled(Array.from({ length: workers }, (_, worker) => startStudio(worker)));
  const studios = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async () => void (await Promise.all(studios.map((studio) => studio.stop())));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  for (const [worker, { url }] of studios.entries()) process.env[studioVariable(worker)] = url;
  return stop;
}

/** Starts a server with its own data folder and sandboxes, so that workers do not affect each other's projects. */
async function startStudio(worker: number): Promise<RunningStudio> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'koda-e2e-'));
  const results = join(root, 'test-results');
  await mkdir(results, { recursive: true });
  const log = createWriteStream(join(results, logName(worker)));
  const server = spawn(process.execPath, ['server/main.ts', 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      KODA_PORT: String(port),
      KODA_AUTO_FINAL: 'off',
      KODA_DATA_DIR: join(folder, 'data'),
      KODA_SOCKETS_DIR: join(folder, 's'),
      KODA_SANDBOXES: '8',
      KODA_SANDBOX: process.env['KODA_SANDBOX'] ?? 'docker',
      KODA_INSTANCE: `${process.env['KODA_INSTANCE'] ?? 'koda'}-e2e-${worker}`,
    },
  });
  endWithThisProcess(server);
  server.stdout?.pipe(log);
  server.stderr?.pipe(log);

  const url = `http://localhost:${port}`;
  const stop = async () => {
    if (server.exitCode === null) await deleteProjects(url);
    await end(server);
    log.end();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await answering(url, server, logName(worker));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

const logName = (worker: number) => `e2e-server-${worker}.log`;

async function answering(url: string, server: ChildProcess, log: string): Promise<void> {
  await until(`the start of the server (log: test-results/${log})`, async () => {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}: see test-results/${log}.`);
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    return answer?.ok === true;
  });
}

/** Deleting a project deletes its sandbox, so that no container is left behind. */
async function deleteProjects(url: string): Promise<void> {
  const listed = await fetch(`${url}/api/projects?limit=100`);
  const { items } = z.object({ items: z.array(z.object({ id: z.string() })) }).parse(await listed.json());
  for (const { id } of items) await fetch(`${url}/api/projects/${id}`, { method: 'DELETE' });
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await whileProgress('the end of the server', () => ended).catch(() => server.kill('SIGKILL'));
}
