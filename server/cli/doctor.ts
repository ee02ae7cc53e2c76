import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { HealthResponse } from '#contract/api.ts';
import { errorMessage, isCancelled, KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import type { StudioClient } from './client.ts';
import type { Terminal } from './terminal.ts';

const run = promisify(execFile);
const minDiskBytes = 5e9;
const minMemoryBytes = 4e9;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/** Report line: details if `ok`, otherwise advice. */
interface Finding {
  readonly ok: boolean;
  readonly name: string;
  readonly text: string;
}

/** Checks engine, image, disk, memory, address and models. Returns whether all checks passed. */
export async function doctor({ client, terminal }: { client: StudioClient; terminal: Terminal }): Promise<boolean> {
  const health = await studioHealth(client);
  const findings = [
    checkNode(),
    await checkEngine(),
    await checkImage(),
    await checkDisk(),
    checkMemory(),
    await checkStudio(client, health),
    ...(await checkModels(client, health)),
    checkSandbox(health),
  ];
  for (const { ok, name, text } of findings) terminal.result(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(8)}  ${text}`);
  return findings.every((finding) => finding.ok);
}

const fine = (name: string, text: string): Finding => ({ ok: true, name, text });
const wrong = (name: string, text: string): Finding => ({ ok: false, name, text });

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough = major > 22 || (major === 22 && minor >= 18);
  return enough
    ? fine('node', process.version)
    : wrong('node', `${process.version} is too old: install Node 22.18 or newer, or run "npm start", which installs it.`);
}

async function checkEngine(): Promise<Finding> {
  try {
    const { stdout } = await run('docker', ['version', '--format', '{{.Server.Version}}']);
    const version = stdout.trim();
    return Number.parseInt(version, 10) >= 26
      ? fine('docker', `engine ${version}`)
      : wrong('docker', `engine ${version} is too old: install Docker 26 or newer.`);
  } catch (error) {
    return wrong(
      'docker',
      `the engine is not responding: start Docker, or run "npm start", which installs it on Debian. (${firstLine(error)})`,
    );
  }
}

async function checkImage(): Promise<Finding> {
  try {
    const { stdout } = await run('docker', ['image', 'inspect', 'koda-sandbox:latest', '--format', '{{.Size}}']);
    return fine('image', `koda-sandbox:latest, ${gigabytes(Number(stdout))}`);
  } catch {
    // The advice is the same for every cause, and a missing engine has its own line.
    return wrong('image', 'the sandbox image is not built: run "npm start" or "docker compose build".');
  }
}

async function checkDisk(): Promise<Finding> {
  const { bavail, bsize } = await statfs('.');
  const freeBytes = bavail * bsize;
  return freeBytes >= minDiskBytes
    ? fine('disk', `${gigabytes(freeBytes)} free`)
    : wrong('disk', `${gigabytes(freeBytes)} free: free up some space; images and videos need 5 GB.`);
}

function checkMemory(): Finding {
  const bytes = totalmem();
  return bytes >= minMemoryBytes
    ? fine('memory', gigabytes(bytes))
    : wrong('memory', `${gigabytes(bytes)}: a sandbox may use 4 GB; lower KODA_SANDBOX_MEMORY_MB or add memory.`);
}

async function studioHealth(client: StudioClient): Promise<HealthResponse | Error> {
  try {
    return await client.call(routes.health, {});
  } catch (error) {
    if (isCancelled(error)) throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function checkStudio(client: StudioClient, health: HealthResponse | Error): Promise<Finding> {
  if (!(health instanceof Error)) return fine('studio', `${client.url}, version ${health.version}`);
  const { hostname, port } = new URL(client.url);
  const taken =
    health instanceof KodaError && health.code === 'SERVICE_UNAVAILABLE' ? await isListening(hostname, Number(port || 80)) : true;
  return wrong(
    'studio',
    taken
      ? `another program is using ${client.url}: set KODA_PORT to a free port. (${health.message})`
      : `not running at ${client.url}: start it with "npm start".`,
  );
}

/** Sends a test request to each model, so that an invalid key is found before the first film needs it. */
async function checkModels(client: StudioClient, health: HealthResponse | Error): Promise<Finding[]> {
  if (health instanceof Error) return [wrong('model', 'unknown while the studio is not running.')];
  try {
    const { models } = await client.call(routes.checkModels, {});
    return models.map(({ role, name, ok, detail, durationMs }) => {
      const text = `${name} (${role}): ${detail}${durationMs > 0 ? `, ${(durationMs / 1000).toFixed(1)} s` : ''}`;
      return ok ? fine('model', text) : wrong('model', text);
    });
  } catch (error) {
    if (isCancelled(error)) throw error;
    return [wrong('model', errorMessage(error))];
  }
}

function checkSandbox(health: HealthResponse | Error): Finding {
  if (health instanceof Error) return wrong('sandbox', 'unknown while the studio is not running.');
  const { kind, available, detail } = health.sandbox;
  return available ? fine('sandbox', kind) : wrong('sandbox', detail ?? `${kind} sandboxes cannot be created.`);
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 });
    const finish = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}

function firstLine(error: unknown): string {
  return errorMessage(error).split('\n').at(-1) ?? '';
}
