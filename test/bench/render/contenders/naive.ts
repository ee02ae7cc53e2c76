import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launch } from 'puppeteer-core';
import { oneLayerRule } from '../../../../sandbox-image/sandboxd/page/rules.ts';
import { x264Options } from '../../../../sandbox-image/sandboxd/render/ffmpeg-args.ts';
import { serveFolder } from '../../../../sandbox-image/sandboxd/render/static-server.ts';
import { sceneFolder } from '../build.ts';
import { frameCount, sampledFrames } from '../film.ts';
import { llvmpipeEnvironment, llvmpipeFlags, pictureFlags } from '../graphics.ts';
import type { Contender, Rendered, Task } from './contender.ts';

const run = promisify(execFile);

/**
 * The naive approach: draw, wait for two animation frames, take a PNG screenshot to disk, and encode the images at the end.
 * It samples frames across the film, because the whole film would take minutes. It uses Koda's graphics settings, so that
 * only the approach differs.
 */
export const naive: Contender = {
  async prepare() {
    // Nothing to prepare, because the page is already built.
  },
  async render(task: Task): Promise<Rendered> {
    const { film } = task;
    const frames = sampledFrames(frameCount(film), task.sampleFrames);
    await mkdir(join(task.output, 'frames'));
    const startedAtMs = performance.now();
    await using server = await serveFolder(sceneFolder(task.work, task.scene));
    let startMs: number;
    {
      await using browser = await launch({
        executablePath: task.chromiumPath,
        args: ['--no-sandbox', ...pictureFlags, ...llvmpipeFlags],
        env: { ...process.env, ...llvmpipeEnvironment },
        defaultViewport: { width: film.width, height: film.height },
      });
      const page = await browser.newPage();
      await page.goto(`${server.origin}/plain.html`);
      await page.addStyleTag({ content: oneLayerRule });
      await page.waitForFunction('typeof window.drawMoment === "function"');
      startMs = performance.now() - startedAtMs;
      for (const [position, frame] of frames.entries()) {
        await page.evaluate(
          `window.drawMoment(${frame / film.fps});
          new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))`,
        );
        await page.screenshot({
          path: join(task.output, 'frames', `${String(position).padStart(5, '0')}.png`) as `${string}.png`,
        });
      }
    }
    const videoPath = join(task.output, 'video.mp4');
    await run(task.ffmpegPath, [
      ...['-v', 'error', '-framerate', String(film.fps), '-i', join(task.output, 'frames', '%05d.png')],
      ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-colorspace', 'bt709', '-color_range', 'tv'],
      ...['-c:v', 'libx264', ...(film.encoder === 'same' ? x264Options({ speed: 'fast', crf: film.crf }) : [])],
      ...['-pix_fmt', 'yuv420p', videoPath],
    ]);
    return { videoPath, frames: frames.length, startMs };
  },
};
