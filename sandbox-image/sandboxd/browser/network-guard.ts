import type { CDPSession, Protocol } from 'puppeteer-core';
import type { PageEvidence } from './page-evidence.ts';

const innerSchemes = ['data:', 'blob:', 'about:'];

/** Whether a page of `origin` may ask for `url`: only its own origin and what it carries in itself. */
export function isAllowedUrl(url: string, origin: string): boolean {
  if (innerSchemes.some((scheme) => url.startsWith(scheme))) return true;
  return URL.canParse(url) && new URL(url).origin === origin;
}

/**
 * Refuses every request of a page that leaves `origin`, and tells the page's evidence of it. What an
 * animation needs lies beside it: something fetched from elsewhere would make frames depend on the day.
 */
export async function guardNetwork(session: CDPSession, origin: string, evidence: PageEvidence): Promise<void> {
  session.on('Fetch.requestPaused', (event: Protocol.Fetch.RequestPausedEvent) => {
    const { requestId, request } = event;
    const allowed = isAllowedUrl(request.url, origin);
    if (!allowed)
      evidence.add('error', `The page asked for ${request.url}, but an animation has no network: put the file into public/.`);
    const answer = allowed
      ? session.send('Fetch.continueRequest', { requestId })
      : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    // The request may be gone by now, with its page; then there is nobody to answer.
    answer.catch((error: unknown) => evidence.add('log', `network guard: ${String(error)}`));
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
}
