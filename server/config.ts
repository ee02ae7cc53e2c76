import { resolve } from 'node:path';
import { z } from 'zod';
import { failpointSchema } from './failpoint.ts';

const port = z.coerce.number().int().min(0).max(65535);
const megabytes = z.coerce.number().int().positive();

/** Every environment variable that Koda reads; `.env.example` documents each (a test compares the two). */
export const environmentSchema = z.object({
  KODA_PORT: port.default(3000),
  /** Address to listen on inside the process; compose publishes it on 127.0.0.1 unless KODA_BIND says otherwise. */
  KODA_HOST: z.string().default('127.0.0.1'),
  KODA_DATA_DIR: z.string().default('data'),
  /** Further names under which the studio may be reached, comma-separated (`studio.example.org`). */
  KODA_ALLOWED_HOSTS: z.string().default(''),
  /** Domain whose subdomains serve the previews. */
  PREVIEW_DOMAIN: z.string().default('localhost'),
  KODA_INSTANCE: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/)
    .default('koda'),
  KODA_SANDBOX: z.enum(['docker', 'process']).default('docker'),
  /** Unix socket of the broker; empty = this process talks to the container engine itself (development). */
  KODA_BROKER_SOCKET: z.string().default(''),
  /** Folder that holds one folder of sockets per sandbox. Short: a socket's path has at most 107 bytes. */
  KODA_SOCKETS_DIR: z.string().default('/tmp/koda-sockets'),
  /** Named volume that is mounted at KODA_SOCKETS_DIR (compose); empty = a folder of this host. */
  KODA_SOCKETS_VOLUME: z.string().default(''),
  /** Unix socket of the container engine; compose mounts it into the broker at this default. */
  KODA_DOCKER_SOCKET: z.string().default('/var/run/docker.sock'),
  KODA_SANDBOX_IMAGE: z.string().default('koda-sandbox:latest'),
  KODA_SANDBOX_MEMORY_MB: megabytes.default(4096),
  KODA_SANDBOX_CPUS: z.coerce.number().positive().default(2),
  KODA_RENDER_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  /** Renders at work at a time; empty = as many as the machine has shares of KODA_SANDBOX_CPUS and KODA_SANDBOX_MEMORY_MB. */
  KODA_RENDERS: z.coerce.number().int().min(1).max(64).optional(),
  /** What the data folder may take; empty = as much as the disk has. */
  KODA_DISK_LIMIT_MB: megabytes.optional(),
  /** What has to stay free on its disk for anything new to begin. */
  KODA_DISK_RESERVE_MB: z.coerce.number().int().min(0).default(256),
  /** Where the server shall die, for tests of recovery (`server/failpoint.ts`); empty = nowhere. */
  KODA_FAILPOINT: failpointSchema.optional(),
  KODA_LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

export type Config = Readonly<{
  port: number;
  host: string;
  dataDir: string;
  allowedHosts: readonly string[];
  previewDomain: string;
  instance: string;
  sandbox: 'docker' | 'process';
  brokerSocket: string | null;
  socketsDir: string;
  socketsVolume: string | null;
  dockerSocket: string;
  sandboxImage: string;
  sandboxMemoryBytes: number;
  sandboxCpus: number;
  renderWorkers: number;
  /** Null = as many as the machine carries. */
  renders: number | null;
  /** Null = as much as the disk has. */
  diskLimitBytes: number | null;
  diskReserveBytes: number;
  failpoint: z.output<typeof failpointSchema> | null;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}>;

/**
 * Reads the environment once, at the start. The only reader of `process.env` in the server.
 * Throws an Error whose message names each variable that is wrong and what was expected.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const known = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environmentSchema.safeParse(known);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The configuration is not usable. ${problems.join('; ')}. See .env.example.`);
  }
  const env = parsed.data;
  return Object.freeze({
    port: env.KODA_PORT,
    host: env.KODA_HOST,
    dataDir: resolve(env.KODA_DATA_DIR),
    allowedHosts: env.KODA_ALLOWED_HOSTS.split(',')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
    previewDomain: env.PREVIEW_DOMAIN,
    instance: env.KODA_INSTANCE,
    sandbox: env.KODA_SANDBOX,
    brokerSocket: env.KODA_BROKER_SOCKET || null,
    socketsDir: resolve(env.KODA_SOCKETS_DIR),
    socketsVolume: env.KODA_SOCKETS_VOLUME || null,
    dockerSocket: env.KODA_DOCKER_SOCKET,
    sandboxImage: env.KODA_SANDBOX_IMAGE,
    sandboxMemoryBytes: env.KODA_SANDBOX_MEMORY_MB * 1024 * 1024,
    sandboxCpus: env.KODA_SANDBOX_CPUS,
    renderWorkers: env.KODA_RENDER_WORKERS,
    renders: env.KODA_RENDERS ?? null,
    diskLimitBytes: env.KODA_DISK_LIMIT_MB === undefined ? null : env.KODA_DISK_LIMIT_MB * 1024 * 1024,
    diskReserveBytes: env.KODA_DISK_RESERVE_MB * 1024 * 1024,
    failpoint: env.KODA_FAILPOINT ?? null,
    logLevel: env.KODA_LOG_LEVEL,
  });
}
