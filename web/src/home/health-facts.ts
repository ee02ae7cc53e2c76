import { type CircuitReport, type HealthResponse, lowDiskBytes } from '../../../server/contract/api.ts';
import { formatBytes } from '../../../server/contract/format.ts';
import { texts } from '../texts.ts';

/** One part of what the studio runs on. */
export interface HealthFact {
  readonly part: 'model' | 'sandbox' | 'disk';
  readonly isWell: boolean;
  readonly name: string;
  /** More about it, in a few words; empty when there is no more. */
  readonly detail: string;
  /** What is wrong and what to do; null while it is well. */
  readonly advice: string | null;
  /** How full it is, 0…1; null where there is no limit. */
  readonly share: number | null;
}

const words = texts.health;

/** How the parts of the studio stand, in words; `timeOf` prints a moment (ISO 8601) as a time of day. */
export function healthFacts(health: HealthResponse, timeOf: (iso: string) => string): readonly HealthFact[] {
  const retryTime = ({ retryAt }: CircuitReport) => (retryAt === null ? null : timeOf(retryAt));
  const open = (name: string) => health.circuits.find((circuit) => circuit.name === name && circuit.state === 'open');
  return [modelFact(health, open('model'), retryTime), sandboxFact(health, open('docker'), retryTime), diskFact(health)];
}

type RetryTime = (circuit: CircuitReport) => string | null;

function modelFact({ model }: HealthResponse, resting: CircuitReport | undefined, retryTime: RetryTime): HealthFact {
  return {
    part: 'model',
    isWell: resting === undefined,
    name: model.name,
    detail: model.kind === 'director' ? words.builtIn : '',
    advice: resting ? words.modelResting(retryTime(resting)) : null,
    share: null,
  };
}

function sandboxFact({ sandbox }: HealthResponse, resting: CircuitReport | undefined, retryTime: RetryTime): HealthFact {
  const kinds: Record<string, string> = words.sandboxKinds;
  const down = sandbox.available ? null : `${sandbox.detail ?? ''} ${words.sandboxDown}`.trim();
  return {
    part: 'sandbox',
    isWell: sandbox.available && resting === undefined,
    name: kinds[sandbox.kind] ?? sandbox.kind,
    detail: sandbox.available ? (sandbox.detail ?? words.sandboxReady) : '',
    advice: resting ? words.engineResting(retryTime(resting)) : down,
    share: null,
  };
}

function diskFact({ freeDiskBytes, usedDiskBytes, diskLimitBytes }: HealthResponse): HealthFact {
  const over = diskLimitBytes !== null && usedDiskBytes > diskLimitBytes;
  const low = freeDiskBytes <= lowDiskBytes;
  const used = formatBytes(usedDiskBytes);
  return {
    part: 'disk',
    isWell: !over && !low,
    name: words.free(formatBytes(freeDiskBytes)),
    detail: diskLimitBytes === null ? words.used(used) : words.usedOf(used, formatBytes(diskLimitBytes)),
    advice: over ? words.diskOver : low ? words.diskLow : null,
    share: diskLimitBytes === null ? null : Math.min(1, usedDiskBytes / diskLimitBytes),
  };
}
