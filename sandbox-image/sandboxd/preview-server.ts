import type { PreviewStatus } from '#contract/sandbox/answers.ts';

export interface PreviewServer {
  /**
   * Starts the dev server unless it is running. Resolves when it serves HTTP on 127.0.0.1:port. `signal` aborts the wait, not
   * the server. Throws SERVER_FAILED with the end of the log.
   */
  ensureRunning(signal: AbortSignal): Promise<{ port: number }>;
  status(): PreviewStatus;
}

/** Returns the origin of the running dev server. Errors from `ensureRunning` propagate. */
export async function previewOrigin(server: PreviewServer, signal: AbortSignal): Promise<string> {
  const { port } = await server.ensureRunning(signal);
  return `http://127.0.0.1:${port}`;
}
