import type { CDPSession, Protocol } from 'puppeteer-core';

/** Connections that stay open, and media, which plays while it loads. */
const endless: ReadonlySet<string> = new Set(['EventSource', 'WebSocket', 'Media', 'Ping', 'Prefetch', 'Preflight']);

/** Time without data after which nobody reads a response. */
const unreadMs = 1000;

interface PendingRequest {
  readonly url: string;
  readonly type: string;
  /** Time of the last part of the response, as in `performance.now()`; `null` before the first one. */
  answeredAtMs: number | null;
}

/** A page's unfinished requests. */
export class PendingRequests {
  readonly #requests = new Map<string, PendingRequest>();

  /** Call before navigation. */
  async follow(session: CDPSession): Promise<void> {
    session.on('Network.requestWillBeSent', (event: Protocol.Network.RequestWillBeSentEvent) => {
      const { requestId, loaderId, request, type = 'Other' } = event;
      // A worker's script has no loader, and only the worker hears when it has loaded.
      if (loaderId === '' || endless.has(type)) return;
      this.#requests.set(requestId, { url: request.url, type, answeredAtMs: null });
    });
    const answer = ({ requestId }: { requestId: string }) => {
      const request = this.#requests.get(requestId);
      if (request) request.answeredAtMs = performance.now();
    };
    session.on('Network.responseReceived', answer);
    session.on('Network.dataReceived', answer);
    const end = ({ requestId }: { requestId: string }) => this.#requests.delete(requestId);
    session.on('Network.loadingFinished', end);
    session.on('Network.loadingFailed', end);
    // Nobody reads responses through the protocol, so Chromium need not keep them.
    await session.send('Network.enable', { maxTotalBufferSize: 1, maxResourceBufferSize: 1 });
  }

  /** Forgets the requests of the document before. */
  clear(): void {
    this.#requests.clear();
  }

  /** Leaves out responses of `fetch` that the page does not read, because these never finish. */
  get urls(): readonly string[] {
    const nowMs = performance.now();
    const isUnread = ({ type, answeredAtMs }: PendingRequest) =>
      type === 'Fetch' && answeredAtMs !== null && nowMs - answeredAtMs > unreadMs;
    return [...this.#requests.values()].filter((request) => !isUnread(request)).map(({ url }) => url);
  }
}
