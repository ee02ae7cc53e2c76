import { once } from 'node:events';
import { chmod, chown, lchown, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { errorMessage, errorTraits, KodaError } from '#contract/errors.ts';
import type { Config } from '../lib/config.ts';
import { containerSpecSchema, emptyRequestSchema, projectRequestSchema, sandboxRequestSchema } from './broker-protocol.ts';
import { type Engine, isEngineUnavailable } from './engine.ts';
import { createEngine } from './providers.ts';

const appUid = 1000;
const maxRequestBytes = 16 * 1024;
/** Far more than one machine runs. Keeps a faulty or hijacked app from filling the engine with containers. */
const maxContainers = 64;

export interface Broker {
  close(): Promise<void>;
}

/** Starts the only process with access to the engine's socket. Only the app can open the broker's own socket. */
export async function startBroker(config: Config): Promise<Broker> {
  const socketPath = config.brokerSocket;
  if (!socketPath)
    throw new Error('The broker cannot start: KODA_BROKER_SOCKET is empty. Set it to the path of its Unix socket.');
  const engine = createEngine(config);
  // A wrong runtime needs another setting, while an engine that is not running yet may start later.
  await engine.assertRuntime({ signal: new AbortController().signal }).catch((error: unknown) => {
    if (!isEngineUnavailable(error)) throw error;
  });
  await chownToApp(config.dataDir);
  const app = createBrokerApp(engine, {
    maxContainers,
    maxMemoryBytes: config.sandboxMemoryBytes,
    maxCpus: config.sandboxCpus,
    maxDiskBytes: config.sandboxDiskBytes,
  });
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await mkdir(dirname(socketPath), { recursive: true });
  await rm(socketPath, { force: true });
  server.listen(socketPath);
  await once(server, 'listening');
  await chmod(socketPath, 0o600);
  if (process.getuid?.() === 0) await chown(socketPath, appUid, appUid);
  return {
    async close() {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}

interface BrokerLimits {
  readonly maxContainers: number;
  readonly maxMemoryBytes: number;
  readonly maxCpus: number;
  readonly maxDiskBytes: number;
}

/** Serves the engine's operations over HTTP. Validates requests and caps sizes at the configured limits. */
export function createBrokerApp(engine: Engine, limits: BrokerLimits): Hono {
  const app = new Hono();
  const starting = new Set<string>();
  app.use(
    bodyLimit({
      maxSize: maxRequestBytes,
      onError: () => errorResponse(new KodaError('TOO_LARGE', 'The request is too large.')),
    }),
  );
  const specSchema = containerSpecSchema.extend({
    memoryBytes: containerSpecSchema.shape.memoryBytes.max(limits.maxMemoryBytes),
    cpus: containerSpecSchema.shape.cpus.max(limits.maxCpus),
    diskBytes: containerSpecSchema.shape.diskBytes.max(limits.maxDiskBytes),
  });
  app.post('/check', async (c) => {
    await read(c, emptyRequestSchema);
    return c.json(await engine.check(signalOf(c)));
  });
  app.post('/start', async (c) => {
    const spec = await read(c, specSchema);
    starting.add(spec.sandboxId);
    try {
      const known = (await engine.list(signalOf(c))).map(({ sandboxId }) => sandboxId);
      if (new Set([...known, ...starting]).size > limits.maxContainers) throw tooManyContainers(limits.maxContainers);
      await engine.start(spec, signalOf(c));
    } finally {
      starting.delete(spec.sandboxId);
    }
    return c.json({ done: true });
  });
  app.post('/seal', async (c) => {
    await engine.seal((await read(c, sandboxRequestSchema)).sandboxId, signalOf(c));
    return c.json({ done: true });
  });
  app.post('/disk', async (c) => {
    await read(c, emptyRequestSchema);
    return c.json({ room: await engine.disk(signalOf(c)) });
  });
  app.post('/sizes', async (c) => {
    await read(c, emptyRequestSchema);
    return c.json({ sizes: await engine.sizes(signalOf(c)) });
  });
  app.post('/inspect', async (c) =>
    c.json({ container: await engine.inspect((await read(c, sandboxRequestSchema)).sandboxId, signalOf(c)) }),
  );
  app.post('/list', async (c) => {
    await read(c, emptyRequestSchema);
    return c.json({ containers: await engine.list(signalOf(c)) });
  });
  app.post('/remove', async (c) => {
    await engine.remove((await read(c, sandboxRequestSchema)).sandboxId, signalOf(c));
    return c.json({ done: true });
  });
  app.post('/list-caches', async (c) => {
    await read(c, emptyRequestSchema);
    return c.json({ projectIds: await engine.listCaches(signalOf(c)) });
  });
  app.post('/remove-cache', async (c) => {
    await engine.removeCache((await read(c, projectRequestSchema)).projectId, signalOf(c));
    return c.json({ done: true });
  });
  app.notFound((c) => errorResponse(new KodaError('NOT_FOUND', `The broker has no ${c.req.method} ${c.req.path}.`)));
  app.onError((error) => errorResponse(error));
  return app;
}

function signalOf(c: Context): { signal: AbortSignal } {
  return { signal: c.req.raw.signal };
}

async function read<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(await c.req.text());
  } catch (error) {
    throw new KodaError('BAD_REQUEST', `The request is not JSON: ${errorMessage(error)}`);
  }
  return schema.parse(value);
}

function tooManyContainers(max: number): KodaError {
  const message = `The sandbox was not started: this instance already has ${max} containers, the most that the broker allows. Stop other projects, then try again.`;
  return new KodaError('SERVICE_UNAVAILABLE', message, { recovery: 'retry' });
}

function errorResponse(error: unknown): Response {
  const known = toKodaError(error);
  if (known.code === 'INTERNAL_ERROR') process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return Response.json(known.toEnvelope(), { status: errorTraits(known.code).status });
}

function toKodaError(error: unknown): KodaError {
  if (error instanceof KodaError) return error;
  if (error instanceof z.ZodError) return new KodaError('VALIDATION_ERROR', z.prettifyError(error));
  if (error instanceof Error && error.name === 'AbortError') return new KodaError('CANCELLED', 'The call was cancelled.');
  return new KodaError('INTERNAL_ERROR', `The broker failed: ${errorMessage(error)}`);
}

/** Gives the data folder to the app's user, because Docker creates the folder of a bind mount as root. */
async function chownToApp(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  try {
    await mkdir(dataDir, { recursive: true });
    if ((await stat(dataDir)).uid === appUid) return;
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      // Changes links themselves, not their targets.
      await lchown(join(entry.parentPath, entry.name), appUid, appUid);
    }
    // Done last, so that an interrupted run starts again.
    await chown(dataDir, appUid, appUid);
  } catch (error) {
    // The file system decides: network shares, FAT, engines that map users, SELinux.
    throw new Error(
      `The data folder could not be given to the studio's user (id ${appUid}): ${errorMessage(error)}. It is ./data beside compose.yaml. Run "sudo chown -R ${appUid}:${appUid} data" there, or mount a folder of another file system at ${dataDir}.`,
      { cause: error },
    );
  }
}
