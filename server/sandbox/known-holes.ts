import { z } from 'zod';

/** Versions that decide how well sandboxes are isolated, with the suffixes of distributions. `null` if unknown. */
export interface EngineVersions {
  readonly engine: string;
  readonly runc: string | null;
  readonly kernel: string | null;
}

interface KnownHole {
  readonly ids: readonly string[];
  readonly component: keyof EngineVersions;
  readonly published: `${number}-${number}-${number}`;
  /** The first version with the hole. `null`: all versions before the fix. */
  readonly since: string | null;
  /** The first fixed version of each branch that got the fix, in ascending order. */
  readonly fixed: readonly [string, ...string[]];
  readonly effect: string;
  /** How Koda keeps sandboxes from using the hole. `null` if only an update helps. */
  readonly mitigation: string | null;
}

/** Date of the newest advisory that `knownHoles` takes into account. Later holes are not listed. */
export const knownHolesAsOf = '2026-09-08';

export const knownHoles: readonly KnownHole[] = [
  {
    ids: ['loopback ports'],
    component: 'engine',
    published: '2025-02-19',
    since: null,
    fixed: ['28.0.0'],
    effect: 'computers on the same network can reach ports that are published on 127.0.0.1 only',
    mitigation: null,
  },
  {
    ids: ['CVE-2025-54388'],
    component: 'engine',
    published: '2025-07-29',
    since: '28.2.0',
    fixed: ['28.3.3'],
    effect: 'after a reload of firewalld, other computers can reach ports that are published on 127.0.0.1 only',
    mitigation: null,
  },
  {
    ids: ['CVE-2026-41567', 'CVE-2026-41568', 'CVE-2026-42306'],
    component: 'engine',
    published: '2026-05-18',
    since: null,
    fixed: ['29.5.1'],
    effect: 'a container can write to the host, or run code there, while somebody copies files with "docker cp"',
    mitigation: 'Koda never copies files this way; do not use "docker cp" on sandboxes',
  },
  {
    ids: ['CVE-2024-21626'],
    component: 'runc',
    published: '2024-01-31',
    since: null,
    fixed: ['1.1.12'],
    effect: 'an image, or a command that is run in a container, can reach the host through a leaked folder',
    mitigation: 'Koda sets image and working folder of sandboxes itself and runs no "docker exec"',
  },
  {
    ids: ['CVE-2025-31133', 'CVE-2025-52565', 'CVE-2025-52881'],
    component: 'runc',
    published: '2025-11-05',
    since: null,
    fixed: ['1.2.8', '1.3.3', '1.4.0-rc.3'],
    effect: 'a container that is started with hostile mounts or devices can write to the host',
    mitigation: null,
  },
  {
    ids: ['CVE-2026-31431 (Copy Fail)'],
    component: 'kernel',
    published: '2026-04-22',
    since: '4.14',
    fixed: ['5.10.254', '5.15.204', '6.1.170', '6.6.137', '6.12.85', '6.18.22', '6.19.12', '7.0'],
    effect: 'every program can change files that it may only read, also those of other containers',
    mitigation: "Koda's seccomp profile refuses AF_ALG sockets to sandboxes; Docker's does so from 29.4.2 on",
  },
  {
    ids: ['CVE-2026-43284 (Dirty Frag)'],
    component: 'kernel',
    published: '2026-05-08',
    since: '4.11',
    fixed: ['5.10.255', '5.15.206', '6.1.172', '6.6.138', '6.12.87', '6.18.28', '7.0.5', '7.1'],
    effect: 'a program with its own user namespace can change files that it may only read, also those of other containers',
    mitigation: "Koda's seccomp profile refuses new namespaces and XFRM sockets to sandboxes",
  },
  {
    ids: ['CVE-2026-43500 (Dirty Frag)'],
    component: 'kernel',
    published: '2026-05-11',
    since: '5.3',
    fixed: ['6.18.29', '7.0.6', '7.1'],
    effect: 'every program can change files that it may only read, also those of other containers',
    mitigation: "Koda's seccomp profile refuses AF_RXRPC sockets to sandboxes",
  },
];

const titles: Record<keyof EngineVersions, string> = { engine: 'Docker Engine', runc: 'runc', kernel: 'Linux' };

/** Returns a sentence for each known hole of these versions, those that only an update closes first. */
export function engineWarnings(versions: EngineVersions): string[] {
  const found = knownHoles.filter((hole) => isAffected(versions[hole.component], hole));
  const ordered = [...found.filter(({ mitigation }) => mitigation === null), ...found.filter(({ mitigation }) => mitigation)];
  return ordered.map(({ ids, component, effect, fixed, mitigation }) => {
    const version = versions[component] ?? '';
    const backport = isFromDistribution(version) ? ' Your distribution may have fixed it in this version.' : '';
    const protection = mitigation === null ? '' : ` ${mitigation}.`;
    return `${titles[component]} ${version}, ${ids.join(', ')}: ${effect}. Fixed in ${fixed.join(', ')}.${backport}${protection}`;
  });
}

function isAffected(version: string | null, { since, fixed }: KnownHole): boolean {
  const parts = version === null ? null : parseVersion(version);
  if (parts === null) return false;
  if (since !== null && compare(parts, parseVersion(since) ?? []) < 0) return false;
  const fixes = fixed.map((text) => parseVersion(text) ?? []);
  const inBranch = fixes.find(([major, minor]) => major === parts[0] && minor === parts[1]);
  return compare(parts, inBranch ?? fixes.at(-1) ?? []) < 0;
}

/** Returns major, minor, patch and release candidate (infinite for a release), or `null`. */
function parseVersion(version: string): number[] | null {
  const found = /^(\d+)\.(\d+)(?:\.(\d+))?(?:[-~.]?rc\.?(\d+))?/.exec(version);
  return found && [Number(found[1]), Number(found[2]), Number(found[3] ?? 0), Number(found[4] ?? Number.POSITIVE_INFINITY)];
}

function compare(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((part, at) => part !== right[at]);
  return index === -1 ? 0 : Math.sign((left[index] ?? 0) - (right[index] ?? 0));
}

/** Versions such as 26.1.5+dfsg1, 1.1.5+ds1 or 6.1.0-18-amd64 do not show which fixes the distribution has added. */
function isFromDistribution(version: string): boolean {
  return !/^\d+(\.\d+)*([-~.]?rc\.?\d+)?$/.test(version);
}

const serverVersionSchema = z.object({
  Version: z.string(),
  KernelVersion: z.string().optional(),
  Components: z.array(z.object({ Name: z.string(), Version: z.string() })).nullish(),
});

/** Reads the answer of the engine's `/version`, which `docker version --format '{{json .Server}}'` prints. */
export function versionsOf(serverVersion: unknown): EngineVersions {
  const { Version: engine, KernelVersion: kernel, Components: components } = serverVersionSchema.parse(serverVersion);
  return {
    engine,
    runc: components?.find(({ Name }) => Name === 'runc')?.Version ?? null,
    kernel: kernel ?? null,
  };
}
