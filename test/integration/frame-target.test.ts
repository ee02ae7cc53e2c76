import { expect, it, vi } from 'vitest';
import { AgentPage } from '../../sandbox-image/sandboxd/browser/agent-page.ts';
import { findChromium, installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { detectFileType } from '../../sandbox-image/sandboxd/files/image-type.ts';

const { signal } = new AbortController();

it('retries the first capture if a browser with its own clock does not respond to it', async () => {
  const where = { configured: process.env['KODA_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' };
  await using chromium = await new BrowserLauncher(() => findChromium(where), installedBackend()).launchPlain(signal);
  const size = { width: 320, height: 180 };
  const target = await chromium.openTarget(size);
  vi.spyOn(chromium, 'openTarget').mockResolvedValue(target);
  const address = { url: 'data:text/html,<h1>Hello</h1>', origin: 'http://127.0.0.1:1', size };
  await using page = await AgentPage.open(chromium, address, signal);
  // Chromium may not respond to its own first request either.
  await page.capture(signal);
  const send = vi.spyOn(target.session, 'send').mockImplementationOnce(() => new Promise(() => undefined));
  expect(detectFileType(await page.capture(signal))).toMatchObject({ mediaType: 'image/jpeg' });
  expect(send.mock.calls.map(([method]) => method)).toEqual([
    'Page.captureScreenshot',
    'Page.bringToFront',
    'Page.captureScreenshot',
  ]);
});
