import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RenderEvent } from '#contract/sandbox/answers.ts';
import { browserHandlers } from '../../sandbox-image/sandboxd/browser/handlers.ts';
import { ScreenshotBrowser } from '../../sandbox-image/sandboxd/browser/reusable-browser.ts';
import { RenderJobs } from '../../sandbox-image/sandboxd/render/jobs.ts';
import { frameHashes } from '../fixtures/frame-hashes.ts';
import {
  behaviour,
  markedTemporaryFolder,
  processesMentioning,
  remainingProcesses,
  stageJob,
  stageWorkspace,
} from '../fixtures/stage-workspace.ts';

const signal = new AbortController().signal;

const temporary = markedTemporaryFolder({ per: 'test' });

const slow = behaviour('export const beforeSeek = () => { for (let n = 0; n < 50 * 1e5; n++) window.busy = Math.sqrt(n); };');

describe('a preview that is watched while it is made', () => {
  it('A18: sends its first frames before its last, and all together equal the finished film', async () => {
    await using page = await stageWorkspace({ behaviour: slow });
    const events: RenderEvent[] = [];
    const rendering = page.jobs.run(stageJob, (event) => events.push(event), signal);
    const chunks: Buffer[] = [];
    let framesAtFirst: number | null = null;
    for await (const chunk of page.jobs.live(stageJob.id, signal)) {
      chunks.push(chunk);
      // 2 kB are enough for the header and the first fragment.
      if (framesAtFirst === null && Buffer.concat(chunks).includes('moof')) {
        const last = events.findLast((event) => event.type === 'progress');
        framesAtFirst = last?.type === 'progress' ? last.framesDone : 0;
      }
    }
    await rendering;
    expect(framesAtFirst).toBeLessThan(60);
    const watched = join(page.folder, 'watched.mp4');
    await writeFile(watched, Buffer.concat(chunks));
    const hashes = await frameHashes(watched);
    expect(hashes).toHaveLength(60);
    expect(hashes).toEqual(await frameHashes(join(page.folder, '.koda/renders/test/video.mp4')));
  });

  it('A18: a cancelled render also ends for viewers, and there is no stream without a render', async () => {
    await using page = await stageWorkspace({ behaviour: slow });
    const cancel = new AbortController();
    const rendering = expect(page.jobs.run(stageJob, () => undefined, cancel.signal)).rejects.toThrow();
    const watch = async () => {
      for await (const _ of page.jobs.live(stageJob.id, signal)) cancel.abort();
    };
    await expect(watch()).rejects.toThrow('before its video was complete');
    await rendering;
    expect(() => page.jobs.live(stageJob.id, signal)).toThrow('not rendering a preview');
    expect(await remainingProcesses(temporary.path)).toEqual([]);
  });
});

describe('a page that is open already', () => {
  it('A18: a preview takes over the checked page and gives the same film', async () => {
    await using page = await stageWorkspace();
    const idleMs = 200_000;
    await using screenshotBrowser = new ScreenshotBrowser(page.tools.launcher, idleMs);
    const { folder: workspace, previewServer, tools } = page;
    const { inspect } = browserHandlers({ workspace, previewServer, screenshotBrowser, limits: tools.limits });
    const jobs = new RenderJobs({
      workspace,
      cacheFolder: Promise.resolve(join(workspace, '.koda')),
      previewServer,
      screenshotBrowser,
      tools: () => tools,
      oomKills: () => Promise.resolve(null),
    });
    const look = async (width: number) => {
      const body = { atSeconds: [0.1, 1.3], width, height: 180, parameterSets: [], contactSheet: false };
      await expect(inspect({ body, signal })).resolves.toMatchObject({ console: [] });
    };
    await page.render({});
    const reference = await frameHashes(join(workspace, '.koda/renders/test/video.mp4'));
    await page.forgetFrames();
    await look(320);
    const before = await browsers();
    expect(before).not.toEqual([]);
    let during: number[] = [];
    await jobs.run(stageJob, () => void browsers().then((pids) => (during = [...new Set([...during, ...pids])])), signal);
    expect(during).not.toEqual([]);
    // No other browser was started.
    expect(during.filter((pid) => !before.includes(pid))).toEqual([]);
    expect(await frameHashes(join(workspace, '.koda/renders/test/video.mp4'))).toEqual(reference);
    // The browser belonged to the render and ended with it, not after its idle time.
    await expect.poll(browsers, { timeout: idleMs / 2 }).toEqual([]);
    await jobs[Symbol.asyncDispose]();
  });

  it('A18: does not take over a page of other sources or another size', async () => {
    await using page = await stageWorkspace();
    await using screenshotBrowser = new ScreenshotBrowser(page.tools.launcher, 60_000);
    await screenshotBrowser.use(signal, () => Promise.resolve());
    expect(screenshotBrowser.takePage('http://127.0.0.1:1 320 180 hash')).toBeNull();
  });
});

/** Returns the process ids of browsers, without their child processes. */
async function browsers(): Promise<number[]> {
  const found = await processesMentioning(temporary.path);
  return found.filter(({ commandLine }) => /remote-debugging-pipe(?!.*--type=)/.test(commandLine)).map(({ pid }) => pid);
}
