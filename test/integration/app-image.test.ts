import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort } from '../fixtures/free-port.ts';
import { newInstance } from '../fixtures/run.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const docker = process.env['DOCKER'] ?? '/usr/bin/docker';
const sandboxImage = process.env['KODA_SANDBOX_IMAGE'] ?? 'koda-sandbox:latest';
/** The base of both images. It is also the control: a sandbox starts with its layers. */
const baseImage = 'node:24-trixie-slim';

async function layersOf(image: string): Promise<string[]> {
  const { stdout } = await run(docker, ['image', 'inspect', image, '--format', '{{json .RootFS.Layers}}']);
  return z.array(z.string()).parse(JSON.parse(stdout));
}

// The build only adds a name if another build has made the same image, so removing the name leaves that image alone.
const appImage = `koda-app:test-${process.pid}`;
beforeAll(async () => {
  await run(docker, ['build', '--quiet', '--tag', appImage, '--file', 'server/Dockerfile', '.'], { cwd: root });
});
afterAll(async () => {
  await run(docker, ['image', 'rm', appImage]);
});

it('H4: the image of app and broker has no layer of the sandbox image', async () => {
  const [app, sandbox, base] = [await layersOf(appImage), await layersOf(sandboxImage), await layersOf(baseImage)];
  expect(app.filter((layer) => sandbox.includes(layer))).toEqual([]);
  expect(base.length).toBeGreaterThan(0);
  expect(sandbox.slice(0, base.length)).toEqual(base);
  // Its layers are flattened into an empty image, so nothing but the Dockerfile itself provides these.
  const command = 'node --version; git --version; id -u; pwd; ls -ld /data';
  const { stdout } = await run(docker, ['run', '--rm', '--network', 'none', appImage, 'sh', '-c', command]);
  expect(stdout).toMatch(/^v2\d\..*\ngit version .*\n1000\n\/app\n.* node node /);
});

/** Replaces only the image's name, and what belongs to this checkout: its `.env` and its data folder. */
const override = `
services:
  broker: &own
    image: ${appImage}
    pull_policy: never
    volumes: ["data:/data"]
  app:
    <<: *own
    env_file: !reset []
volumes:
  data:
`;

it('H1: compose.yaml starts app and broker with the environment of the image', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'koda-compose-'));
  await writeFile(join(folder, 'override.yaml'), override);
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    KODA_INSTANCE: newInstance(),
    KODA_PORT: String(port),
    KODA_SANDBOX_IMAGE: sandboxImage,
  };
  const files = ['--env-file', '/dev/null', '-f', join(root, 'compose.yaml'), '-f', join(folder, 'override.yaml')];
  const compose = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(docker, ['compose', '--project-directory', root, ...files, ...args], { env });
    return stdout;
  };
  try {
    await compose('up', '--detach', '--wait', '--no-build', 'broker', 'app').catch(async (error: unknown) => {
      throw new Error(await compose('logs', '--no-color'), { cause: error });
    });
    const key = (await compose('exec', '-T', 'app', 'cat', '/data/local-key')).trim();
    const answer = await fetch(`http://localhost:${port}/api/health`, { headers: { authorization: `Bearer ${key}` } });
    // The app knows this only from the broker, which asks the engine.
    expect(await answer.json()).toMatchObject({ sandbox: { available: true } });
  } finally {
    await compose('down', '--volumes', '--timeout', '5');
    await rm(folder, { recursive: true });
  }
});
