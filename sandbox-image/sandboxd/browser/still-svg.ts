import type { CDPSession, Protocol } from 'puppeteer-core';

/** The responses that `stopSvg` answers. */
export const svgImages: Protocol.Fetch.RequestPattern = {
  urlPattern: '*.svg*',
  resourceType: 'Image',
  requestStage: 'Response',
};

/** Stops the animations of an SVG that is shown as an image. They follow the real clock, and no script reaches them. */
export async function stopSvg(session: CDPSession, event: Protocol.Fetch.RequestPausedEvent): Promise<void> {
  const { requestId, responseStatusCode = 0, responseHeaders = [] } = event;
  if (responseStatusCode !== 200) {
    await session.send('Fetch.continueRequest', { requestId });
    return;
  }
  const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
  const text = Buffer.from(body, base64Encoded ? 'base64' : 'utf8').toString('utf8');
  const headers = responseHeaders.filter(({ name }) => !/^content-(?:length|encoding)$/i.test(name));
  const still = Buffer.from(stillSvg(text)).toString('base64');
  await session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: headers, body: still });
}

/** Renames elements of SMIL to one that draws nothing inside a shape, and pauses animations of CSS at their start. */
export function stillSvg(text: string): string {
  return text
    .replace(/<(\/?)(?:animate|animateTransform|animateMotion|set)(?=[\s/>])/g, '<$1metadata')
    .replace(/<\/svg>\s*$/, '<style>*{animation-play-state:paused!important}</style></svg>');
}
