import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { z } from 'zod';
import { errorMessage, hasCode, KodaError } from '../contract/errors.ts';
import { projectIdSchema, sandboxIdSchema } from '../contract/ids.ts';
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
import type { CallOptions } from './sandbox.ts';
import { SocketSeals } from './socket-seal.ts';

/** Making a container on a busy disk takes seconds; a minute means that the engine is stuck. */
const callTimeoutMs = 60_000;
const removeAttempts = 20;
const removePauseMs = 100;
/** `volume-subpath` and the cgroup namespace need it. */
const minimumMajor = 26;

type Labels = Record<string, string>;

/** Loaded at its first use: 200 files (gRPC, SSH) that a studio behind a broker, or without containers, never needs. */
const dockerode = () => createRequire(import.meta.url)('dockerode') as typeof Docker;

/**
 * The container engine over its own socket. Only what bears the label of this instance is seen or touched,
 * and nothing but lifecycle calls are made: no archive, no exec, no attach.
 */
export class DockerEngine implements Engine {
  readonly #docker: Docker;
  readonly #socket: string;
  readonly #seals: SocketSeals;
  #template: ContainerTemplate;
  /** Whether its disk lets the kernel limit a volume: found out by the first attempt. */
  #hasQuotas = true;
  /** Where it keeps its files; asked once, for the question costs it much. */
  #root: string | null = null;

  /** `socket` is the path of the engine's Unix socket, `socketsDir` where this process sees the sandboxes' socket folders. */
  constructor(socket: string, template: Omit<ContainerTemplate, 'openFiles'> & { readonly socketsDir: string }) {
    this.#socket = socket;
    this.#template = { ...template, openFiles: 'ours' };
    this.#seals = new SocketSeals(template.socketsDir, sandboxUid);
    // Connects anew for each call, so that an engine that was restarted is found again.
    this.#docker = new (dockerode())({ socketPath: socket, timeout: callTimeoutMs });
  }

  async check({ signal }: CallOptions): Promise<{ engineVersion: string; imageId: string }> {
    const version = await this.#call('ask the container engine', signal, () => this.#docker.version());
    if (Number.parseInt(version.Version, 10) < minimumMajor) {
      throw unavailable(
        `Docker Engine ${version.Version} is too old; Koda needs ${minimumMajor} or newer.`,
        'upgrade_docker',
        null,
      );
    }
    const image = await this.#call('find the sandbox image', signal, () =>
      orNull(this.#docker.getImage(this.#template.image).inspect()),
    );
    if (!image) {
      const message = `The sandbox image ${this.#template.image} is not there. Build it: docker compose build sandbox-image.`;
      throw unavailable(message, 'build_sandbox_image', null);
    }
    return { engineVersion: version.Version, imageId: image.Id };
  }

  async start(spec: SandboxContainerSpec, { signal }: CallOptions): Promise<void> {
    const name = containerName(this.#template.instance, spec.sandboxId);
    const labels = labelsOf(this.#template.instance, spec, Date.now());
    try {
      // Each step is let finish: one that was cut off might still happen after the clean-up.
      await this.#makeVolume('make the workspace', { name, labels, sizeBytes: spec.diskBytes }, signal);
      await this.#makeCache(spec, signal);
      await this.#seals.lend(spec.sandboxId);
      await this.#startContainer(spec, labels, signal);
    } catch (error) {
      await this.remove(spec.sandboxId, { signal: new AbortController().signal });
      throw error;
    }
  }

  /** Makes the project's cache, or finds the one that is there: the engine answers alike, whosever it is. */
  async #makeCache({ projectId, diskBytes }: SandboxContainerSpec, signal: AbortSignal): Promise<void> {
    const { instance } = this.#template;
    const name = cacheName(instance, projectId);
    const wanted = { name, labels: cacheLabelsOf(instance, projectId), sizeBytes: diskBytes };
    const volume = await this.#makeVolume('make the cache', wanted, signal);
    const { Labels: labels } = await this.#call('look at the cache', signal, () => volume.inspect());
    this.#assertOurs(name, labels);
  }

  /** A volume that the kernel limits where it can; elsewhere the server watches what it holds (`disk-watch.ts`). */
  async #makeVolume(
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
        // "quota size requested but no quota support"
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
    const container = await this.#call('make the container', signal, () => this.#docker.createContainer(config));
    try {
      await this.#call('start the container', signal, () => container.start());
    } catch (error) {
      // "error setting rlimit type 7" (open files): an engine without CAP_SYS_RESOURCE cannot raise what it has.
      if (this.#template.openFiles === 'engine' || !/setting rlimit/.test(errorMessage(error))) throw error;
      this.#template = { ...this.#template, openFiles: 'engine' };
      await this.#call('remove the container', signal, () => container.remove({ force: true }));
      await this.#startContainer(spec, labels, signal);
    }
  }

  async inspect(sandboxId: string, { signal }: CallOptions): Promise<ContainerInfo | null> {
    const name = containerName(this.#template.instance, sandboxIdSchema.parse(sandboxId));
    const container = await this.#call('look at the container', signal, () => orNull(this.#docker.getContainer(name).inspect()));
    if (!container || !this.#isOurs(container.Config.Labels)) return null;
    const { Running, OOMKilled, ExitCode } = container.State;
    return { ...idsOf(container.Config.Labels), running: Running, oomKilled: OOMKilled, exitCode: Running ? null : ExitCode };
  }

  async list({ signal }: CallOptions): Promise<ContainerInfo[]> {
    const filters = { label: [`koda.instance=${this.#template.instance}`, 'koda.sandbox'] };
    const containers = await this.#call('list the containers', signal, () => this.#docker.listContainers({ all: true, filters }));
    const volumes = await this.#call('list the volumes', signal, () => this.#docker.listVolumes({ filters }));
    const found = new Map<string, ContainerInfo>();
    // A volume without its container is what an interrupted start or removal leaves.
    for (const { Labels: labels } of volumes.Volumes ?? []) {
      const ids = idsOf(labels);
      found.set(ids.sandboxId, { ...ids, running: false, oomKilled: false, exitCode: null });
    }
    for (const { Labels: labels, State: state } of containers) {
      const ids = idsOf(labels);
      // How it ended is only answered one by one.
      const ended = state === 'running' ? null : await this.inspect(ids.sandboxId, { signal });
      found.set(ids.sandboxId, ended ?? { ...ids, running: state === 'running', oomKilled: false, exitCode: null });
    }
    return [...found.values()];
  }

  async remove(sandboxId: string, { signal }: CallOptions): Promise<void> {
    const name = containerName(this.#template.instance, sandboxIdSchema.parse(sandboxId));
    const container = this.#docker.getContainer(name);
    const known = await this.#call('look at the container', signal, () => orNull(container.inspect()));
    if (known) {
      this.#assertOurs(name, known.Config.Labels);
      await this.#untilGone('remove the container', signal, () => container.remove({ force: true, v: true }));
    }
    await this.#removeVolume(name, 'the workspace', signal);
    await this.#seals.giveBack(sandboxId);
  }

  async disk({ signal }: CallOptions): Promise<DiskSpace | null> {
    this.#root ??= z.string().parse((await this.#call('ask for its folder', signal, () => this.#docker.info())).DockerRootDir);
    return await engineDiskSpace(this.#root);
  }

  async sizes({ signal }: CallOptions): Promise<ProjectSize[]> {
    // The client's own call asks for images and containers, too, whose layers take long to count.
    const target = {
      path: '/system/df?',
      options: { type: 'volume' },
      method: 'GET',
      abortSignal: signal,
      statusCodes: { 200: true },
    } as const;
    const answer = await this.#call('measure the volumes', signal, () => {
      return new Promise<unknown>((resolve, reject) => {
        this.#docker.modem.dial(target, (error: unknown, found: unknown) => (error ? reject(error) : resolve(found)));
      });
    });
    return sizesOf(volumeUseSchema.parse(answer), this.#template.instance);
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
    const known = await this.#call(`look at ${what}`, signal, () => orNull(volume.inspect()));
    if (!known) return;
    this.#assertOurs(name, known.Labels);
    await this.#untilGone(`remove ${what}`, signal, () => volume.remove());
  }

  #isOurs(labels: Labels): boolean {
    return labels['koda.instance'] === this.#template.instance;
  }

  #assertOurs(name: string, labels: Labels | null): void {
    if (labels && this.#isOurs(labels)) return;
    throw new KodaError('FORBIDDEN', `"${name}" does not bear the label of this instance, so it is not touched.`);
  }

  /** Removes until the engine says that there is nothing: while a removal is under way it answers 409. */
  async #untilGone(what: string, signal: AbortSignal, action: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await action();
        return;
      } catch (error) {
        const status = statusOf(error);
        if (status === 404) return;
        if (status !== 409 || attempt === removeAttempts) throw this.#explain(what, error);
      }
      if (signal.aborted) throw new KodaError('CANCELLED', `Stopped while it tried to ${what}.`);
      await delay(removePauseMs);
    }
  }

  async #call<Value>(what: string, signal: AbortSignal, action: () => Promise<Value>): Promise<Value> {
    if (signal.aborted) throw new KodaError('CANCELLED', `Stopped before it could ${what}.`);
    try {
      return await action();
    } catch (error) {
      throw this.#explain(what, error);
    }
  }

  /** What went wrong with the engine, in words that say what to do. */
  #explain(what: string, error: unknown): KodaError {
    if (error instanceof KodaError) return error;
    const message = errorMessage(error);
    if (hasCode(error, 'ENOENT', 'ECONNREFUSED'))
      return unavailable(`Docker is not running (nobody answers at ${this.#socket}). Start it.`, 'start_docker', error);
    if (hasCode(error, 'ECONNRESET', 'EPIPE'))
      return unavailable(`Docker ended while it was asked to ${what}. Start it again.`, 'start_docker', error);
    if (hasCode(error, 'EACCES'))
      return unavailable(`This user may not use Docker (${this.#socket}). Add it to the group "docker".`, 'grant_docker', error);
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
