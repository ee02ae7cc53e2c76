import type { CDPSession, Protocol } from 'puppeteer-core';

/** Connections that stay open, and media, which plays while it loads. */
const endless: ReadonlySet<string> = new Set(['EventSource', 'WebSocket', 'Media', 'Ping', 'Prefetch', 'Preflight']);

/** A page's unfinished requests. */
export class PendingRequests {
  readonly #urls = new Map<string, string>();

  /** Call before navigation. */
  async follow(session: CDPSession): Promise<void> {
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, request, type }: Protocol.Network.RequestWillBeSentEvent) => {
      // A worker's script has no loader, and only the worker hears when it has loaded.
      if (loaderId !== '' && !endless.has(type ?? '')) this.#urls.set(requestId, request.url);
    });
    const end = ({ requestId }: { requestId: string }) => this.#urls.delete(requestId);
    session.on('Network.loadingFinished', end);
    session.on('Network.loadingFailed', end);
    // Nobody reads responses through the protocol, so Chromium need not keep them.
    await session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1 });
  }

  /** Forgets the requests of the document before. */
  clear(): void {
    this.#urls.clear();
  }

  get urls(): readonly string[] {
    return [...this.#urls.values()];
  }
}
