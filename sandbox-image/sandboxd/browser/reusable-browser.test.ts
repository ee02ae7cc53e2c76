import { describe, expect, it } from 'vitest';
import { CaptureError } from './capture-error.ts';
import type { Chromium } from './chromium.ts';
import type { BrowserLauncher } from './launcher.ts';
import { ScreenshotBrowser } from './reusable-browser.ts';

const { signal } = new AbortController();

/** A browser whose launches are counted. Only what the reuse of browsers needs is there. */
function browserWith(failures: readonly Error[]) {
  let launches = 0;
  const launch = async () => {
    launches += 1;
    return { closed: signal, [Symbol.asyncDispose]: async () => undefined } as unknown as Chromium;
  };
  const browser = new ScreenshotBrowser({ launch } as unknown as BrowserLauncher, 60_000);
  const left = [...failures];
  const use = (by = signal) =>
    browser.use(by, async () => {
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return 'done';
    });
  return { browser, use, launches: () => launches };
}

const crash = () => new CaptureError('crashed', 'Chromium exited unexpectedly.', []);

describe('the browser for screenshots', () => {
  it('is replaced once if it exits, and the work is done again', async () => {
    const { browser, use, launches } = browserWith([crash()]);
    expect(await use()).toBe('done');
    expect(launches()).toBe(2);
    await browser[Symbol.asyncDispose]();
  });

  it('is not replaced again if it exits again', async () => {
    const { browser, use } = browserWith([crash(), crash()]);
    await expect(use()).rejects.toMatchObject({ reason: 'crashed' });
    expect(await use()).toBe('done');
    await browser[Symbol.asyncDispose]();
  });

  it('stays after an error of the page, which is not tried again', async () => {
    const { browser, use, launches } = browserWith([new CaptureError('never_ready', 'The page is not ready.', [])]);
    await expect(use()).rejects.toMatchObject({ reason: 'never_ready' });
    expect(await use()).toBe('done');
    expect(launches()).toBe(1);
    await browser[Symbol.asyncDispose]();
  });

  it('does not try again what was cancelled', async () => {
    const { browser, use } = browserWith([crash()]);
    const away = new AbortController();
    const pending = use(away.signal);
    away.abort();
    await expect(pending).rejects.toThrow();
    await browser[Symbol.asyncDispose]();
  });
});
