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
