import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

const serviceSchema = z.object({
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  cap_add: z.array(z.string()).optional(),
  network_mode: z.string().optional(),
  privileged: z.boolean().optional(),
  security_opt: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  ports: z.array(z.object({ host_ip: z.string().optional(), published: z.string() })).default([]),
  volumes: z.array(z.object({ type: z.string(), source: z.string(), target: z.string() })).default([]),
  healthcheck: z.unknown().optional(),
});
const composeSchema = z.object({ services: z.record(z.string(), serviceSchema) });

async function compose(environment: Record<string, string>) {
  const { stdout } = await run(
    process.env['DOCKER'] ?? '/usr/bin/docker',
    ['compose', '--env-file', '/dev/null', '-f', `${root}/compose.yaml`, 'config', '--format', 'json'],
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
      security_opt: ['no-new-privileges:true'],
    });
    expect(app?.cap_add).toBeUndefined();
    expect(app?.healthcheck).toBeDefined();
    expect(app?.volumes.filter(({ type }) => type === 'bind')).toMatchObject([{ source: `${root}/data`, target: '/data' }]);
    expect(Object.values(services).some((service) => service.privileged === true)).toBe(false);
  });

  it('binds to the local machine by default', async () => {
    expect(services['app']?.ports).toMatchObject([{ host_ip: '127.0.0.1', published: '3000' }]);
    expect(services['app']?.environment['KODA_PUBLISHED_ON']).toBe('127.0.0.1');
    const open = await compose({ KODA_BIND: '0.0.0.0', KODA_PORT: '8080' });
    expect(open['app']?.ports).toMatchObject([{ host_ip: '0.0.0.0', published: '8080' }]);
    expect(open['app']?.environment['KODA_PUBLISHED_ON']).toBe('0.0.0.0');
  });
});
