import { isIP } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { type Effort, effortSchema } from '#contract/project.ts';
import {
  anthropicUrl,
  hasNoCredentials,
  type ModelApi,
  type ModelPath,
  minContextTokens,
  modelApiSchema,
  modelPathSchema,
} from '#contract/settings.ts';
import { type AgentPermission, agentPermissionSchema } from '#contract/tools.ts';
import { failpointSchema } from './failpoint.ts';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';
import { validationProblems } from './validation-error.ts';

const port = z.coerce.number().int().min(0).max(65535);
const megabytes = z.coerce.number().int().positive();

/** First segments of the studio's own paths. A prefix that starts with one would hide them. */
const ownPaths = /^\/(?:\.well-known|api|assets|docs|formats|git|mcp|metrics|p|proxy|schedules|settings|storage)(?:\/|$)/;

/** Outputs the address in its normal form, without a slash at its end. */
const publicUrlSchema = z
  .url({ protocol: /^https?$/, error: 'Set it to an address that starts with https:// or http://' })
  .transform((address) => new URL(address))
  .refine(({ username, password, search, hash }) => username + password + search + hash === '', {
    message: 'Remove the user name, password, query and fragment',
  })
  .refine(({ pathname }) => /^(?:\/[\w.~-]+)*\/?$/.test(pathname), {
    message: 'Use a path of letters, digits and “-”, “_”, “.” or “~”, such as /koda',
  })
  .refine(({ pathname }) => !ownPaths.test(pathname), { message: 'Choose another path: the studio uses this one itself' })
  .transform(({ origin, pathname }) => origin + pathname.replace(/\/$/, ''));

const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const addressListSchema = z
  .string()
  .default('')
  .transform(listOf)
  .pipe(z.array(z.url({ protocol: /^https?$/ }).refine(hasNoCredentials, { message: 'Remove the user name and password' })));

/** All environment variables that Koda reads. `.env.example` documents each; a test compares the two. */
export const environmentSchema = z.object({
  KODA_PORT: port.default(3000),
  /** Listen address. compose publishes the container's port on 127.0.0.1, unless KODA_BIND is set. */
  KODA_HOST: z.string().default('127.0.0.1'),
  /** Host address on which compose publishes the container's port. Empty: not published by compose. */
  KODA_PUBLISHED_ON: z.string().default(''),
  KODA_DATA_DIR: z.string().default('data'),
  /** Address of the studio for browsers and programs, with scheme, port and path. Empty: localhost and KODA_PORT. */
  KODA_PUBLIC_URL: publicUrlSchema.optional(),
  /** Additional host names for the studio, comma-separated (`studio.example.org`). */
  KODA_ALLOWED_HOSTS: z.string().default(''),
  /** Token that everybody needs for the page, the API, git and MCP. Empty: browsers on this computer need none. */
  KODA_ACCESS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{20,200}$/, 'Use 20 to 200 characters without spaces, for example from: openssl rand -base64 24')
    .optional(),
  /** Empty: the host of KODA_PUBLIC_URL, or localhost if that is an IP address. */
  PREVIEW_DOMAIN: z.string().default(''),
  KODA_INSTANCE: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/)
    .default('koda'),
  KODA_SANDBOX: z.enum(['docker', 'process']).default('docker'),
  /** The broker's Unix socket. Empty: this process uses the container engine directly (development). */
  KODA_BROKER_SOCKET: z.string().default(''),
  /** Folder with one socket folder per sandbox. Keep it short, because a socket path is limited to 107 bytes. */
  KODA_SOCKETS_DIR: z.string().default('/tmp/koda-sockets'),
  /** Named volume mounted at KODA_SOCKETS_DIR (compose). Empty: a host folder. */
  KODA_SOCKETS_VOLUME: z.string().default(''),
  /** The container engine's Unix socket. compose mounts it into the broker at this default path. */
  KODA_DOCKER_SOCKET: z.string().default('/var/run/docker.sock'),
  KODA_SANDBOX_IMAGE: z.string().default('koda-sandbox:latest'),
  /** Container runtime of the sandboxes, as `docker info` lists it (`runsc`, `kata`). Empty: the engine's default. */
  SANDBOX_RUNTIME: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { message: 'Set it to the name of a runtime that "docker info" lists' })
    .optional(),
  /** Number of sandboxes that run at once. Empty: one for every 6 GiB of memory, 1 to 8. */
  KODA_SANDBOXES: z.coerce.number().int().min(1).max(256).optional(),
  KODA_SANDBOX_MEMORY_MB: megabytes.default(4096),
  KODA_SANDBOX_CPUS: z.coerce.number().positive().default(2),
  /** Disk space limit for sandbox files on the container engine. */
  KODA_SANDBOX_DISK_MB: megabytes.default(16_384),
  /** Space to keep free on that disk. Below it, sandboxes are stopped, largest first. */
  KODA_SANDBOX_DISK_RESERVE_MB: z.coerce.number().int().min(0).default(512),
  KODA_RENDER_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  /** Number of parallel renders. Empty: as many sandboxes as the machine's CPUs and memory allow. */
  KODA_RENDERS: z.coerce.number().int().min(1).max(64).optional(),
  /** Whether accepting a preview renders the final video. */
  KODA_AUTO_FINAL: z.enum(['on', 'off']).default('on'),
  KODA_RUN_MAX_STEPS: z.coerce.number().int().positive().optional(),
  KODA_RUN_MAX_MINUTES: z.coerce.number().positive().optional(),
  KODA_RUN_MAX_TOKENS: z.coerce.number().int().positive().optional(),
  KODA_RUN_MAX_COST_USD: z.coerce.number().positive().optional(),
  /** Size limit of the data folder. Empty: none. */
  KODA_DISK_LIMIT_MB: megabytes.optional(),
  /** Size limit of one project's history, uploads and videos. */
  KODA_PROJECT_DISK_MB: megabytes.default(20_480),
  /** Space to keep free on the data folder's disk. Below it, no new work starts. */
  KODA_DISK_RESERVE_MB: z.coerce.number().int().min(0).default(256),
  ANTHROPIC_API_KEY: z.string().default(''),
  /** Bearer token, as an alternative to a key. */
  ANTHROPIC_AUTH_TOKEN: z.string().default(''),
  /** Server of the models. If it needs no key, only this and KODA_MODEL must be set. */
  ANTHROPIC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .refine(hasNoCredentials, {
      message: 'Remove the user name and password; set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN instead',
    })
    .default(anthropicUrl),
  /** Main model, or `director` for the built-in one. Empty: the director without a key, otherwise Claude. */
  KODA_MODEL: z.string().default(''),
  KODA_MODEL_GENERATOR: z.string().default(''),
  /** Thinking effort. Empty: the models' default. */
  KODA_MODEL_EFFORT: effortSchema.optional(),
  KODA_MODEL_OUTPUT_TOKENS: z.coerce.number().int().min(256).default(32_000),
  KODA_MODEL_CONTEXT_TOKENS: z.coerce.number().int().min(minContextTokens).optional(),
  /** How a language model makes films. Empty: as chosen on the settings page. */
  KODA_MODEL_PATH: modelPathSchema.optional(),
  /** API of the server at ANTHROPIC_BASE_URL. Empty: as chosen on the settings page. */
  KODA_MODEL_API: modelApiSchema.optional(),
  /** Whether the models accept images. Empty: the known value for the model. */
  KODA_MODEL_SEES: z.enum(['yes', 'no']).optional(),
  /** Idle timeout before the first token and during a tool call. A whole response may take 15 minutes. */
  KODA_MODEL_SILENCE_SECONDS: z.coerce.number().int().min(90).max(900).default(300),
  /**
   * Actions that the agent may take without approval, comma-separated: `final_render`, `discard` (a sandbox with unsaved work).
   */
  KODA_AGENT_MAY: z.string().default('').transform(listOf).pipe(z.array(agentPermissionSchema)),
  /** Address of a SearXNG server. Empty: the agent cannot search the web. */
  SEARXNG_URL: z
    .url({ protocol: /^https?$/ })
    .refine(hasNoCredentials, { message: 'Remove the user name and password' })
    .optional(),
  /** Address of a server with OpenAI's API for speech. Empty: the voice of the sandbox. */
  KODA_SPEECH_URL: z
    .url({ protocol: /^https?$/ })
    .refine(hasNoCredentials, { message: 'Remove the user name and password; set KODA_SPEECH_KEY instead' })
    .optional(),
  KODA_SPEECH_KEY: z.string().default(''),
  KODA_SPEECH_MODEL: z.string().default('tts-1'),
  KODA_SPEECH_VOICE: z.string().default('alloy'),
  /** JSON file with MCP servers whose tools the agent may use. Empty: `mcp.json` of the data folder, if it exists. */
  KODA_MCP_SERVERS: z.string().default(''),
  /** Whether users of the studio may enter private addresses of models and MCP servers. Those in the environment always work. */
  KODA_PRIVATE_ADDRESSES: z.enum(['allow', 'refuse']).default('allow'),
  /** Addresses that schedules may fetch tables from, with everything below them, comma-separated. Empty: none. */
  KODA_FETCH_ADDRESSES: addressListSchema,
  /** Receivers of scheduled videos that may have private addresses, with everything below them, comma-separated. */
  KODA_WEBHOOK_ADDRESSES: addressListSchema,
  /** Folders beside `exports` of the data folder in which schedules may save videos, comma-separated absolute paths. */
  KODA_DELIVERY_FOLDERS: z
    .string()
    .default('')
    .transform(listOf)
    .refine((folders) => folders.every((folder) => isAbsolute(folder)), { message: 'Use absolute paths' }),
  /** 1: record all model traffic in `recordings/` of the data folder, without keys. */
  KODA_RECORD: z.enum(['0', '1']).default('0'),
  /** Failpoint at which the server kills itself, for recovery tests (`server/lib/failpoint.ts`). */
  KODA_FAILPOINT: failpointSchema.optional(),
  KODA_LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
});

export interface ModelConnection {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly authToken: string | null;
}

interface ModelOptions {
  readonly effort: Effort | null;
  readonly maxOutputTokens: number;
  readonly contextTokens: number | null;
  readonly supportsImages: boolean | null;
  readonly record: boolean;
}

export interface ModelConfig extends ModelConnection, ModelOptions {
  readonly modelPath: ModelPath;
  readonly api: ModelApi;
  readonly orchestrator: string;
  readonly generator: string;
}

/** Model settings from the environment. They take precedence over the settings page. */
export interface ModelEnvironment extends ModelOptions {
  /** `null` if the settings page decides. */
  readonly connection: ModelConnection | 'director' | null;
  readonly connectionVariables: readonly string[];
  readonly orchestrator: string | null;
  readonly generator: string | null;
  readonly modelPath: ModelPath | null;
  readonly api: ModelApi | null;
}

export type Config = Readonly<{
  port: number;
  host: string;
  publishedOn: string | null;
  dataDir: string;
  /** Without a slash at its end. `null`: the studio is used on this computer, or its names are in `allowedHosts`. */
  publicUrl: string | null;
  allowedHosts: readonly string[];
  accessToken: string | null;
  previewDomain: string;
  instance: string;
  sandbox: 'docker' | 'process';
  brokerSocket: string | null;
  socketsDir: string;
  socketsVolume: string | null;
  dockerSocket: string;
  sandboxImage: string;
  sandboxRuntime: string | null;
  sandboxes: number | null;
  sandboxMemoryBytes: number;
  sandboxCpus: number;
  sandboxDiskBytes: number;
  sandboxDiskReserveBytes: number;
  renderWorkers: number;
  renders: number | null;
  automaticFinal: boolean;
  /** Only limits that the operator has set. The project kind supplies the others. */
  runLimits: Readonly<Partial<Record<'maxSteps' | 'maxRunMinutes' | 'maxTokens' | 'maxCostUsd', number>>>;
  diskLimitBytes: number | null;
  projectDiskBytes: number;
  diskReserveBytes: number;
  models: ModelEnvironment;
  modelSilenceMs: number;
  agentPermissions: ReadonlySet<AgentPermission>;
  searxngUrl: string | null;
  /** `null`: the sandbox speaks. */
  speech: Readonly<{ url: string; key: string | null; model: string; voice: string }> | null;
  mcpServersFile: string | null;
  privateAddresses: 'allow' | 'refuse';
  fetchAddresses: readonly string[];
  webhookAddresses: readonly string[];
  deliveryFolders: readonly string[];
  failpoint: z.output<typeof failpointSchema> | null;
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}>;

/** Parses the environment at startup. Throws an Error that names each invalid variable. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const known = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = environmentSchema.safeParse(known);
  if (!parsed.success) {
    const problems = validationProblems(parsed.error).map(({ field, message }) => `${field}: ${message}`);
    throw new Error(`The configuration is invalid. ${problems.join('; ')}. See .env.example.`);
  }
  const env = parsed.data;
  const allowedHosts = env.KODA_ALLOWED_HOSTS.split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const exposed = exposedBy(env, allowedHosts);
  if (exposed !== null && env.KODA_ACCESS_TOKEN === undefined) {
    throw new Error(
      `The configuration is invalid. ${exposed} lets other computers reach the studio, so set KODA_ACCESS_TOKEN, which everybody then enters once: KODA_ACCESS_TOKEN=$(openssl rand -base64 24). See .env.example.`,
    );
  }
  return Object.freeze({
    port: env.KODA_PORT,
    host: env.KODA_HOST,
    publishedOn: env.KODA_PUBLISHED_ON || null,
    dataDir: resolve(env.KODA_DATA_DIR),
    publicUrl: env.KODA_PUBLIC_URL ?? null,
    allowedHosts,
    accessToken: env.KODA_ACCESS_TOKEN ?? null,
    previewDomain: previewDomainOf(env),
    instance: env.KODA_INSTANCE,
    sandbox: env.KODA_SANDBOX,
    brokerSocket: env.KODA_BROKER_SOCKET || null,
    socketsDir: resolve(env.KODA_SOCKETS_DIR),
    socketsVolume: env.KODA_SOCKETS_VOLUME || null,
    dockerSocket: env.KODA_DOCKER_SOCKET,
    sandboxImage: env.KODA_SANDBOX_IMAGE,
    sandboxRuntime: env.SANDBOX_RUNTIME ?? null,
    sandboxes: env.KODA_SANDBOXES ?? null,
    sandboxMemoryBytes: env.KODA_SANDBOX_MEMORY_MB * 1024 * 1024,
    sandboxCpus: env.KODA_SANDBOX_CPUS,
    sandboxDiskBytes: env.KODA_SANDBOX_DISK_MB * 1024 * 1024,
    sandboxDiskReserveBytes: env.KODA_SANDBOX_DISK_RESERVE_MB * 1024 * 1024,
    renderWorkers: env.KODA_RENDER_WORKERS,
    renders: env.KODA_RENDERS ?? null,
    automaticFinal: env.KODA_AUTO_FINAL === 'on',
    runLimits: Object.freeze({
      ...(env.KODA_RUN_MAX_STEPS === undefined ? {} : { maxSteps: env.KODA_RUN_MAX_STEPS }),
      ...(env.KODA_RUN_MAX_MINUTES === undefined ? {} : { maxRunMinutes: env.KODA_RUN_MAX_MINUTES }),
      ...(env.KODA_RUN_MAX_TOKENS === undefined ? {} : { maxTokens: env.KODA_RUN_MAX_TOKENS }),
      ...(env.KODA_RUN_MAX_COST_USD === undefined ? {} : { maxCostUsd: env.KODA_RUN_MAX_COST_USD }),
    }),
    diskLimitBytes: env.KODA_DISK_LIMIT_MB === undefined ? null : env.KODA_DISK_LIMIT_MB * 1024 * 1024,
    projectDiskBytes: env.KODA_PROJECT_DISK_MB * 1024 * 1024,
    diskReserveBytes: env.KODA_DISK_RESERVE_MB * 1024 * 1024,
    models: modelsOf(env),
    modelSilenceMs: env.KODA_MODEL_SILENCE_SECONDS * 1000,
    agentPermissions: new Set(env.KODA_AGENT_MAY),
    searxngUrl: env.SEARXNG_URL ?? null,
    speech: speechOf(env),
    mcpServersFile: env.KODA_MCP_SERVERS === '' ? null : resolve(env.KODA_MCP_SERVERS),
    privateAddresses: env.KODA_PRIVATE_ADDRESSES,
    fetchAddresses: env.KODA_FETCH_ADDRESSES,
    webhookAddresses: env.KODA_WEBHOOK_ADDRESSES,
    deliveryFolders: env.KODA_DELIVERY_FOLDERS.map((folder) => resolve(folder)),
    failpoint: env.KODA_FAILPOINT ?? null,
    logLevel: env.KODA_LOG_LEVEL,
  });
}

/** Returns the setting that opens the studio to other computers, or `null`. In a container, the published address decides. */
function exposedBy(env: z.output<typeof environmentSchema>, allowedHosts: readonly string[]): string | null {
  if (env.KODA_PUBLIC_URL !== undefined && !isLoopbackHost(new URL(env.KODA_PUBLIC_URL).hostname))
    return `KODA_PUBLIC_URL=${env.KODA_PUBLIC_URL}`;
  const foreign = allowedHosts.find((host) => !isLoopbackHost(host));
  if (foreign !== undefined) return `KODA_ALLOWED_HOSTS=${foreign}`;
  if (env.KODA_PUBLISHED_ON !== '') return isLoopbackAddress(env.KODA_PUBLISHED_ON) ? null : `KODA_BIND=${env.KODA_PUBLISHED_ON}`;
  return isLoopbackAddress(env.KODA_HOST) || isLoopbackHost(env.KODA_HOST) ? null : `KODA_HOST=${env.KODA_HOST}`;
}

function previewDomainOf({ PREVIEW_DOMAIN: chosen, KODA_PUBLIC_URL: publicUrl }: z.output<typeof environmentSchema>): string {
  // Files made from an older .env.example name localhost, where nobody reaches the previews of a public address.
  if (chosen !== '' && (chosen !== 'localhost' || publicUrl === undefined)) return chosen.toLowerCase();
  const { hostname } = new URL(publicUrl ?? 'http://localhost');
  // An IP address has no subdomains.
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
}

function speechOf(env: z.output<typeof environmentSchema>): Config['speech'] {
  if (env.KODA_SPEECH_URL === undefined) return null;
  return {
    url: env.KODA_SPEECH_URL,
    key: env.KODA_SPEECH_KEY || null,
    model: env.KODA_SPEECH_MODEL,
    voice: env.KODA_SPEECH_VOICE,
  };
}

/** A key, a token or a custom server selects language models; the name `director` selects the built-in one. */
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
    modelPath: env.KODA_MODEL_PATH ?? null,
    api: env.KODA_MODEL_API ?? null,
    effort: env.KODA_MODEL_EFFORT ?? null,
    maxOutputTokens: env.KODA_MODEL_OUTPUT_TOKENS,
    contextTokens: env.KODA_MODEL_CONTEXT_TOKENS ?? null,
    supportsImages: env.KODA_MODEL_SEES === undefined ? null : env.KODA_MODEL_SEES === 'yes',
    record: env.KODA_RECORD === '1',
  };
}

const isOwnServer = (env: z.output<typeof environmentSchema>) => env.ANTHROPIC_BASE_URL !== anthropicUrl;

function connectionOf(env: z.output<typeof environmentSchema>): ModelConnection | null {
  const hasAccess = env.ANTHROPIC_API_KEY !== '' || env.ANTHROPIC_AUTH_TOKEN !== '' || isOwnServer(env);
  if (!hasAccess && env.KODA_MODEL === '') return null;
  if (!hasAccess) {
    throw new Error(
      `The configuration is invalid. KODA_MODEL: "${env.KODA_MODEL}" needs ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for your own server. Set one of them, or leave KODA_MODEL empty and choose the model on the settings page. See .env.example.`,
    );
  }
  if (env.KODA_MODEL === '' && isOwnServer(env)) {
    throw new Error(
      `The configuration is invalid. KODA_MODEL: set it to the name of a model on the server at ${env.ANTHROPIC_BASE_URL}. See .env.example.`,
    );
  }
  return {
    baseUrl: env.ANTHROPIC_BASE_URL,
    apiKey: env.ANTHROPIC_API_KEY || null,
    authToken: env.ANTHROPIC_AUTH_TOKEN || null,
  };
}
