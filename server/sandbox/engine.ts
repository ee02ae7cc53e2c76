import type { CallOptions } from './sandbox.ts';

/** What is asked of the container engine. There is no way to hand it raw engine options. */
export interface SandboxContainerSpec {
  readonly sandboxId: string;
  readonly projectId: string;
  /** The secret that sandboxd expects; useless for any other sandbox. */
  readonly token: string;
  readonly memoryBytes: number;
  readonly cpus: number;
}

export interface ContainerInfo {
  readonly sandboxId: string;
  readonly projectId: string;
  readonly running: boolean;
  readonly oomKilled: boolean;
  readonly exitCode: number | null;
  /** Grows with every sandbox made: of two for one project, the higher is the newer. */
  readonly generation: number;
}

/**
 * The only way to the container engine. The broker process implements it over the engine's socket, the
 * app over the broker's socket; the container's configuration is made behind it from a fixed template
 * (`security.md`), and only containers labelled with this instance are ever seen or touched.
 */
export interface Engine {
  /** Engine version, or throws SERVICE_UNAVAILABLE with what to do. Also checks that the sandbox image is there. */
  check(options: CallOptions): Promise<{ engineVersion: string; imageId: string }>;
  /** Creates and starts the container with its workspace volume, its project's cache volume and its socket folder. */
  start(spec: SandboxContainerSpec, options: CallOptions): Promise<void>;
  inspect(sandboxId: string, options: CallOptions): Promise<ContainerInfo | null>;
  /** All sandboxes of this instance, also those of which only the volume is left. */
  list(options: CallOptions): Promise<ContainerInfo[]>;
  /** Removes container and workspace volume, not the cache; fine when they are gone already. */
  remove(sandboxId: string, options: CallOptions): Promise<void>;
  /** Ids of the projects of this instance that have a cache volume. */
  listCaches(options: CallOptions): Promise<string[]>;
  /** Removes a project's cache volume; fine when it is gone already. Throws while a sandbox has it mounted. */
  removeCache(projectId: string, options: CallOptions): Promise<void>;
}
