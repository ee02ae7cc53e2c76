import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, chmod, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { hasCode, KodaError } from '#contract/errors.ts';
import { newId, projectIdSchema, sandboxIdSchema } from '#contract/ids.ts';
import { controlSocketName } from '#contract/sandbox/answers.ts';
import { failpoint } from '../lib/failpoint.ts';
import { namesIn } from '../storage/durable-file.ts';
import { CacheFolders } from './cache-folders.ts';
import { sandboxClient } from './client.ts';
import { findResponsive, waitUntilReady } from './readiness.ts';
import type { CallOptions, CreateOptions, Sandbox, SandboxProvider, SandboxSummary } from './sandbox.ts';
import type { SandboxTokens } from './tokens.ts';

const sourceFolder = fileURLToPath(new URL('../../sandbox-image/', import.meta.url));
const daemonFile = join(sourceFolder, 'sandboxd/daemon.mjs');
/** Flags of Node for the daemon, as in the sandbox image. */
export const daemonFlags = ['--initial-old-space-size=100'];
const sweepFile = join(sourceFolder, 'sandboxd/sweep.ts');
const templatesFolder = join(sourceFolder, 'templates');

/** Allows for sandboxd's own shutdown, which takes slightly more than 5 s. */
const stopGraceMs = 7_000;
const pollMs = 25;
/** Environment variables passed to the sandbox. Excludes keys and configuration. */
const passedVariables = [
  'PATH',
  'LANG',
  'LC_ALL',
  'TZ',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'npm_config_cafile',
  'KODA_CHROMIUM',
  'KODA_FFMPEG',
  'KODA_FFPROBE',
];

const stateSchema = z.object({
  instance: z.string(),
  projectId: projectIdSchema,
  /**
   * `null` until the process has started. A server that crashes in between leaves a folder that can be identified and
   * removed.
   */
  pid: z.int().positive().nullable(),
  /** Start time of the process in kernel ticks, to detect a reused process id. */
  startTicks: z.string().nullable(),
});
type State = z.output<typeof stateSchema>;

export interface ProcessProviderOptions {
  readonly instance: string;
  /** Contains one folder per sandbox (sockets, workspace, state), and the projects' caches in `cache`. */
  readonly socketsDir: string;
  readonly tokens: SandboxTokens;
  readonly environment: Record<string, string | undefined>;
}

/**
 * Runs sandboxes as child processes WITHOUT isolation, for development and tests. They outlive the server, which finds them
 * by their state files.
 */
export class ProcessProvider implements SandboxProvider {
  readonly kind = 'process';
  readonly #options: ProcessProviderOptions;
  readonly #caches: CacheFolders;
  readonly #tempPrefix: string;
  /** Folders that are currently being created or removed. */
  readonly #making = new Set<string>();

  constructor(options: ProcessProviderOptions) {
    this.#options = options;
    this.#tempPrefix = `.new-${options.instance}.`;
    // Caches are not durable data, and instances may share the folder.
    this.#caches = new CacheFolders(join(options.socketsDir, 'cache', options.instance));
  }

  async check(): ReturnType<SandboxProvider['check']> {
    if (process.platform !== 'linux')
      return { available: false, detail: 'Sandboxes without containers need Linux. Set KODA_SANDBOX=docker.', warnings: [] };
    try {
      await access(daemonFile);
      return { available: true, detail: 'Sandboxes run WITHOUT isolation (KODA_SANDBOX=process).', warnings: [] };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return {
        available: false,
        detail: `The sandbox daemon is not built (${why}). Run scripts/setup/deps.sh, or set KODA_SANDBOX=docker.`,
        warnings: [],
      };
    }
  }

  async create(projectId: string, { signal }: CreateOptions): Promise<Sandbox> {
    const sandboxId = newId('sbx');
    const folder = this.#folder(sandboxId);
    try {
      const planned: State = { instance: this.#options.instance, projectId, pid: null, startTicks: null };
      await this.#makeFolder(sandboxId, planned);
      const pid = await this.#spawn(sandboxId, { folder, cache: await this.#caches.make(projectId) });
      failpoint('sandbox.after-process');
      const state = { ...planned, pid, startTicks: await startTicks(pid) };
      await writeState(folder, state);
      const sandbox = this.#client(sandboxId, projectId);
      await waitUntilReady(sandbox, { signal, stillRunning: () => isRunning(state), evidence: () => this.diagnose(sandboxId) });
      return sandbox;
    } catch (error) {
      await this.destroy(sandboxId);
      throw error;
    }
  }

  async find(projectId: string, options: CallOptions): Promise<Sandbox | null> {
    const candidates = (await this.list()).filter((sandbox) => sandbox.projectId === projectId && sandbox.running);
    return await findResponsive(
      candidates.map(({ id }) => this.#client(id, projectId)),
      (id) => this.destroy(id),
      options,
    );
  }

  /** Lists sandboxes. Also removes temp folders left behind by a crash, whose project is unknown. */
  async list(): Promise<SandboxSummary[]> {
    const found: SandboxSummary[] = [];
    for (const id of await namesIn(this.#options.socketsDir)) {
      if (id.startsWith(this.#tempPrefix) && !this.#making.has(id))
        await rm(join(this.#options.socketsDir, id), { recursive: true, force: true });
      if (!sandboxIdSchema.safeParse(id).success) continue;
      const state = await readState(this.#folder(id));
      if (state?.instance === this.#options.instance)
        found.push({ id, projectId: state.projectId, running: await isRunning(state) });
    }
    return found;
  }

  async diagnose(sandboxId: string): Promise<string> {
    const folder = this.#folder(sandboxId);
    const state = await readState(folder);
    if (!state) return 'Its folder no longer exists.';
    if (await isRunning(state)) return 'Its process is running but is not responding.';
    return `Its process exited. Its final output: ${(await logEnd(folder)).trim() || '(none)'}`;
  }

  async destroy(sandboxId: string): Promise<void> {
    const folder = this.#folder(sandboxIdSchema.parse(sandboxId));
    const state = await readState(folder);
    if (state && state.instance !== this.#options.instance)
      throw new KodaError('FORBIDDEN', `The sandbox ${sandboxId} belongs to another Koda instance, so this one cannot use it.`);
    const endedAll = state !== null && (await endDaemon(state, folder));
    // Ends processes that the daemon could not end, for example because it was killed.
    if (!endedAll) await promisify(execFile)(process.execPath, [sweepFile, `KODA_SANDBOX_MARK=${sandboxId}`]);
    await this.#removeFolder(sandboxId);
  }

  /** The usage is unknown, because without isolation the sandbox shares its disk with the rest of the machine. */
  async disk(): Promise<null> {
    return null;
  }

  async sizes(): Promise<[]> {
    return [];
  }

  listCaches(): Promise<string[]> {
    return this.#caches.list();
  }

  async removeCache(projectId: string): Promise<void> {
    await this.#caches.remove(projectId);
  }

  /** Creates the folder together with its state file, atomically. */
  async #makeFolder(sandboxId: string, state: State): Promise<void> {
    const temp = `${this.#tempPrefix}${sandboxId}`;
    const path = join(this.#options.socketsDir, temp);
    this.#making.add(temp);
    try {
      await mkdir(join(path, 'home'), { recursive: true, mode: 0o700 });
      await chmod(path, 0o700);
      failpoint('sandbox.after-folder');
      await writeState(path, state);
      await rename(path, this.#folder(sandboxId));
    } finally {
      this.#making.delete(temp);
    }
  }

  /** Renames the folder first, because a partially removed folder without its state file has no known owner. */
  async #removeFolder(sandboxId: string): Promise<void> {
    const doomed = `${this.#tempPrefix}${sandboxId}`;
    const path = join(this.#options.socketsDir, doomed);
    this.#making.add(doomed);
    try {
      await rename(this.#folder(sandboxId), path).catch(unlessMissing);
      failpoint('sandbox.after-folder-moved');
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    } finally {
      this.#making.delete(doomed);
    }
  }

  #folder(sandboxId: string): string {
    return join(this.#options.socketsDir, sandboxId);
  }

  #client(sandboxId: string, projectId: string): Sandbox {
    return sandboxClient({
      sandboxId,
      projectId,
      socketDir: this.#folder(sandboxId),
      token: this.#options.tokens.tokenOf(sandboxId),
    });
  }

  async #spawn(sandboxId: string, { folder, cache }: { folder: string; cache: string }): Promise<number> {
    const env: NodeJS.ProcessEnv = {};
    for (const name of passedVariables)
      if (this.#options.environment[name] !== undefined) env[name] = this.#options.environment[name];
    await using log = await open(join(folder, 'sandboxd.log'), 'a', 0o600);
    const child = spawn(process.execPath, [...daemonFlags, daemonFile], {
      cwd: folder,
      env: {
        ...env,
        HOME: join(folder, 'home'),
        KODA_SOCKET_DIR: folder,
        KODA_TOKEN: this.#options.tokens.tokenOf(sandboxId),
        KODA_WORKSPACE: join(folder, 'workspace'),
        KODA_TEMPLATES: templatesFolder,
        KODA_CACHE: cache,
        KODA_SANDBOX_MARK: sandboxId,
      },
      // The process has its own group and no pipes, so that it survives a server restart.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    if (child.pid === undefined) throw new KodaError('SERVICE_UNAVAILABLE', 'The sandbox process did not start.');
    return child.pid;
  }
}

/** Returns whether the daemon has ended all its processes, which it confirms by removing its socket. */
async function endDaemon(state: State, folder: string): Promise<boolean> {
  if (!(await isRunning(state)) || state.pid === null) return false;
  signalProcess(state.pid, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < stopGraceMs; waitedMs += pollMs) {
    await delay(pollMs);
    if (!(await isRunning(state))) return !existsSync(join(folder, controlSocketName));
  }
  signalProcess(-state.pid, 'SIGKILL');
  return false;
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function isRunning(state: State): Promise<boolean> {
  return state.pid !== null && state.startTicks !== null && (await startTicks(state.pid)) === state.startTicks;
}

async function writeState(folder: string, state: State): Promise<void> {
  const temporary = join(folder, 'state.json.new');
  await writeFile(temporary, JSON.stringify(state), { mode: 0o600 });
  await rename(temporary, join(folder, 'state.json'));
}

/** Returns a process's start time in kernel ticks since boot, or `null` if it does not exist or is a zombie. */
export async function startTicks(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The process name can contain anything, so fields are counted from its end: state is first, start time 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readState(folder: string): Promise<State | null> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(join(folder, 'state.json'), 'utf8')));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function logEnd(folder: string): Promise<string> {
  return (await readFile(join(folder, 'sandboxd.log'), 'utf8')).slice(-2_000);
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ESRCH');
}
