import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderJob } from '#contract/sandbox/answers.ts';
import { installedBackend } from '../../../../sandbox-image/sandboxd/browser/executables.ts';
import { BrowserLauncher } from '../../../../sandbox-image/sandboxd/browser/launcher.ts';
import { PageEvidence } from '../../../../sandbox-image/sandboxd/browser/page-evidence.ts';
import { defaultLimits, Stage } from '../../../../sandbox-image/sandboxd/browser/stage.ts';
import { availableColourFilter, runFfmpeg } from '../../../../sandbox-image/sandboxd/render/encode.ts';
import { renderFilm } from '../../../../sandbox-image/sandboxd/render/film.ts';
import { frameFormats } from '../../../../sandbox-image/sandboxd/render/film-content.ts';
import { FrameCapturer } from '../../../../sandbox-image/sandboxd/render/frame-capturer.ts';
import { serveFolder } from '../../../../sandbox-image/sandboxd/render/static-server.ts';
import { parseStatistics, planComparison } from '../../../../sandbox-image/sandboxd/render/verification.ts';
import { kodaFolder } from '../build.ts';
import { sceneNamed } from '../scene-list.ts';
import type { Contender, Rendered, Task } from './contender.ts';
import type { Truth } from './truth.ts';

/** Runs the product's own render path, from the served page to the file. */
export const ours: Contender = {
  async prepare() {
    // Nothing to prepare, because the page is already built.
  },
  async render(task: Task): Promise<Rendered> {
    const { film } = task;
    await using server = await serveFolder(kodaFolder(task.work, sceneNamed(task.scene)));
    const job: RenderJob = {
      id: 'bench',
      source: 'build',
      width: film.width,
      height: film.height,
      fps: film.fps,
      durationSeconds: film.durationSeconds,
      format: 'mp4',
      crf: film.crf,
      transparent: false,
      range: null,
      parameters: null,
      aspect: null,
      chapters: true,
      verify: false,
      speed: 'fast',
      workers: film.workers,
      preparesFinal: false,
      timeoutMs: 600_000,
    };
    const probe = await renderFilm(job, {
      tools: {
        launcher: launcherOf(task),
        ffmpegPath: task.ffmpegPath,
        ffprobePath: task.ffprobePath,
        limits: defaultLimits,
      },
      origin: server.origin,
      roots: [],
      folder: task.output,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      // The frame cache is empty, as for a first render.
      cache: null,
      live: null,
      takeOpenPage: null,
    });
    return { videoPath: join(task.output, 'video.mp4'), frames: probe.frames, startMs: null };
  },
};

/**
 * Returns the PSNR in dB of Koda's captured frames compared with reference screenshots, both with subsampled colours as in
 * the encoder. Uses the folder `scratch`.
 */
export async function capturePsnr(task: Task, truths: readonly Truth[], scratch: string): Promise<number[]> {
  const signal = new AbortController().signal;
  const [captured, truth, statistics] = ['captured', 'truth', 'psnr.txt'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [captured, truth]) await rm(path, { force: true });
  await using server = await serveFolder(kodaFolder(task.work, sceneNamed(task.scene)));
  await using chromium = await launcherOf(task).launch(signal);
  await using stage = await Stage.open(chromium, {
    origin: server.origin,
    size: { width: task.film.width, height: task.film.height },
    limits: defaultLimits,
    signal,
    transparent: false,
    parameters: null,
    aspect: null,
    skipsRedundantDraws: true,
    evidence: new PageEvidence(),
  });
  const { width, height, fps } = task.film;
  const scenes = { range: { first: 0, count: 1 }, fps, direct: 'film' } as const;
  const frameFormat = frameFormats({ format: 'mp4', transparent: false }, stage.info, scenes)(0);
  const capturer = new FrameCapturer(stage);
  for (const { frame, png } of truths) {
    await appendFile(captured, await capturer.capture(frame / fps, frameFormat));
    await appendFile(truth, await readFile(png));
  }
  const filter = await availableColourFilter(task.ffmpegPath);
  const plan = planComparison({ format: 'mp4' }, { captured, stream: { frameFormat, width, height }, truth, filter, statistics });
  await runFfmpeg(plan, { ffmpegPath: task.ffmpegPath, signal, onFrames: null });
  return parseStatistics(await readFile(statistics, 'utf8'));
}

function launcherOf(task: Task): BrowserLauncher {
  return new BrowserLauncher(() => task.chromiumPath, installedBackend());
}
