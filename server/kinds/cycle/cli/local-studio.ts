import { randomBytes } from 'node:crypto';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '#contract/errors.ts';
import { type Config, readConfig } from '../../../lib/config.ts';
import { createLog } from '../../../lib/log.ts';
import { ProcessProvider, startTicks } from '../../../sandbox/process-provider.ts';

export interface LocalStudio {
  readonly url: string;
  /** Without it, nobody on this machine may use the studio, whose sandboxes have no isolation. */
  readonly token: string;
  stop(): Promise<void>;
}

/** Folder of a local studio: the process that owns it, its start time, and random letters. */
const folderName = /^kc-([0-9a-z]+)-([0-9a-z]+)-[^-]+$/;
const instance = 'local';
const socketsIn = (folder: string) => join(folder, 's');
/** Short, because a socket path is limited to 107 bytes. */
const short = (number: number | string) => Number(number).toString(36);

/**
 * Starts a studio in this process, with a temporary data folder and sandboxes WITHOUT isolation. The model's settings come from the
 * environment. It accepts connections from this machine only. Studios of processes that were killed are removed first.
 */
export async function startLocalStudio(): Promise<LocalStudio> {
  await removeLeftovers();
  const ticks = await startTicks(process.pid);
  if (ticks === null) throw new Error('This process has no start time.');
  const folder = await mkdtemp(join(tmpdir(), `kc-${short(process.pid)}-${short(ticks)}-`));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const token = randomBytes(32).toString('base64url');
    const config = configOf(folder, token);
    // Imported here, because the other commands need no studio of their own.
    const { startStudio } = await import('../../../wiring.ts');
    const studio = await startStudio(config, createLog(config));
    return {
      url: studio.url,
      token,
      async stop() {
        try {
          await studio.stop();
        } finally {
          await remove();
        }
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function configOf(folder: string, token: string): Config {
  return readConfig({
    ...process.env,
    KODA_HOST: '127.0.0.1',
    KODA_PORT: '0',
    KODA_INSTANCE: instance,
    KODA_DATA_DIR: join(folder, 'data'),
    KODA_SOCKETS_DIR: socketsIn(folder),
    KODA_SANDBOX: 'process',
    KODA_BROKER_SOCKET: '',
    KODA_PUBLIC_URL: '',
    KODA_ALLOWED_HOSTS: '',
    KODA_PUBLISHED_ON: '',
    KODA_ACCESS_TOKEN: token,
    KODA_LOG_LEVEL: process.env['KODA_LOG_LEVEL'] ?? 'error',
  });
}

/** Removes the sandboxes and folders of local studios whose process no longer runs. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, ticks] = folderName.exec(name) ?? [];
    if (pid === undefined || ticks === undefined || !(await isOwn(join(tmpdir(), name)))) continue;
    const current = await startTicks(Number.parseInt(pid, 36));
    if (current !== null && short(current) === ticks) continue;
    const folder = join(tmpdir(), name);
    // The tokens are not needed to end the sandboxes, and their file may be damaged.
    const tokens = { tokenOf: () => '' };
    const provider = new ProcessProvider({ instance, socketsDir: socketsIn(folder), tokens, environment: {} });
    for (const { id } of await provider.list()) await provider.destroy(id);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Other users write to the folder for temporary files too. */
async function isOwn(path: string): Promise<boolean> {
  try {
    const found = await lstat(path);
    return found.isDirectory() && found.uid === process.getuid?.();
  } catch (error) {
    // Another process removed it.
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
