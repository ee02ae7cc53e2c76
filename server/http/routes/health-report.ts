import { statfs } from 'node:fs/promises';
import { type HealthResponse, lowDiskBytes } from '#contract/api.ts';
import { errorMessage } from '#contract/errors.ts';
import type { SandboxProvider } from '../../sandbox/sandbox.ts';

interface HealthReportDeps {
  readonly version: string;
  readonly model: () => HealthResponse['model'];
  readonly provider: Pick<SandboxProvider, 'kind' | 'check'>;
  readonly circuits: () => HealthResponse['circuits'];
  readonly dataDir: string;
  readonly usedDiskBytes: () => Promise<number>;
  readonly diskLimitBytes: number | null;
  readonly deviations: readonly string[];
  readonly database: () => HealthResponse['database'];
}

/** Engine checks are cached, because they are slow and the result rarely changes. */
const maxAgeMs = 5000;
const checkTimeoutMs = 4000;

function timeoutReport(): Promise<{ available: boolean; detail: string }> {
  const detail = `The sandbox engine did not respond within ${checkTimeoutMs / 1000} s. It may still be starting; otherwise restart it.`;
  return new Promise((resolve) => setTimeout(resolve, checkTimeoutMs, { available: false, detail }).unref());
}

/** Reports the health of each component. Never throws, so that failing components are reported. */
export function createHealthReport(deps: HealthReportDeps): () => Promise<HealthResponse> {
  const { version, provider, dataDir, diskLimitBytes } = deps;
  const deviations = [...deps.deviations];
  let last: { at: number; sandbox: Promise<HealthResponse['sandbox']> } | null = null;

  const checkSandbox = async (): Promise<HealthResponse['sandbox']> => {
    try {
      const check = provider.check({ signal: AbortSignal.timeout(checkTimeoutMs) });
      // The log and `doctor` have the warnings.
      const { available, detail } = await Promise.race([check, timeoutReport()]);
      return { kind: provider.kind, available, detail };
    } catch (error) {
      return { kind: provider.kind, available: false, detail: errorMessage(error) };
    }
  };

  return async () => {
    if (last === null || performance.now() - last.at > maxAgeMs) last = { at: performance.now(), sandbox: checkSandbox() };
    const [sandbox, disk, usedDiskBytes] = await Promise.all([last.sandbox, statfs(dataDir), deps.usedDiskBytes()]);
    const freeDiskBytes = disk.bavail * disk.bsize;
    const circuits = deps.circuits();
    const { kind, name, canRepair } = deps.model();
    const database = deps.database();
    const isHealthy = sandbox.available && database !== 'damaged' && circuits.every(({ state }) => state !== 'open');
    const status =
      isHealthy && freeDiskBytes > lowDiskBytes && usedDiskBytes <= (diskLimitBytes ?? usedDiskBytes) ? 'ok' : 'degraded';
    return {
      status,
      version,
      model: { kind, name, canRepair },
      sandbox,
      circuits,
      freeDiskBytes,
      usedDiskBytes,
      diskLimitBytes,
      deviations,
      database,
    };
  };
}
