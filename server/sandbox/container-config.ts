import type { ContainerCreateOptions, HostConfig } from 'dockerode';
import type { SandboxContainerSpec } from './engine.ts';

/** The user that everything in a sandbox runs as. */
export const sandboxUid = 1000;
/** After this time any instance may remove a forgotten sandbox; ours never live as long. */
const expiresAfterMs = 7 * 24 * 3_600_000;

const mebibyte = 1024 ** 2;
/** Where memory is used as a disk; all of it counts towards the sandbox's memory limit. */
const tmpfs = {
  '/tmp': `rw,nosuid,nodev,exec,size=${1024 * mebibyte},mode=1777`,
  '/run': `rw,nosuid,nodev,noexec,size=${64 * mebibyte},uid=${sandboxUid},gid=${sandboxUid},mode=0755`,
  '/home/node': `rw,nosuid,nodev,exec,size=${512 * mebibyte},uid=${sandboxUid},gid=${sandboxUid},mode=0700`,
};
const sharedMemoryBytes = 1024 * mebibyte;
const maxProcesses = 1024;
const maxOpenFiles = 65_536;

/** Where the sandboxes' socket folders are: in a folder of the host, or in a volume that the app mounts whole. */
export type SocketsPlace = { readonly hostFolder: string } | { readonly volume: string };

export interface ContainerTemplate {
  readonly instance: string;
  readonly image: string;
  readonly sockets: SocketsPlace;
  /** `engine`: the engine may not set as many open files as we would (it runs in a container itself); its own, lower limit holds. */
  readonly openFiles: 'ours' | 'engine';
}

export function containerName(instance: string, sandboxId: string): string {
  return `koda-${instance}-${sandboxId}`;
}

/** Name of the volume that keeps what a project's sandboxes need not make again; it outlives each of them. */
export function cacheName(instance: string, projectId: string): string {
  return `koda-${instance}-cache-${projectId}`;
}

/** Labels that distinguish a project's cache from others, and from a sandbox. */
export function cacheLabelsOf(instance: string, projectId: string): Record<string, string> {
  return { 'koda.instance': instance, 'koda.project': projectId, 'koda.cache': '1' };
}

/** Labels that distinguish a sandbox's container and volume from others. */
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

/**
 * The whole configuration of a sandbox's container. Everything but the ids, the token and the three sizes is
 * fixed here: nothing that a caller could say reaches the engine.
 */
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

/** The published types lack the cgroup namespace. */
type FullHostConfig = HostConfig & { readonly CgroupnsMode: 'private' };

function hostConfig(template: ContainerTemplate, spec: SandboxContainerSpec, volume: string): FullHostConfig {
  return {
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges:true'],
    Privileged: false,
    ReadonlyRootfs: true,
    NetworkMode: 'none',
    IpcMode: 'private',
    CgroupnsMode: 'private',
    // Empty = a namespace of its own.
    PidMode: '',
    UTSMode: '',
    Tmpfs: tmpfs,
    Mounts: [
      { Type: 'volume', Source: volume, Target: '/workspace', ReadOnly: false },
      { Type: 'volume', Source: cacheName(template.instance, spec.projectId), Target: '/cache', ReadOnly: false },
      socketMount(template.sockets, spec.sandboxId),
    ],
    Memory: spec.memoryBytes,
    // Equal to Memory: no swap.
    MemorySwap: spec.memoryBytes,
    NanoCpus: Math.round(spec.cpus * 1e9),
    PidsLimit: maxProcesses,
    ShmSize: sharedMemoryBytes,
    Ulimits: [
      { Name: 'core', Soft: 0, Hard: 0 },
      // No single file is larger than all of them may be.
      { Name: 'fsize', Soft: spec.diskBytes, Hard: spec.diskBytes },
      ...(template.openFiles === 'ours' ? [{ Name: 'nofile', Soft: maxOpenFiles, Hard: maxOpenFiles }] : []),
    ],
    // When the host runs out of memory, sandboxes go first.
    OomScoreAdj: 500,
    Init: true,
    LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '2' } },
    RestartPolicy: { Name: 'no' },
    AutoRemove: false,
    PublishAllPorts: false,
  };
}

type Mount = NonNullable<HostConfig['Mounts']>[number];

function socketMount(place: SocketsPlace, sandboxId: string): Mount {
  const target = '/run/koda';
  if ('hostFolder' in place) {
    return {
      Type: 'bind',
      Source: `${place.hostFolder}/${sandboxId}`,
      Target: target,
      ReadOnly: false,
      BindOptions: { Propagation: 'rprivate' },
    };
  }
  // Needs Engine 26.
  const options = { NoCopy: true, Labels: {}, DriverConfig: { Name: '', Options: {} }, Subpath: sandboxId };
  return { Type: 'volume', Source: place.volume, Target: target, ReadOnly: false, VolumeOptions: options };
}
