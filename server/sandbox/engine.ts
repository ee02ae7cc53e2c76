import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '#contract/errors.ts';
import type { DiskSpace, ProjectSize } from './engine-disk.ts';
import type { EngineVersions } from './known-holes.ts';
import type { CallOptions } from './sandbox.ts';

export interface SandboxContainerSpec {
  readonly sandboxId: string;
  readonly projectId: string;
  readonly token: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  /** Disk space limit for the workspace and for the project's cache. */
  readonly diskBytes: number;
}

export interface ContainerInfo {
  readonly sandboxId: string;
  readonly projectId: string;
  readonly running: boolean;
  readonly oomKilled: boolean;
  readonly exitCode: number | null;
  /** Increases with every sandbox: of a project's two sandboxes, the higher one is newer. */
  readonly generation: number;
}

/**
 * The only access to the container engine. The broker implements it over the engine's socket, the app over the broker's. The
 * container configuration comes from a fixed template (`security.md`), and only containers with this instance's label are
 * visible or changed.
 */
export interface Engine {
  /** Returns the versions, after checking that image and runtime exist. Throws SERVICE_UNAVAILABLE, with advice. */
  check(options: CallOptions): Promise<{ versions: EngineVersions; imageId: string }>;
  /** Creates and starts the container with its workspace volume, project cache and socket folder. */
  start(spec: SandboxContainerSpec, options: CallOptions): Promise<void>;
  /** Revokes a ready sandbox's write permission on its socket folder. Idempotent. */
  seal(sandboxId: string, options: CallOptions): Promise<void>;
  inspect(sandboxId: string, options: CallOptions): Promise<ContainerInfo | null>;
  /** Lists this instance's sandboxes, including those of which only a volume remains. */
  list(options: CallOptions): Promise<ContainerInfo[]>;
  /** Removes the container and workspace volume, but not the cache. Idempotent. */
  remove(sandboxId: string, options: CallOptions): Promise<void>;
  disk(options: CallOptions): Promise<DiskSpace | null>;
  /** Measures the projects' volumes. Expensive, because it walks all files. Omits volumes that the kernel limits. */
  sizes(options: CallOptions): Promise<ProjectSize[]>;
  listCaches(options: CallOptions): Promise<string[]>;
  removeCache(projectId: string, options: CallOptions): Promise<void>;
}

const pollMs = 500;

/** Returns whether a call failed because the container engine or the broker is not running. */
export function isEngineUnavailable(error: unknown): error is KodaError {
  return error instanceof KodaError && (error.recovery === 'start_docker' || error.recovery === 'start_broker');
}

/** Retries while the engine is unavailable. Throws the last failure `timeoutMs` after the first one, or once `signal` aborts. */
export async function retryWhileUnavailable<Value>(
  attempt: () => Promise<Value>,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly onUnavailable: (error: KodaError) => void },
): Promise<Value> {
  const { timeoutMs, signal, onUnavailable } = options;
  let deadline: number | null = null;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isEngineUnavailable(error)) throw error;
      onUnavailable(error);
      deadline ??= performance.now() + timeoutMs;
      if (performance.now() >= deadline) throw error;
      await delay(pollMs, null, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}
