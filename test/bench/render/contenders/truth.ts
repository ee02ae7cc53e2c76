import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import { oneLayerRule } from '../../../../sandbox-image/sandboxd/page/rules.ts';
import { serveFolder } from '../../../../sandbox-image/sandboxd/render/static-server.ts';
import { sceneFolder, truthPage } from '../build.ts';
import { llvmpipeEnvironment, llvmpipeFlags, pictureFlags } from '../graphics.ts';
import { sceneNamed } from '../scene-list.ts';
import type { Task } from './contender.ts';

/** A timestamp of Koda's film and its reference PNG screenshot. */
export interface Truth {
  readonly frame: number;
  readonly png: string;
}

/**
 * Captures reference screenshots of these frames into `folder`. Each uses its own page that has drawn no other timestamp,
 * because Chromium's output depends slightly on earlier frames (`page/exact-drawing.ts`). Chromium's errors propagate.
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
    await page.goto(`${server.origin}/${truthPage(sceneNamed(task.scene))}`);
    await page.addStyleTag({ content: oneLayerRule });
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
