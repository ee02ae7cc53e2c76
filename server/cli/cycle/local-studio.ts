import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../lib/config.ts';
import { createLog } from '../../lib/log.ts';

export interface LocalStudio {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a studio in this process, with a temporary data folder and sandboxes WITHOUT isolation. The model's settings come from the
 * environment. It accepts connections from this machine only.
 */
export async function startLocalStudio(): Promise<LocalStudio> {
  // Short, because a socket path is limited to 107 bytes.
  const folder = await mkdtemp(join(tmpdir(), 'kc-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const config = readConfig({
      ...process.env,
      KODA_HOST: '127.0.0.1',
      KODA_PORT: '0',
      KODA_DATA_DIR: join(folder, 'data'),
      KODA_SOCKETS_DIR: join(folder, 's'),
      KODA_SANDBOX: 'process',
      KODA_BROKER_SOCKET: '',
      KODA_ALLOWED_HOSTS: '',
      KODA_LOG_LEVEL: process.env['KODA_LOG_LEVEL'] ?? 'error',
    });
    // Imported here, because the other commands need no studio of their own.
    const { startStudio } = await import('../../wiring.ts');
    const studio = await startStudio(config, createLog(config));
    return {
      url: studio.url,
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
