import type { Sandbox } from './sandbox.ts';

/** The running sandboxes, one a project at most. */
export interface SandboxPort {
  /**
   * The project's sandbox, its files complete. A new one is a copy of the template that `prepare` has filled,
   * before anybody else sees it; then it is `fresh`. When `prepare` fails, the sandbox is destroyed.
   */
  acquire(
    projectId: string,
    options: {
      template: string;
      prepare: (sandbox: Sandbox, options: { signal: AbortSignal }) => Promise<void>;
      signal: AbortSignal;
    },
  ): Promise<{ sandbox: Sandbox; fresh: boolean }>;
  /** The sandbox if it is known to run, without making one. */
  current(projectId: string): Sandbox | null;
  /** Projects that have a running sandbox, also from before a restart of the server. */
  list(options: { signal: AbortSignal }): Promise<readonly string[]>;
  destroy(projectId: string): Promise<void>;
  /** Removes what the project's sandboxes left to each other; after `destroy`, when the project is gone. */
  removeCache(projectId: string): Promise<void>;
}
