import type { Page } from 'puppeteer-core';
import { z } from 'zod';

export interface Frames {
  readonly framesPerSecond: number;
  readonly longestMs: number;
}

const framesSchema = z.object({ framesPerSecond: z.number(), longestMs: z.number() });

/** Measures how a page renders while `work` runs. */
export async function watchFrames(page: Page, work: () => Promise<void>): Promise<Frames> {
  await page.evaluate(`(() => {
    const watch = (window.frameWatch = { count: 0, longestMs: 0, startedAt: performance.now(), last: performance.now(), on: true });
    const tick = (now) => {
      watch.count += 1;
      watch.longestMs = Math.max(watch.longestMs, now - watch.last);
      watch.last = now;
      if (watch.on) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })()`);
  await work();
  return framesSchema.parse(
    await page.evaluate(`(() => {
      const watch = window.frameWatch;
      watch.on = false;
      return { framesPerSecond: watch.count / ((performance.now() - watch.startedAt) / 1000), longestMs: watch.longestMs };
    })()`),
  );
}

/** Returns the page's heap in use, in millions of bytes. */
export async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.createCDPSession();
  try {
    await session.send('HeapProfiler.enable');
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    return usedSize / 1e6;
  } finally {
    await session.detach();
  }
}

/** Time limit for a page to catch up. It is generous, because a busy machine may fall far behind. */
const catchUpMs = 120_000;

/** Waits until the page shows the project under this name. Throws an Error with the page's content if it does not. */
export async function untilNamed(page: Page, name: string): Promise<void> {
  try {
    await page.waitForFunction(`document.querySelector('h1')?.textContent === '${name}'`, { timeout: catchUpMs, polling: 100 });
  } catch (cause) {
    const shown = await page.evaluate("document.title + ': ' + document.body.innerText.slice(0, 500)");
    throw new Error(`The page did not come to "${name}" in ${catchUpMs / 1000} s. It shows: ${String(shown)}`, { cause });
  }
}
