import type { PreviewStatus } from '../../server/contract/sandboxd.ts';

/** The dev server of the project, as the routes that need a running page see it. */
export interface PreviewServer {
  /**
   * Starts the dev server when it is not running, and answers when it serves HTTP on 127.0.0.1:port.
   * Throws ProtocolError SERVER_FAILED with the end of its log. `signal` ends the wait, not the server.
   */
  ensureRunning(signal: AbortSignal): Promise<{ port: number }>;
  status(): PreviewStatus;
}

/** Where the page is served, as `http://127.0.0.1:port`, by a dev server that runs. Throws as `ensureRunning`. */
export async function previewOrigin(server: PreviewServer, signal: AbortSignal): Promise<string> {
  const { port } = await server.ensureRunning(signal);
  return `http://127.0.0.1:${port}`;
}
