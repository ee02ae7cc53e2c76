import { execFile } from 'node:child_process';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { totalmem } from 'node:os';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { HealthResponse } from '#contract/api.ts';
import { errorMessage, hasCode, isCancelled, KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { engineWarnings, knownHolesAsOf, versionsOf } from '../sandbox/known-holes.ts';
import type { StudioClient } from './client.ts';
import { defaultDataDir } from './credentials.ts';
import type { Terminal } from './terminal.ts';

const run = promisify(execFile);
const minDiskBytes = 5e9;
const minMemoryBytes = 4e9;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/** Report line: details if `ok`, otherwise advice. A warning does not fail the check. */
interface Finding {
  readonly level: 'ok' | 'warn' | 'FAIL';
  readonly name: string;
  readonly text: string;
}

/** Checks engine, image, disk, memory, address and models. Returns whether all checks passed. */
export async function doctor({ client, terminal }: { client: StudioClient; terminal: Terminal }): Promise<boolean> {
  const health = await studioHealth(client);
  const findings = [
    checkNode(),
    ...(await checkEngine()),
    await checkImage(),
    await checkDisk(),
    await checkData(process.env['KODA_DATA_DIR'] || defaultDataDir),
    checkMemory(),
    await checkStudio(client, health),
    ...(await checkModels(client, health)),
    checkSandbox(health),
    ...deviationsIn(health),
  ];
  for (const { level, name, text } of findings) terminal.result(`${level.padEnd(4)}  ${name.padEnd(8)}  ${text}`);
  return findings.every(({ level }) => level !== 'FAIL');
}

const fine = (name: string, text: string): Finding => ({ level: 'ok', name, text });
const wrong = (name: string, text: string): Finding => ({ level: 'FAIL', name, text });

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const enough = major > 22 || (major === 22 && minor >= 19);
  return enough
    ? fine('node', process.version)
    : wrong('node', `${process.version} is too old: install Node 22.19 or newer, or run "npm start", which installs it.`);
}

async function checkEngine(): Promise<Finding[]> {
  try {
    const { stdout } = await run('docker', ['version', '--format', '{{json .Server}}']);
    const versions = versionsOf(JSON.parse(stdout));
    const { engine, runc, kernel } = versions;
    if (Number.parseInt(engine, 10) < 26) return [wrong('docker', `engine ${engine} is too old: install Docker 26 or newer.`)];
    const holes = engineWarnings(versions).map((text): Finding => ({ level: 'warn', name: 'docker', text }));
    const list = `known vulnerabilities: ${holes.length || 'none'}, list of ${knownHolesAsOf}`;
    const modes = (await engineModes()).map((text): Finding => ({ level: 'warn', name: 'docker', text }));
    return [
      fine('docker', `engine ${engine}, runc ${runc ?? 'unknown'}, Linux ${kernel ?? 'unknown'} (${list})`),
      ...holes,
      ...modes,
    ];
  } catch (error) {
    return [wrong('docker', engineProblem(error))];
  }
}

/** Modes of the engine in which files belong to users or have labels that nobody expects. */
const engineModeTexts: Readonly<Record<string, string>> = {
  rootless:
    'the engine runs rootless: KODA_DOCKER_SOCKET must name its socket, and ./data belongs to an id of your range in /etc/subuid. See “The data folder” in docs/operation.md.',
  userns: 'the engine maps users: ./data belongs to a mapped id. See “The data folder” in docs/operation.md.',
  selinux:
    'the engine labels containers for SELinux: if the studio cannot open ./data or the engine’s socket, see “The data folder” in docs/operation.md.',
};

async function engineModes(): Promise<string[]> {
  const { stdout } = await run('docker', ['info', '--format', '{{json .SecurityOptions}}']);
  const options = z.array(z.string()).parse(JSON.parse(stdout));
  return Object.entries(engineModeTexts).flatMap(([name, text]) =>
    options.some((option) => option.split(',').includes(`name=${name}`)) ? [text] : [],
  );
}

/** Says why the command `docker` failed, and what to do. */
function engineProblem(error: unknown): string {
  const said = lastLine(error);
  if (hasCode(error, 'ENOENT')) return 'the command docker is not installed: run "npm start", which installs it on Debian.';
  if (hasCode(error, 'EACCES', 'EPERM') || /permission denied|EACCES/i.test(said))
    return `this user has no permission to use Docker: add the user to the group "docker", then log in again. (${said})`;
  return `the engine is not responding: start Docker, or run "npm start", which installs it on Debian. (${said})`;
}

async function checkImage(): Promise<Finding> {
  try {
    const { stdout } = await run('docker', ['image', 'inspect', 'koda-sandbox:latest', '--format', '{{.Size}}']);
    return fine('image', `koda-sandbox:latest, ${gigabytes(Number(stdout))}`);
  } catch (error) {
    // What is wrong with the engine has its own line.
    if (!/no such image/i.test(lastLine(error))) return wrong('image', 'unknown while Docker cannot be used.');
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

/** Checks whether this user can open the data folder, which belongs to the studio's user where the studio runs in a container. */
export async function checkData(dataDir: string): Promise<Finding> {
  try {
    const { uid } = await stat(dataDir);
    const own = process.getuid?.() ?? uid;
    const isOpen = await access(dataDir, constants.R_OK | constants.X_OK).then(
      () => true,
      (error: unknown) => {
        if (hasCode(error, 'EACCES', 'EPERM')) return false;
        throw error;
      },
    );
    if (isOpen) return fine('data', dataDir);
    const text = `${dataDir} belongs to user ${uid}, and you are user ${own}: use "npx koda backup" to save a copy. To own it while the studio is stopped: sudo chown -R ${own} ${dataDir}`;
    return { level: 'warn', name: 'data', text };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return fine('data', `${dataDir} does not exist yet`);
    return wrong('data', `${dataDir} cannot be read: ${errorMessage(error)}`);
  }
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
  if (health instanceof KodaError && ['UNAUTHORIZED', 'FORBIDDEN'].includes(health.code))
    return wrong('studio', `running at ${client.url}, but this user has no key: ${health.message}`);
  const { hostname, port, protocol } = new URL(client.url);
  const taken =
    health instanceof KodaError && health.code === 'SERVICE_UNAVAILABLE'
      ? await isListening(hostname, Number(port || (protocol === 'https:' ? 443 : 80)))
      : true;
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

function deviationsIn(health: HealthResponse | Error): Finding[] {
  if (health instanceof Error) return [];
  return health.deviations.map((text) => ({ level: 'warn', name: 'security', text }));
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

function lastLine(error: unknown): string {
  return errorMessage(error).trimEnd().split('\n').at(-1) ?? '';
}
