import type { ContainerCreateOptions, HostConfig } from 'dockerode';
import type { SandboxContainerSpec } from './engine.ts';
import seccompProfile from './seccomp.json' with { type: 'json' };

export const sandboxUid = 1000;
/** After this time, any instance may remove an abandoned sandbox. A sandbox in use never lives that long. */
const expiresAfterMs = 7 * 24 * 3_600_000;

const mebibyte = 1024 ** 2;
const tmpfs = {
  '/tmp': `rw,nosuid,nodev,exec,size=${1024 * mebibyte},mode=1777`,
  '/run': `rw,nosuid,nodev,noexec,size=${64 * mebibyte},uid=${sandboxUid},gid=${sandboxUid},mode=0755`,
  '/home/node': `rw,nosuid,nodev,exec,size=${512 * mebibyte},uid=${sandboxUid},gid=${sandboxUid},mode=0700`,
};
const sharedMemoryBytes = 1024 * mebibyte;
const maxProcesses = 1024;
const maxOpenFiles = 65_536;
/** A quarter of the engine's default and an eighth of the app's, so that busy sandboxes do not starve the app. */
const cpuShares = 256;

export const securityOptions = ['no-new-privileges:true', `seccomp=${JSON.stringify(seccompProfile)}`];

/** Where the sandboxes' socket folders are: a host folder, or a volume that the app mounts as a whole. */
export type SocketsLocation = { readonly hostFolder: string } | { readonly volume: string };

export interface ContainerTemplate {
  readonly instance: string;
  readonly image: string;
  readonly sockets: SocketsLocation;
  /** A runtime of the engine, such as `runsc`. `null`: the engine's default. */
  readonly runtime: string | null;
  /** `engine`: keep the engine's lower limit, because an engine inside a container cannot raise it. */
  readonly openFiles: 'koda' | 'engine';
}

export function containerName(instance: string, sandboxId: string): string {
  return `koda-${instance}-${sandboxId}`;
}

export function cacheName(instance: string, projectId: string): string {
  return `koda-${instance}-cache-${projectId}`;
}

export function cacheLabelsOf(instance: string, projectId: string): Record<string, string> {
  return { 'koda.instance': instance, 'koda.project': projectId, 'koda.cache': '1' };
}

export function labelsOf(
  instance: string,
  spec: Pick<SandboxContainerSpec, 'sandboxId' | 'projectId'>,
  now: number,
): Record<string, string> {
  return {
    'koda.instance': instance,
    'koda.sandbox': spec.sandboxId,
    'koda.project': spec.projectId,
    'koda.generation': String(now),
    'koda.expiresAt': new Date(now + expiresAfterMs).toISOString(),
  };
}

/** Fixes everything except ids, token and the three sizes, so that no other input reaches the engine. */
export function containerConfig(
  template: ContainerTemplate,
  spec: SandboxContainerSpec,
  labels: Record<string, string>,
): ContainerCreateOptions {
  const name = containerName(template.instance, spec.sandboxId);
  return {
    name,
    Image: template.image,
    User: `${sandboxUid}:${sandboxUid}`,
    WorkingDir: '/workspace',
    Hostname: 'sandbox',
    Env: [`KODA_TOKEN=${spec.token}`],
    Labels: labels,
    AttachStdin: false,
    OpenStdin: false,
    Tty: false,
    NetworkDisabled: true,
    HostConfig: hostConfig(template, spec, name),
  };
}

/** Adds the cgroup namespace, which the published types lack. */
type FullHostConfig = HostConfig & { readonly CgroupnsMode: 'private' };

function hostConfig(template: ContainerTemplate, spec: SandboxContainerSpec, volume: string): FullHostConfig {
  return {
    CapDrop: ['ALL'],
    SecurityOpt: securityOptions,
    ...(template.runtime === null ? {} : { Runtime: template.runtime }),
    Privileged: false,
    ReadonlyRootfs: true,
    NetworkMode: 'none',
    IpcMode: 'private',
    CgroupnsMode: 'private',
    // An empty value means a private namespace.
    PidMode: '',
    UTSMode: '',
    Tmpfs: tmpfs,
    Mounts: [
      { Type: 'volume', Source: volume, Target: '/workspace', ReadOnly: false },
      { Type: 'volume', Source: cacheName(template.instance, spec.projectId), Target: '/cache', ReadOnly: false },
      socketMount(template.sockets, spec.sandboxId),
    ],
    Memory: spec.memoryBytes,
    // Equal to Memory, which disables swap.
    MemorySwap: spec.memoryBytes,
    NanoCpus: Math.round(spec.cpus * 1e9),
    CpuShares: cpuShares,
    PidsLimit: maxProcesses,
    ShmSize: sharedMemoryBytes,
    Ulimits: [
      { Name: 'core', Soft: 0, Hard: 0 },
      // Limits each file to the total size.
      { Name: 'fsize', Soft: spec.diskBytes, Hard: spec.diskBytes },
      ...(template.openFiles === 'koda' ? [{ Name: 'nofile', Soft: maxOpenFiles, Hard: maxOpenFiles }] : []),
    ],
    // If the host runs out of memory, the kernel kills sandboxes first. Lowering the app's score instead would need an engine
    // with CAP_SYS_RESOURCE. Leaves room up to the maximum of 1000 for the programs that the daemon starts.
    OomScoreAdj: 900,
    Init: true,
    LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '2' } },
    RestartPolicy: { Name: 'no' },
    AutoRemove: false,
    PublishAllPorts: false,
  };
}

type Mount = NonNullable<HostConfig['Mounts']>[number];

function socketMount(location: SocketsLocation, sandboxId: string): Mount {
  const target = '/run/koda';
  if ('hostFolder' in location) {
    return {
      Type: 'bind',
      Source: `${location.hostFolder}/${sandboxId}`,
      Target: target,
      ReadOnly: false,
      BindOptions: { Propagation: 'rprivate' },
    };
  }
  // Requires Engine 26.
  const options = { NoCopy: true, Labels: {}, DriverConfig: { Name: '', Options: {} }, Subpath: sandboxId };
  return { Type: 'volume', Source: location.volume, Target: target, ReadOnly: false, VolumeOptions: options };
}
