import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../server/lib/config.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

const serviceSchema = z.object({
  image: z.string().optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  cap_add: z.array(z.string()).optional(),
  network_mode: z.string().optional(),
  privileged: z.boolean().optional(),
  security_opt: z.array(z.string()).optional(),
  command: z.array(z.string()).nullish(),
  mem_limit: z.string().optional(),
  pids_limit: z.int().optional(),
  cpu_shares: z.int().optional(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  ports: z.array(z.object({ host_ip: z.string().optional(), published: z.string() })).default([]),
  volumes: z
    .array(
      z.object({
        type: z.string(),
        source: z.string(),
        target: z.string(),
        bind: z.object({ selinux: z.string().optional() }).optional(),
      }),
    )
    .default([]),
  healthcheck: z.unknown().optional(),
});
const composeSchema = z.object({ services: z.record(z.string(), serviceSchema) });

async function compose(environment: Record<string, string>, files = ['compose.yaml']) {
  const { stdout } = await run(
    process.env['DOCKER'] ?? '/usr/bin/docker',
    [
      ...['compose', '--env-file', '/dev/null', ...files.flatMap((file) => ['-f', `${root}/${file}`])],
      ...['config', '--format', 'json'],
    ],
    { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment } },
  );
  return composeSchema.parse(JSON.parse(stdout)).services;
}

describe('compose.yaml', () => {
  let services: Awaited<ReturnType<typeof compose>>;
  beforeAll(async () => {
    services = await compose({});
  });

  it('gives the engine only to the broker, which has no network and no ports', () => {
    const withEngine = Object.entries(services).filter(([, service]) =>
      service.volumes.some(({ source }) => source.endsWith('docker.sock')),
    );
    expect(withEngine.map(([name]) => name)).toEqual(['broker']);
    expect(services['broker']).toMatchObject({ network_mode: 'none', ports: [], read_only: true });
  });

  it('runs the app without root or capabilities, with ./data as its only writable persistent path', () => {
    const app = services['app'];
    expect(app).toMatchObject({
      user: '1000:1000',
      read_only: true,
      cap_drop: ['ALL'],
    });
    expect(app?.cap_add).toBeUndefined();
    expect(app?.healthcheck).toBeDefined();
    expect(app?.volumes.filter(({ type }) => type === 'bind')).toMatchObject([{ source: `${root}/data`, target: '/data' }]);
    expect(Object.values(services).some((service) => service.privileged === true)).toBe(false);
  });

  it('H4: runs app and broker with the system calls of a sandbox, and without the debugger that a signal opens', () => {
    for (const service of [services['app'], services['broker']]) {
      expect(service?.security_opt).toEqual(['no-new-privileges:true', 'seccomp:server/sandbox/seccomp.json']);
      expect(service?.command?.slice(0, 2)).toEqual(['node', '--disable-sigusr1']);
    }
  });

  it('H7: limits memory and processes of app and broker, and gives both eight times the CPU share of a sandbox', () => {
    expect(services['app']).toMatchObject({ cpu_shares: 2048, mem_limit: String(1024 ** 3), pids_limit: 512 });
    expect(services['broker']).toMatchObject({ cpu_shares: 2048, mem_limit: String(256 * 1024 ** 2), pids_limit: 128 });
  });

  it('F9: labels the data folder for both containers on a host with SELinux', () => {
    const mounts = [services['app'], services['broker']].map((service) =>
      service?.volumes.find(({ target }) => target === '/data'),
    );
    expect(mounts.map((mount) => mount?.bind?.selinux)).toEqual(['z', 'z']);
  });

  it('binds to the local machine by default', async () => {
    expect(services['app']?.ports).toMatchObject([{ host_ip: '127.0.0.1', published: '3000' }]);
    expect(services['app']?.environment['KODA_PUBLISHED_ON']).toBe('127.0.0.1');
    const open = await compose({ KODA_BIND: '0.0.0.0', KODA_PORT: '8080' });
    expect(open['app']?.ports).toMatchObject([{ host_ip: '0.0.0.0', published: '8080' }]);
    expect(open['app']?.environment['KODA_PUBLISHED_ON']).toBe('0.0.0.0');
  });
});

describe('compose.model.yaml', () => {
  it('46.8: adds a model without ports, rights or access to Koda’s files, with a fixed version and a memory limit', async () => {
    const { model, ...studio } = await compose({}, ['compose.yaml', 'compose.model.yaml']);
    expect(Object.keys(studio).toSorted()).toEqual(Object.keys(await compose({})).toSorted());
    expect(model).toMatchObject({ read_only: true, cap_drop: ['ALL'], ports: [], mem_limit: String(6 * 1024 ** 3) });
    expect(model?.cap_add).toBeUndefined();
    expect(model?.healthcheck).toBeDefined();
    expect(model?.volumes).toMatchObject([{ type: 'volume', source: 'models' }]);
    expect(model?.image).toMatch(/^ghcr\.io\/ggml-org\/llama\.cpp:server-v\d+\.\d+\.\d+$/);
    expect(model?.command?.find((word) => word.startsWith('https:'))).toMatch(/\/resolve\/[0-9a-f]{40}\//);
  });

  it('46.8: the app uses this model alone, and sends it no key of another service', async () => {
    const key = { ANTHROPIC_API_KEY: 'sk-ant-secret', KODA_MODEL: 'claude-sonnet-5-5', KODA_MODEL_GENERATOR: 'claude-opus-5-5' };
    const { app, model } = await compose(key, ['compose.yaml', 'compose.model.yaml']);
    const words = model?.command ?? [];
    const wordAfter = (name: string) => words[words.indexOf(name) + 1];
    // Compose passes on no value for a name without one.
    const values = Object.entries(app?.environment ?? {}).filter(([, value]) => value !== null);
    expect(readConfig(Object.fromEntries(values) as Record<string, string>).models).toMatchObject({
      connection: { baseUrl: `http://model:${wordAfter('--port')}`, apiKey: null, authToken: null },
      orchestrator: wordAfter('--alias'),
      generator: null,
      api: 'chat',
      contextTokens: Number(wordAfter('--ctx-size')),
    });
  });

  it('46.8: changes nothing of the app besides its model', async () => {
    const alone = (await compose({}))['app'];
    const both = (await compose({}, ['compose.yaml', 'compose.model.yaml']))['app'];
    const modelSettings = /^(?:ANTHROPIC_|KODA_MODEL)/;
    const others = (environment: Record<string, string | null> = {}) =>
      Object.entries(environment).filter(([name]) => !modelSettings.test(name));
    expect({ ...both, environment: others(both?.environment) }).toEqual({ ...alone, environment: others(alone?.environment) });
  });
});
