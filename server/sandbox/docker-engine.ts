import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { z } from 'zod';
import { errorMessage, hasCode, KodaError } from '#contract/errors.ts';
import { projectIdSchema, sandboxIdSchema } from '#contract/ids.ts';
import {
  type ContainerTemplate,
  cacheLabelsOf,
  cacheName,
  containerConfig,
  containerName,
  labelsOf,
  sandboxUid,
} from './container-config.ts';
import type { ContainerInfo, Engine, SandboxContainerSpec } from './engine.ts';
import type { DiskSpace, ProjectSize } from './engine-disk.ts';
import { engineDiskSpace, sizesOf, volumeUseSchema } from './engine-disk.ts';
import { type EngineVersions, versionsOf } from './known-holes.ts';
import type { CallOptions } from './sandbox.ts';
import { SocketSeals } from './socket-seal.ts';

/** Creating a container on a busy disk takes seconds. After a minute, the engine is considered stuck. */
const callTimeoutMs = 60_000;
/** A removal that has already begun takes long on a busy machine. A volume that is in use stays in use. */
const removeAttempts = { container: 600, volume: 20 };
const removePauseMs = 100;
/** The engine's error if a container does not exit within twelve seconds of being killed. */
const killedButRunning = /did not receive an exit event|could not kill/i;
/** Required for `volume-subpath` and the cgroup namespace. */
const minimumMajor = 26;

type Labels = Record<string, string>;
const ownerLabels = ['koda.instance', 'koda.sandbox', 'koda.project'];

/** Loaded on first use, because a studio with a broker or without containers never needs its 200 files. */
const dockerode = () => createRequire(import.meta.url)('dockerode') as typeof Docker;

/** Controls the engine over its socket, restricted to lifecycle calls on objects with this instance's label. */
export class DockerEngine implements Engine {
  readonly #docker: Docker;
  readonly #socket: string;
  readonly #seals: SocketSeals;
  #template: ContainerTemplate;
  /** Whether the kernel can limit volumes on the engine's disk. Determined by the first attempt. */
  #hasQuotas = true;
  /** The engine's data folder. Cached, because the query is expensive. */
  #root: string | null = null;

  /**
   * `socket` is the path of the engine's Unix socket, `socketsDir` the folder of the sandboxes' sockets as seen by this
   * process.
   */
  constructor(socket: string, template: Omit<ContainerTemplate, 'openFiles'> & { readonly socketsDir: string }) {
    this.#socket = socket;
    this.#template = { ...template, openFiles: 'koda' };
    this.#seals = new SocketSeals(template.socketsDir, sandboxUid);
    this.#docker = new (dockerode())({ socketPath: socket, timeout: callTimeoutMs });
  }

  async check({ signal }: CallOptions): Promise<{ versions: EngineVersions; imageId: string }> {
    const versions = versionsOf(await this.#call('query its version', signal, () => this.#docker.version()));
    if (Number.parseInt(versions.engine, 10) < minimumMajor) {
      throw unavailable(
        `Docker Engine ${versions.engine} is too old. Install version ${minimumMajor} or newer.`,
        'upgrade_docker',
        null,
      );
    }
    await this.assertRuntime({ signal });
    const image = await this.#call('find the sandbox image', signal, () =>
      orNull(this.#docker.getImage(this.#template.image).inspect()),
    );
    if (!image) {
      const message = `The sandbox image ${this.#template.image} is missing. Build it: docker compose build sandbox-image.`;
      throw unavailable(message, 'build_sandbox_image', null);
    }
    return { versions, imageId: image.Id };
  }

  /** Throws SERVICE_UNAVAILABLE if the engine does not have the configured runtime. */
  async assertRuntime({ signal }: CallOptions): Promise<void> {
    const { runtime } = this.#template;
    if (runtime === null) return;
    const { Runtimes: runtimes } = await this.#call('list its runtimes', signal, () => this.#docker.info());
    const names = Object.keys(z.record(z.string(), z.unknown()).parse(runtimes));
    if (names.includes(runtime)) return;
    throw unavailable(
      `Docker has no runtime named "${runtime}" (SANDBOX_RUNTIME). Install it, or choose one of: ${names.sort().join(', ')}.`,
      'set_sandbox_runtime',
      null,
    );
  }

  async start(spec: SandboxContainerSpec, { signal }: CallOptions): Promise<void> {
    const name = containerName(this.#template.instance, spec.sandboxId);
    const labels = labelsOf(this.#template.instance, spec, Date.now());
    // Outside the block below, whose cleanup would remove the workspace.
    await this.#assertNoForeignWorkspace(name, labels, signal);
    try {
      // Steps are not cancelled, because an aborted step might still take effect after the cleanup.
      await this.#createVolume('create the workspace', { name, labels, sizeBytes: spec.diskBytes }, signal);
      await this.#createCache(spec, signal);
      await this.#seals.grantWrite(spec.sandboxId);
      await this.#startContainer(spec, labels, signal);
    } catch (error) {
      await this.remove(spec.sandboxId, { signal: new AbortController().signal });
      throw error;
    }
  }

  /** Throws FORBIDDEN if the workspace exists with files of someone else. Creating it would return the existing volume. */
  async #assertNoForeignWorkspace(name: string, labels: Labels, signal: AbortSignal): Promise<void> {
    const volume = await this.#call('inspect the workspace', signal, () => orNull(this.#docker.getVolume(name).inspect()));
    if (volume === null || ownerLabels.every((label) => volume.Labels?.[label] === labels[label])) return;
    throw new KodaError('FORBIDDEN', `The sandbox was not started: the volume "${name}" belongs to another project or instance.`);
  }

  /** Creates or finds the project's cache. The engine also returns a volume that belongs to someone else. */
  async #createCache({ projectId, diskBytes }: SandboxContainerSpec, signal: AbortSignal): Promise<void> {
    const { instance } = this.#template;
    const name = cacheName(instance, projectId);
    const volumeSpec = { name, labels: cacheLabelsOf(instance, projectId), sizeBytes: diskBytes };
    const volume = await this.#createVolume('create the cache', volumeSpec, signal);
    const { Labels: labels } = await this.#call('inspect the cache', signal, () => volume.inspect());
    this.#assertOwnLabel(name, labels);
  }

  /** Creates a volume with a kernel limit if possible. Otherwise, `disk-watch.ts` enforces the limit. */
  async #createVolume(
    what: string,
    { name, labels, sizeBytes }: { name: string; labels: Labels; sizeBytes: number },
    signal: AbortSignal,
  ): Promise<Docker.Volume> {
    const make = (options: Record<string, string>) =>
      this.#call(what, signal, () =>
        this.#docker.createVolume({ Name: name, Driver: 'local', Labels: labels, DriverOpts: options }),
      );
    if (this.#hasQuotas) {
      try {
        return await make({ size: String(sizeBytes) });
      } catch (error) {
        // The engine reports "quota size requested but no quota support".
        if (!/quota/i.test(errorMessage(error))) throw error;
        this.#hasQuotas = false;
      }
    }
    return await make({});
  }

  async seal(sandboxId: string, { signal }: CallOptions): Promise<void> {
    await this.#call('seal the socket folder', signal, () => this.#seals.seal(sandboxIdSchema.parse(sandboxId)));
  }

  async #startContainer(spec: SandboxContainerSpec, labels: Labels, signal: AbortSignal): Promise<void> {
    const config = containerConfig(this.#template, spec, labels);
    const container = await this.#call('create the container', signal, () => this.#docker.createContainer(config));
    try {
      await this.#call('start the container', signal, () => container.start());
    } catch (error) {
      // "error setting rlimit type 7" (open files): an engine without CAP_SYS_RESOURCE cannot raise its own limit.
      if (this.#template.openFiles === 'engine' || !/setting rlimit/.test(errorMessage(error))) throw error;
      this.#template = { ...this.#template, openFiles: 'engine' };
      await this.#call('remove the container', signal, () => container.remove({ force: true }));
      await this.#startContainer(spec, labels, signal);
    }
  }

  async inspect(sandboxId: string, { signal }: CallOptions): Promise<ContainerInfo | null> {
    const name = containerName(this.#template.instance, sandboxIdSchema.parse(sandboxId));
    const container = await this.#call('inspect the container', signal, () => orNull(this.#docker.getContainer(name).inspect()));
    if (!container || !this.#hasOwnLabel(container.Config.Labels)) return null;
    const { Running, OOMKilled, ExitCode } = container.State;
    return { ...idsOf(container.Config.Labels), running: Running, oomKilled: OOMKilled, exitCode: Running ? null : ExitCode };
  }

  async list({ signal }: CallOptions): Promise<ContainerInfo[]> {
    const filters = { label: [`koda.instance=${this.#template.instance}`, 'koda.sandbox'] };
    const containers = await this.#call('list the containers', signal, () => this.#docker.listContainers({ all: true, filters }));
    const volumes = await this.#call('list the volumes', signal, () => this.#docker.listVolumes({ filters }));
    const found = new Map<string, ContainerInfo>();
    // A volume without a container was left behind by an interrupted start or removal.
    for (const { Labels: labels } of volumes.Volumes ?? []) {
      const ids = idsOf(labels);
      found.set(ids.sandboxId, { ...ids, running: false, oomKilled: false, exitCode: null });
    }
    for (const { Labels: labels, State: state } of containers) {
      const ids = idsOf(labels);
      const ended = state === 'running' ? null : await this.inspect(ids.sandboxId, { signal });
      found.set(ids.sandboxId, ended ?? { ...ids, running: state === 'running', oomKilled: false, exitCode: null });
    }
    return [...found.values()];
  }

  async remove(sandboxId: string, { signal }: CallOptions): Promise<void> {
    const name = containerName(this.#template.instance, sandboxIdSchema.parse(sandboxId));
    const container = this.#docker.getContainer(name);
    const known = await this.#call('inspect the container', signal, () => orNull(container.inspect()));
    if (known) {
      this.#assertOwnLabel(name, known.Config.Labels);
      await this.#removeCompletely('remove the container', { signal, attempts: removeAttempts.container }, () =>
        container.remove({ force: true, v: true }),
      );
    }
    await this.#removeVolume(name, 'the workspace', signal);
    await this.#seals.reclaim(sandboxId);
  }

  async disk({ signal }: CallOptions): Promise<DiskSpace | null> {
    this.#root ??= z.string().parse((await this.#call('query its data folder', signal, () => this.#docker.info())).DockerRootDir);
    return await engineDiskSpace(this.#root);
  }

  async sizes({ signal }: CallOptions): Promise<ProjectSize[]> {
    // The client's own call would also measure images and containers, whose layers take a long time.
    const target = {
      path: '/system/df?',
      options: { type: 'volume' },
      method: 'GET',
      abortSignal: signal,
      statusCodes: { 200: true },
    } as const;
    const response = await this.#call('measure the volumes', signal, () => {
      return new Promise<unknown>((resolve, reject) => {
        this.#docker.modem.dial(target, (error: unknown, found: unknown) => (error ? reject(error) : resolve(found)));
      });
    });
    return sizesOf(volumeUseSchema.parse(response), this.#template.instance);
  }

  async listCaches({ signal }: CallOptions): Promise<string[]> {
    const filters = { label: [`koda.instance=${this.#template.instance}`, 'koda.cache'] };
    const { Volumes: volumes } = await this.#call('list the caches', signal, () => this.#docker.listVolumes({ filters }));
    const ids = (volumes ?? []).map(({ Labels: labels }) => projectIdSchema.safeParse(labels['koda.project']));
    return ids.flatMap(({ data }) => data ?? []);
  }

  async removeCache(projectId: string, { signal }: CallOptions): Promise<void> {
    await this.#removeVolume(cacheName(this.#template.instance, projectIdSchema.parse(projectId)), 'the cache', signal);
  }

  async #removeVolume(name: string, what: string, signal: AbortSignal): Promise<void> {
    const volume = this.#docker.getVolume(name);
    const known = await this.#call(`inspect ${what}`, signal, () => orNull(volume.inspect()));
    if (!known) return;
    this.#assertOwnLabel(name, known.Labels);
    await this.#removeCompletely(`remove ${what}`, { signal, attempts: removeAttempts.volume }, () => volume.remove());
  }

  #hasOwnLabel(labels: Labels): boolean {
    return labels['koda.instance'] === this.#template.instance;
  }

  #assertOwnLabel(name: string, labels: Labels | null): void {
    if (labels && this.#hasOwnLabel(labels)) return;
    throw new KodaError('FORBIDDEN', `"${name}" was not changed: it does not have the label of this instance.`);
  }

  /** Repeats the removal until the engine reports 404. While a removal is running, it reports 409 or `killedButRunning`. */
  async #removeCompletely(
    what: string,
    { signal, attempts }: CallOptions & { attempts: number },
    action: () => Promise<unknown>,
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await action();
        return;
      } catch (error) {
        const status = statusOf(error);
        if (status === 404) return;
        const isUnderWay = status === 409 || killedButRunning.test(errorMessage(error));
        if (!isUnderWay || attempt === attempts) throw this.#explain(what, error);
      }
      if (signal.aborted) throw new KodaError('CANCELLED', `Cancelled while trying to ${what}.`);
      await delay(removePauseMs);
    }
  }

  async #call<Value>(what: string, signal: AbortSignal, action: () => Promise<Value>): Promise<Value> {
    if (signal.aborted) throw new KodaError('CANCELLED', `Cancelled before Docker could ${what}.`);
    try {
      return await action();
    } catch (error) {
      throw this.#explain(what, error);
    }
  }

  #explain(what: string, error: unknown): KodaError {
    if (error instanceof KodaError) return error;
    const message = errorMessage(error);
    if (hasCode(error, 'ENOENT', 'ECONNREFUSED'))
      return unavailable(`Docker is not running: nothing is responding at ${this.#socket}. Start Docker.`, 'start_docker', error);
    if (hasCode(error, 'ECONNRESET', 'EPIPE'))
      return unavailable(`Docker stopped while trying to ${what}. Start Docker again.`, 'start_docker', error);
    if (hasCode(error, 'EACCES'))
      return unavailable(
        `This user has no permission to use Docker (${this.#socket}). Add the user to the group "docker".`,
        'grant_docker',
        error,
      );
    if (/no space left on device/i.test(message)) {
      return new KodaError('STORAGE_FULL', `Docker could not ${what}: the disk is full.`, {
        recovery: 'free_disk_space',
        cause: error,
      });
    }
    return unavailable(`Docker could not ${what}: ${message}`, 'retry', error);
  }
}

function idsOf(labels: Labels): Pick<ContainerInfo, 'sandboxId' | 'projectId' | 'generation'> {
  return {
    sandboxId: labels['koda.sandbox'] ?? '',
    projectId: labels['koda.project'] ?? '',
    generation: Number(labels['koda.generation'] ?? 0),
  };
}

async function orNull<Value>(action: Promise<Value>): Promise<Value | null> {
  try {
    return await action;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

function statusOf(error: unknown): number | null {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null;
}

function unavailable(message: string, recovery: string, cause: unknown): KodaError {
  return new KodaError('SERVICE_UNAVAILABLE', message, { recovery, ...(cause ? { cause } : {}) });
}
