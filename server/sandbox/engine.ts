import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '../contract/errors.ts';
import type { DiskSpace, ProjectSize } from './engine-disk.ts';
import type { CallOptions } from './sandbox.ts';

/** What is asked of the container engine. There is no way to hand it raw engine options. */
export interface SandboxContainerSpec {
  readonly sandboxId: string;
  readonly projectId: string;
  /** The secret that sandboxd expects; useless for any other sandbox. */
  readonly token: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  /** What its workspace, and its project's cache, may take on the engine's disk. */
  readonly diskBytes: number;
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
  /** Takes from a sandbox that answers the right to write to its socket folder. Idempotent. */
  seal(sandboxId: string, options: CallOptions): Promise<void>;
  inspect(sandboxId: string, options: CallOptions): Promise<ContainerInfo | null>;
  /** All sandboxes of this instance, also those that are only a volume any more. */
  list(options: CallOptions): Promise<ContainerInfo[]>;
  /** Removes container and workspace volume, not the cache; fine when they are gone already. */
  remove(sandboxId: string, options: CallOptions): Promise<void>;
  /** What is free on the engine's disk; null when that cannot be seen. */
  disk(options: CallOptions): Promise<DiskSpace | null>;
  /**
   * What the projects' volumes hold, by the length of their files, as the engine sees it from outside. Costs a walk over
   * all of its volumes. Those that the kernel limits do not count.
   */
  sizes(options: CallOptions): Promise<ProjectSize[]>;
  /** Ids of the projects of this instance that have a cache volume. */
  listCaches(options: CallOptions): Promise<string[]>;
  /** Removes a project's cache volume; fine when it is gone already. Throws while a sandbox has it mounted. */
  removeCache(projectId: string, options: CallOptions): Promise<void>;
}

const pollMs = 500;

/** Whether a call failed because the container engine, or the broker before it, is not running. */
export function isEngineAway(error: unknown): error is KodaError {
  return error instanceof KodaError && (error.recovery === 'start_docker' || error.recovery === 'start_broker');
}

/**
 * Tries again while the engine is away, so that its restart costs a moment and not the work. `onAway` receives each
 * failed attempt. When `timeoutMs` have passed, or `signal` fires meanwhile, that failure is thrown.
 */
export async function retryWhileAway<Value>(
  attempt: () => Promise<Value>,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly onAway: (error: KodaError) => void },
): Promise<Value> {
  const { timeoutMs, signal, onAway } = options;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isEngineAway(error)) throw error;
      onAway(error);
      if (Date.now() >= deadline) throw error;
      await delay(pollMs, null, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}
