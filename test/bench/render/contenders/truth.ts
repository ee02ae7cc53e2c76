import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import { oneLayerExpression } from '../../../../sandbox-image/sandboxd/browser/stage-expressions.ts';
import { serveFolder } from '../../../../sandbox-image/sandboxd/render/static-server.ts';
import { sceneFolder } from '../build.ts';
import { llvmpipeEnvironment, llvmpipeFlags, pictureFlags } from '../graphics.ts';
import type { Task } from './contender.ts';

/** A moment, and the PNG screenshot that shows what it has to look like. */
export interface Truth {
  readonly frame: number;
  readonly png: string;
}

/**
 * Takes the truth of these frames into `folder`: each in a page of its own that has drawn no other moment, since
 * Chromium's pictures depend a little on what it drew before (`browser/exact-drawing.ts`). Throws what Chromium throws.
 */
export async function takeTruths(task: Task, frames: readonly number[], folder: string): Promise<Truth[]> {
  const { film } = task;
  await mkdir(folder, { recursive: true });
  await using server = await serveFolder(sceneFolder(task.work, task.scene));
  await using browser = await launch({
    executablePath: task.chromiumPath,
    args: ['--no-sandbox', ...pictureFlags, ...llvmpipeFlags],
    env: { ...process.env, ...llvmpipeEnvironment },
    defaultViewport: { width: film.width, height: film.height },
  });
  const truths: Truth[] = [];
  for (const frame of frames) {
    await using page = await browser.newPage();
    await page.goto(`${server.origin}/plain.html`);
    await page.evaluate(oneLayerExpression);
    await page.waitForFunction('typeof window.drawMoment === "function"');
    await page.evaluate(
      `window.drawMoment(${frame / film.fps});
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))`,
    );
    const png = join(folder, `${frame}.png`);
    await page.screenshot({ path: png as `${string}.png` });
    truths.push({ frame, png });
  }
  return truths;
}
