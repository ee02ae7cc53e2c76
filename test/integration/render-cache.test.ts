import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RenderJobs } from '../../sandbox-image/sandboxd/render/jobs.ts';
import { type StageWorkspace, stageJob, stageWorkspace } from '../fixtures/stage-workspace.ts';

const sceneCount = 5;
const framesPerScene = 10;
const fps = 10;

const scene = (number: number, colour: string) =>
  `export const draw = (box, seconds) => { box.style.background = '${colour}'; box.style.left = seconds * ${30 + number} + 'px'; };\n`;

/** Creates a film with five scenes, one module each, with 50 slow frames in all. */
async function fiveScenes({ frameMs = 0 } = {}): Promise<StageWorkspace> {
  const page = await stageWorkspace();
  const numbers = Array.from({ length: sceneCount }, (_, index) => index + 1);
  await rm(join(page.folder, 'src'), { recursive: true });
  await mkdir(join(page.folder, 'src/scenes'), { recursive: true });
  for (const number of numbers) await writeFile(join(page.folder, `src/scenes/scene-${number}.js`), scene(number, 'navy'));
  await writeFile(
    join(page.folder, 'src/film.js'),
    `${numbers.map((number) => `import * as scene${number} from './scenes/scene-${number}.js';`).join('\n')}
     export const scenes = [${numbers.map((number) => `scene${number}`).join(', ')}];`,
  );
  await writeFile(
    join(page.folder, 'index.html'),
    `<!doctype html><body style="margin:0;background:#fff"><div id="box" style="position:absolute;width:80px;height:80px"></div>
     <script type="module">
       import { scenes } from './src/film.js';
       const box = document.getElementById('box');
       window.__exportInfo = { durationSeconds: ${sceneCount}, width: 320, height: 180, fps: ${fps},
         scenes: scenes.map((_, index) => ({ id: 'scene-' + (index + 1), startSeconds: index, durationSeconds: 1 })) };
       window.__exportSeekTo = (seconds) => {
         const index = Math.min(Math.floor(seconds), scenes.length - 1);
         scenes[index].draw(box, seconds - index);
         for (let n = 0; n < ${frameMs} * 1e5; n++) window.busy = Math.sqrt(n);
       };
       window.__exportReady = true;
     </script>`,
  );
  return page;
}

const film = { durationSeconds: sceneCount, fps } as const;

async function videoHash(page: StageWorkspace): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(page.folder, '.koda/renders/test/video.mp4')))
    .digest('hex');
}

describe('frames that were captured before', () => {
  it('X6: a new quality or format captures no frame and gives the same film as without a cache', async () => {
    await using page = await fiveScenes();
    expect((await page.renderAgain(film)).capturedFrames).toBe(sceneCount * framesPerScene);
    expect((await page.renderAgain({ ...film, crf: 30 })).capturedFrames).toBe(0);
    const reused = await videoHash(page);
    expect((await page.renderAgain({ ...film, format: 'webm' })).capturedFrames).toBe(0);
    await page.render({ ...film, crf: 30 });
    expect(await videoHash(page)).toBe(reused);
  });

  it('X6: half the frame rate uses every other frame, and twice the rate captures those between', async () => {
    await using page = await fiveScenes();
    await page.renderAgain(film);
    expect((await page.renderAgain({ ...film, fps: fps / 2 })).capturedFrames).toBe(0);
    expect((await page.renderAgain({ ...film, fps: fps * 2 })).capturedFrames).toBe(sceneCount * framesPerScene);
  });

  it('X6: after a change of one of five scenes, captures about a fifth of the frames and shows the change', async () => {
    await using page = await fiveScenes();
    await page.renderAgain(film);
    const before = await videoHash(page);
    await writeFile(join(page.folder, 'src/scenes/scene-3.js'), scene(3, 'crimson'));
    const { capturedFrames } = await page.renderAgain(film);
    // Frames of the changed scene with margins at its cuts, and the samples that verify the other scenes.
    expect(capturedFrames).toBeGreaterThanOrEqual(framesPerScene);
    expect(capturedFrames).toBeLessThan(2.5 * framesPerScene);
    const after = await videoHash(page);
    expect(after).not.toBe(before);
    // After the change is reverted, everything is cached.
    await writeFile(join(page.folder, 'src/scenes/scene-3.js'), scene(3, 'navy'));
    expect((await page.renderAgain(film)).capturedFrames).toBe(0);
    expect(await videoHash(page)).toBe(before);
    // The mixture of old and new frames equals a complete render.
    await writeFile(join(page.folder, 'src/scenes/scene-3.js'), scene(3, 'crimson'));
    await page.render(film);
    expect(await videoHash(page)).toBe(after);
  });

  it('X6: detects by samples that a scene affects others without an import', async () => {
    await using page = await fiveScenes();
    await page.renderAgain(film);
    await writeFile(join(page.folder, 'src/scenes/scene-3.js'), `${scene(3, 'navy')} document.body.style.background = 'gold';`);
    await page.renderAgain(film);
    const reused = await videoHash(page);
    await page.render(film);
    expect(await videoHash(page)).toBe(reused);
  });

  it('A18: a cancelled render resumes from its stored frames', async () => {
    // The page is slow, so that the render can be cancelled before its end.
    await using page = await fiveScenes({ frameMs: 60 });
    const cancel = new AbortController();
    const half = (sceneCount * framesPerScene) / 2;
    const stopped = page.render(
      film,
      () =>
        void storedFrames(page).then(
          (count) => count > half && cancel.abort(),
          () => undefined,
        ),
      cancel.signal,
    );
    const poll = setInterval(
      () =>
        void storedFrames(page).then(
          (count) => count > 5 && cancel.abort(),
          () => undefined,
        ),
      5,
    );
    await expect(stopped).rejects.toThrow();
    clearInterval(poll);
    const kept = await storedFrames(page);
    expect(kept).toBeGreaterThan(5);
    const { capturedFrames } = await page.renderAgain(film);
    expect(capturedFrames).toBe(sceneCount * framesPerScene - kept);
  });

  it('captures a damaged frame again', async () => {
    await using page = await fiveScenes();
    await page.renderAgain(film);
    const before = await videoHash(page);
    const [victim] = await framePaths(page);
    if (!victim) throw new Error('no frame was stored');
    await truncate(victim, 40);
    expect((await page.renderAgain(film)).capturedFrames).toBe(1);
    expect(await videoHash(page)).toBe(before);
  });

  it('reads the page again if its stored information is unreadable', async () => {
    await using page = await fiveScenes();
    await page.renderAgain(film);
    const before = await videoHash(page);
    const root = join(page.folder, '.koda/frames');
    const [note] = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('/info.note'));
    await truncate(join(root, note ?? ''), 20);
    expect((await page.renderAgain(film)).capturedFrames).toBe(0);
    expect(await videoHash(page)).toBe(before);
  });

  it('X6: keeps frames of a build after the sandbox ends, but not those of a page that may still change', async () => {
    await using page = await fiveScenes();
    const { folder: workspace, previewServer, tools } = page;
    const lasting = join(workspace, '.koda/lasting');
    const jobs = new RenderJobs({
      workspace,
      cacheFolder: Promise.resolve(lasting),
      previewServer,
      screenshotBrowser: null,
      tools: () => tools,
      oomKills: () => Promise.resolve(null),
    });
    const short = { ...stageJob, fps, durationSeconds: 1 };
    const { signal } = new AbortController();
    await jobs.run({ ...short, source: 'dev' }, () => null, signal);
    expect(await storedFrames(page)).toBe(framesPerScene);
    expect(await readdir(join(workspace, '.koda'))).not.toContain('lasting');
    await jobs.run({ ...short, source: 'build' }, () => null, signal);
    expect(await storedFrames(page)).toBe(framesPerScene);
    expect(await readdir(lasting)).toEqual(['frames']);
  });

  it('A19: captures each damaged frame among missing ones at its own time', async () => {
    await using page = await fiveScenes();
    await page.renderAgain(film);
    const before = await videoHash(page);
    let damaged = 0;
    let missing = 0;
    for (const path of await framePaths(page)) {
      const frame = Math.round((Number(basename(path)) / 1e6) * fps);
      if (frame % 2 === 1) {
        await rm(path);
        missing++;
      } else if (frame % 4 === 0) {
        await truncate(path, 40);
        damaged++;
      }
    }
    expect((await page.renderAgain(film)).capturedFrames).toBe(missing + damaged);
    expect(await videoHash(page)).toBe(before);
  });

  it('stores no frame of a project that changes during the render', async () => {
    // The page is slow, so that it can be changed in time.
    await using page = await fiveScenes({ frameMs: 60 });
    await Promise.all([
      page.render(film),
      expect
        .poll(() => storedFrames(page), { interval: 5 })
        .toBeGreaterThan(2)
        .then(() => writeFile(join(page.folder, 'src/scenes/scene-5.js'), scene(5, 'green'))),
    ]);
    expect(await storedFrames(page)).toBe(0);
  });
});

async function framePaths(page: StageWorkspace): Promise<string[]> {
  const root = join(page.folder, '.koda/frames');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && /^\d+$/.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
}

async function storedFrames(page: StageWorkspace): Promise<number> {
  return (await framePaths(page).catch(() => [])).length;
}
