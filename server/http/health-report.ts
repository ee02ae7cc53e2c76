import { statfs } from 'node:fs/promises';
import { type HealthResponse, lowDiskBytes } from '../contract/api.ts';
import { errorMessage } from '../contract/errors.ts';
import type { SandboxProvider } from '../sandbox/sandbox.ts';

interface HealthReportDeps {
  readonly version: string;
  /** The one that works now. */
  readonly model: () => HealthResponse['model'];
  readonly provider: Pick<SandboxProvider, 'kind' | 'check'>;
  /** Whether the engine that Koda depends on is available. */
  readonly circuits: () => HealthResponse['circuits'];
  readonly dataDir: string;
  readonly usedDiskBytes: () => Promise<number>;
  readonly diskLimitBytes: number | null;
}

/** A question to the engine costs more than a health check should, and the answer does not change every second. */
const keepMs = 5000;
const checkTimeoutMs = 4000;

/** The report on an engine that has not answered in time. */
function silence(): Promise<{ available: boolean; detail: string }> {
  const detail = `The sandboxes’ engine did not answer within ${checkTimeoutMs / 1000} s. It may be starting; if not, restart it.`;
  return new Promise((resolve) => setTimeout(resolve, checkTimeoutMs, { available: false, detail }).unref());
}

/** The health of each part; never throws, so that it can report a part that fails. */
export function createHealthReport(deps: HealthReportDeps): () => Promise<HealthResponse> {
  const { version, provider, dataDir, diskLimitBytes } = deps;
  let last: { at: number; sandbox: Promise<HealthResponse['sandbox']> } | null = null;

  const checkSandbox = async (): Promise<HealthResponse['sandbox']> => {
    try {
      // An engine that hangs may ignore the signal.
      const check = provider.check({ signal: AbortSignal.timeout(checkTimeoutMs) });
      return { kind: provider.kind, ...(await Promise.race([check, silence()])) };
    } catch (error) {
      return { kind: provider.kind, available: false, detail: errorMessage(error) };
    }
  };

  return async () => {
    if (last === null || Date.now() - last.at > keepMs) last = { at: Date.now(), sandbox: checkSandbox() };
    const [sandbox, disk, usedDiskBytes] = await Promise.all([last.sandbox, statfs(dataDir), deps.usedDiskBytes()]);
    const freeDiskBytes = disk.bavail * disk.bsize;
    const circuits = deps.circuits();
    // Health is public: of the author only these two.
    const { kind, name } = deps.model();
    const isWell = sandbox.available && circuits.every(({ state }) => state !== 'open');
    const status =
      isWell && freeDiskBytes > lowDiskBytes && usedDiskBytes <= (diskLimitBytes ?? usedDiskBytes) ? 'ok' : 'degraded';
    return { status, version, model: { kind, name }, sandbox, circuits, freeDiskBytes, usedDiskBytes, diskLimitBytes };
  };
}
