import { resolve } from 'node:path';
import { z } from 'zod';
import { type Effort, effortSchema } from '../contract/project.ts';
import { anthropicUrl, hasNoCredentials, minContextTokens } from '../contract/settings.ts';
import { type Boundary, boundarySchema } from '../contract/tools.ts';
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
  /** What a sandbox's files may take on the disk of the container engine. */
  KODA_SANDBOX_DISK_MB: megabytes.default(16_384),
  /** What has to stay free on that disk; below it sandboxes are stopped, the largest first. */
  KODA_SANDBOX_DISK_RESERVE_MB: z.coerce.number().int().min(0).default(512),
  KODA_RENDER_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  /** Renders at work at a time; empty = as many as the machine has shares of KODA_SANDBOX_CPUS and KODA_SANDBOX_MEMORY_MB. */
  KODA_RENDERS: z.coerce.number().int().min(1).max(64).optional(),
  /** What one run of the agent may use; empty = what the kind of project allows. */
  KODA_RUN_MAX_STEPS: z.coerce.number().int().positive().optional(),
  KODA_RUN_MAX_MINUTES: z.coerce.number().positive().optional(),
  KODA_RUN_MAX_TOKENS: z.coerce.number().int().positive().optional(),
  KODA_RUN_MAX_COST_USD: z.coerce.number().positive().optional(),
  /** What the data folder may take; empty = as much as the disk has. */
  KODA_DISK_LIMIT_MB: megabytes.optional(),
  /** What has to stay free on its disk for anything new to begin. */
  KODA_DISK_RESERVE_MB: z.coerce.number().int().min(0).default(256),
  /** The key of Anthropic's service, or of one that speaks like it. */
  ANTHROPIC_API_KEY: z.string().default(''),
  /** A bearer token instead of a key. */
  ANTHROPIC_AUTH_TOKEN: z.string().default(''),
  /** A server that speaks the Messages API; one without a key needs no other setting than this and KODA_MODEL. */
  ANTHROPIC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .refine(hasNoCredentials, {
      message: 'Leave the user and the password out of it; put a key into ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN',
    })
    .default(anthropicUrl),
  /** The model that leads, or `director`: the built-in one. Empty = the director without a key, else Claude. */
  KODA_MODEL: z.string().default(''),
  /** The model that writes code; empty = KODA_MODEL. */
  KODA_MODEL_GENERATOR: z.string().default(''),
  /** How much the models think; empty = as they have it by default. */
  KODA_MODEL_EFFORT: effortSchema.optional(),
  KODA_MODEL_OUTPUT_TOKENS: z.coerce.number().int().min(256).default(32_000),
  /** Tokens of request and answer together; empty = what is known of the model. */
  KODA_MODEL_CONTEXT_TOKENS: z.coerce.number().int().min(minContextTokens).optional(),
  /** Whether the models can look at pictures; empty = what is known of them. */
  KODA_MODEL_SEES: z.enum(['yes', 'no']).optional(),
  /** How long a model may say nothing before its first word and in a call; an answer has 15 minutes in all. */
  KODA_MODEL_SILENCE_SECONDS: z.coerce.number().int().min(90).max(900).default(300),
  /** What the agent may do by itself, comma-separated: `final_render`, `discard` (a sandbox with unsaved work). */
  KODA_AGENT_MAY: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    )
    .pipe(z.array(boundarySchema)),
  /** 1 = every exchange with a model is written to `recordings/` of the data folder, without keys. */
  KODA_RECORD: z.enum(['0', '1']).default('0'),
  /** Where the server shall die, for tests of recovery (`server/failpoint.ts`); empty = nowhere. */
  KODA_FAILPOINT: failpointSchema.optional(),
  KODA_LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

/** Where models are asked, and what opens the door. */
export interface ModelConnection {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly authToken: string | null;
}

interface ModelOptions {
  readonly effort: Effort | null;
  readonly maxOutputTokens: number;
  readonly contextTokens: number | null;
  readonly canSee: boolean | null;
  readonly record: boolean;
}

/** Language models over the Messages API. */
export interface ModelConfig extends ModelConnection, ModelOptions {
  readonly orchestrator: string;
  readonly generator: string;
}

/** What the environment says of the models. It outranks the settings page, which says what is left open here. */
export interface ModelEnvironment extends ModelOptions {
  /** Null = left open. */
  readonly connection: ModelConnection | 'director' | null;
  /** The variables that say so. */
  readonly connectionVariables: readonly string[];
  readonly orchestrator: string | null;
  readonly generator: string | null;
}

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
  sandboxDiskBytes: number;
  sandboxDiskReserveBytes: number;
  renderWorkers: number;
  /** Null = as many as the machine carries. */
  renders: number | null;
  /** Only what the operator has set; the rest is the kind's. */
  runLimits: Readonly<Partial<Record<'maxSteps' | 'maxRunMinutes' | 'maxTokens' | 'maxCostUsd', number>>>;
  /** Null = as much as the disk has. */
  diskLimitBytes: number | null;
  diskReserveBytes: number;
  models: ModelEnvironment;
  modelSilenceMs: number;
  agentMay: ReadonlySet<Boundary>;
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
    sandboxDiskBytes: env.KODA_SANDBOX_DISK_MB * 1024 * 1024,
    sandboxDiskReserveBytes: env.KODA_SANDBOX_DISK_RESERVE_MB * 1024 * 1024,
    renderWorkers: env.KODA_RENDER_WORKERS,
    renders: env.KODA_RENDERS ?? null,
    runLimits: Object.freeze({
      ...(env.KODA_RUN_MAX_STEPS === undefined ? {} : { maxSteps: env.KODA_RUN_MAX_STEPS }),
      ...(env.KODA_RUN_MAX_MINUTES === undefined ? {} : { maxRunMinutes: env.KODA_RUN_MAX_MINUTES }),
      ...(env.KODA_RUN_MAX_TOKENS === undefined ? {} : { maxTokens: env.KODA_RUN_MAX_TOKENS }),
      ...(env.KODA_RUN_MAX_COST_USD === undefined ? {} : { maxCostUsd: env.KODA_RUN_MAX_COST_USD }),
    }),
    diskLimitBytes: env.KODA_DISK_LIMIT_MB === undefined ? null : env.KODA_DISK_LIMIT_MB * 1024 * 1024,
    diskReserveBytes: env.KODA_DISK_RESERVE_MB * 1024 * 1024,
    models: modelsOf(env),
    modelSilenceMs: env.KODA_MODEL_SILENCE_SECONDS * 1000,
    agentMay: new Set(env.KODA_AGENT_MAY),
    failpoint: env.KODA_FAILPOINT ?? null,
    logLevel: env.KODA_LOG_LEVEL,
  });
}

/** A key, a token or a server of one's own means language models; by its name, the director works. */
function modelsOf(env: z.output<typeof environmentSchema>): ModelEnvironment {
  const isDirector = env.KODA_MODEL === 'director';
  return {
    connection: isDirector ? 'director' : connectionOf(env),
    connectionVariables: isDirector
      ? ['KODA_MODEL']
      : [
          ...(env.ANTHROPIC_API_KEY === '' ? [] : ['ANTHROPIC_API_KEY']),
          ...(env.ANTHROPIC_AUTH_TOKEN === '' ? [] : ['ANTHROPIC_AUTH_TOKEN']),
          ...(isOwnServer(env) ? ['ANTHROPIC_BASE_URL'] : []),
        ],
    orchestrator: isDirector ? null : env.KODA_MODEL || null,
    generator: env.KODA_MODEL_GENERATOR || null,
    effort: env.KODA_MODEL_EFFORT ?? null,
    maxOutputTokens: env.KODA_MODEL_OUTPUT_TOKENS,
    contextTokens: env.KODA_MODEL_CONTEXT_TOKENS ?? null,
    canSee: env.KODA_MODEL_SEES === undefined ? null : env.KODA_MODEL_SEES === 'yes',
    record: env.KODA_RECORD === '1',
  };
}

const isOwnServer = (env: z.output<typeof environmentSchema>) => env.ANTHROPIC_BASE_URL !== anthropicUrl;

function connectionOf(env: z.output<typeof environmentSchema>): ModelConnection | null {
  const hasAccess = env.ANTHROPIC_API_KEY !== '' || env.ANTHROPIC_AUTH_TOKEN !== '' || isOwnServer(env);
  if (!hasAccess && env.KODA_MODEL === '') return null;
  if (!hasAccess) {
    throw new Error(
      `The configuration is not usable. KODA_MODEL: "${env.KODA_MODEL}" needs ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own; without either leave it empty, also to choose the model on the settings page. See .env.example.`,
    );
  }
  if (env.KODA_MODEL === '' && isOwnServer(env)) {
    throw new Error(
      `The configuration is not usable. KODA_MODEL: the server at ${env.ANTHROPIC_BASE_URL} needs the name of one of its models. See .env.example.`,
    );
  }
  return {
    baseUrl: env.ANTHROPIC_BASE_URL,
    apiKey: env.ANTHROPIC_API_KEY || null,
    authToken: env.ANTHROPIC_AUTH_TOKEN || null,
  };
}
