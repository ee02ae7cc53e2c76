import { execFile, spawn } from 'node:child_process';
import { access, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import jpeg from 'jpeg-js';
import { describe, expect, it, vi } from 'vitest';
import { type RenderEvent, renderEventSchema } from '#contract/sandbox/answers.ts';
import { createApp } from '../../sandbox-image/sandboxd/app.ts';
import { renderHandlers } from '../../sandbox-image/sandboxd/render/handlers.ts';
import { RenderJobs } from '../../sandbox-image/sandboxd/render/jobs.ts';
import { frameHashes } from '../fixtures/frame-hashes.ts';
import { pageCode } from '../fixtures/page-code.ts';
import {
  behaviour,
  markedTemporaryFolder,
  processesMentioning,
  remainingProcesses,
  type StageWorkspace,
  stageJob,
  stageWorkspace,
} from '../fixtures/stage-workspace.ts';

const run = promisify(execFile);
const token = 'a'.repeat(32);

const temporary = markedTemporaryFolder({ per: 'file' });

function videoPath(folder: string, name = 'video.mp4', id = stageJob.id): string {
  return join(folder, '.koda/renders', id, name);
}

async function videoStream(path: string): Promise<Record<string, unknown>> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_streams', '-select_streams', 'v', '-of', 'json', path]);
  const { streams } = JSON.parse(stdout) as { streams: Record<string, unknown>[] };
  return streams[0] ?? {};
}

async function frameTimes(path: string): Promise<number[]> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path]);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => Number.parseFloat(line))
    .sort((a, b) => a - b);
}

/** Returns an MP4 file's outermost boxes, in order (ISO 14496-12: size, then four letters). */
async function boxes(path: string): Promise<string[]> {
  const bytes = await readFile(path);
  const names: string[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32BE(at)))
    names.push(bytes.toString('latin1', at + 4, at + 8));
  return names;
}

/** Returns Y, Cb and Cr of one pixel in the first frame. */
async function firstPixel(path: string, x: number, y: number): Promise<number[]> {
  const filter = `crop=2:2:${x}:${y}:exact=1`;
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-frames:v', '1', '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-'],
    {
      encoding: 'buffer',
    },
  );
  return [stdout[0] ?? -1, stdout[4] ?? -1, stdout[5] ?? -1];
}

/** Repeatedly kills this test's processes that match a command line, until stopped. */
class Killer implements AsyncDisposable {
  readonly killed = new Set<number>();
  #wanted = true;
  readonly #loop: Promise<void>;

  constructor(pattern: RegExp, times: number) {
    this.#loop = this.#run(pattern, times);
  }

  async #run(pattern: RegExp, times: number): Promise<void> {
    while (this.#wanted && this.killed.size < times) {
      const found = await processesMentioning(temporary.path);
      const victim = found.find(({ pid, commandLine }) => pattern.test(commandLine) && !this.killed.has(pid));
      // Waits until the render has completed part of its work.
      await delay(victim ? 150 : 50);
      if (victim && (await processesMentioning(temporary.path)).some(({ pid }) => pid === victim.pid)) {
        try {
          process.kill(victim.pid, 'SIGKILL');
          this.killed.add(victim.pid);
        } catch {
          // It has ended by itself.
        }
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wanted = false;
    await this.#loop;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

describe('the finished video', () => {
  it('A17, A18: mp4 has every frame at its time, H.264 yuv420p BT.709, its index first, and measured values', async () => {
    await using page = await stageWorkspace();
    const events = await page.render({ speed: 'fast', workers: 2 });
    const path = videoPath(page.folder);
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      durationSeconds: 2,
      sizeBytes: (await readFile(path)).length,
      frames: 60,
      codec: 'h264',
      pixelFormat: 'yuv420p',
      width: 320,
      height: 180,
      fps: 30,
    });
    expect(await videoStream(path)).toMatchObject({
      codec_name: 'h264',
      pix_fmt: 'yuv420p',
      color_range: 'tv',
      color_space: 'bt709',
      color_transfer: 'bt709',
      color_primaries: 'bt709',
      nb_frames: '60',
    });
    const order = await boxes(path);
    expect(order.indexOf('moov')).toBeGreaterThan(0);
    expect(order.indexOf('moov')).toBeLessThan(order.indexOf('mdat'));
    const times = await frameTimes(path);
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 30, 3);
  });

  it('A17: pure red becomes BT.709 red, not the red of JPEG', async () => {
    await using page = await stageWorkspace();
    await page.render({ durationSeconds: 0.1, crf: 1 });
    // ITU-R BT.709, 8 bits, limited range: Y = 16 + 219·0.2126, Cb and Cr from the difference to blue and red.
    const [luma, cb, cr] = await firstPixel(videoPath(page.folder), 300, 60);
    expect(Math.abs((luma ?? 0) - 63)).toBeLessThanOrEqual(2);
    expect(Math.abs((cb ?? 0) - 102)).toBeLessThanOrEqual(2);
    expect(Math.abs((cr ?? 0) - 240)).toBeLessThanOrEqual(2);
  });

  it('A17: webm is VP9 with the same frames at the same times', async () => {
    await using page = await stageWorkspace();
    const events = await page.render({ format: 'webm', crf: 30, workers: 2 });
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      codec: 'vp9',
      pixelFormat: 'yuv420p',
      frames: 60,
      width: 320,
      height: 180,
      fps: 30,
    });
    const path = videoPath(page.folder, 'video.webm');
    expect(await videoStream(path)).toMatchObject({ color_space: 'bt709', color_range: 'tv' });
    // Matroska uses milliseconds.
    for (const [index, time] of (await frameTimes(path)).entries()) expect(Math.abs(time - index / 30)).toBeLessThan(0.0011);
  });

  it('A17: joins the segments of a film without a seam', async () => {
    await using page = await stageWorkspace();
    const events = await page.render({ durationSeconds: 11.5, fps: 12, workers: 2, speed: 'fast', source: 'build' });
    const path = videoPath(page.folder);
    expect(events.at(-1)).toMatchObject({ type: 'done', frames: 138, durationSeconds: 11.5, fps: 12 });
    const times = await frameTimes(path);
    expect(times).toHaveLength(138);
    for (const [index, time] of times.entries()) expect(time).toBeCloseTo(index / 12, 3);
    expect(await readdir(join(page.folder, '.koda/renders', stageJob.id))).toEqual(['thumbnail.jpg', 'video.mp4']);
  });

  it('A18: the thumbnail shows a time with much detail, without anything that covers it at other times', async () => {
    await using page = await stageWorkspace();
    // A grey element covers the frame from the middle on, as in a fade, so only the first scene is visible.
    const cover =
      "const cover = document.createElement('div'); cover.style.cssText = 'position:fixed;inset:0;z-index:9'; document.body.append(cover);";
    await writeFile(
      join(page.folder, 'src/behaviour.js'),
      behaviour(`${cover}\nexport const beforeSeek = (t) => { cover.style.background = t > 0.9 ? '#808080' : 'none'; };`),
    );
    await page.render({ workers: 2 });
    const { data, width, height } = jpeg.decode(await readFile(videoPath(page.folder, 'thumbnail.jpg')));
    expect([width, height]).toEqual([320, 180]);
    const greys = new Set<number>();
    for (let at = 0; at < data.length; at += 4) greys.add(data[at] ?? 0);
    expect(greys.size).toBeGreaterThan(20);
  });

  it('A17: a final render uses a production build, which is made once per state of the sources', async () => {
    await using page = await stageWorkspace();
    const builds = async () => (await readdir(join(page.folder, '.koda'))).filter((name) => name.startsWith('build-'));
    // The format is WebM, because an mp4 from the dev server is encoded for viewers during the render.
    const hashes = async (source: 'dev' | 'build') => {
      await page.render({ durationSeconds: 0.2, format: 'webm', source });
      return frameHashes(videoPath(page.folder, 'video.webm'));
    };
    const fromDev = await hashes('dev');
    expect(await hashes('build')).toEqual(fromDev);
    const first = await builds();
    expect(first).toHaveLength(1);
    await page.render({ durationSeconds: 0.2, source: 'build' });
    expect(await builds()).toEqual(first);
    await writeFile(join(page.folder, 'src/behaviour.js'), behaviour('// changed'));
    await page.render({ durationSeconds: 0.2, source: 'build' });
    const second = await builds();
    expect(second).toHaveLength(1);
    expect(second).not.toEqual(first);
  });

  it('A17: the page is built after a preview, and the final uses that build', async () => {
    await using page = await stageWorkspace();
    const build = async () => {
      const [name = ''] = (await readdir(join(page.folder, '.koda'))).filter((found) => /^build-[^.]+$/.test(found));
      return name === '' ? null : (await stat(join(page.folder, '.koda', name))).ctimeMs;
    };
    await page.render({ durationSeconds: 0.2, preparesFinal: true });
    await expect.poll(build).not.toBeNull();
    const ahead = await build();
    await page.render({ durationSeconds: 0.2, source: 'build' });
    expect(await build()).toBe(ahead);
  });

  it('A17: a final right after a preview waits for the build that has begun', async () => {
    await using page = await stageWorkspace();
    await page.render({ durationSeconds: 0.2, preparesFinal: true });
    const events = await page.render({ durationSeconds: 0.2, source: 'build' });
    expect(events.at(-1)).toMatchObject({ type: 'done' });
  });

  describe('a final that was prepared after the preview', () => {
    const short = { durationSeconds: 0.2 };
    const usual = { ...short, source: 'build', width: 1920, height: 1080 } as const;

    async function preparedWorkspace() {
      const page = await stageWorkspace();
      const launch = vi.spyOn(page.tools.launcher, 'launch');
      await page.render({ ...short, preparesFinal: true });
      const browser = await launch.mock.results.at(-1)?.value;
      launch.mockClear();
      return Object.assign(page, { launch, browser });
    }

    it('A17: uses the browser in which its page is open, and has the same frames', async () => {
      await using page = await preparedWorkspace();
      await page.render(usual);
      expect(page.launch).not.toHaveBeenCalled();
      const hashes = await frameHashes(videoPath(page.folder));
      await page.render(usual);
      expect(page.launch).toHaveBeenCalledOnce();
      expect(await frameHashes(videoPath(page.folder))).toEqual(hashes);
    });

    it('A17: leaves no browser behind if the final has another size, another preview follows, or the sandbox ends', async () => {
      const others = [
        (page: StageWorkspace) => page.render({ ...usual, width: 640, height: 360 }),
        (page: StageWorkspace) => page.render(short),
        (page: StageWorkspace) => page.jobs[Symbol.asyncDispose](),
      ];
      for (const other of others) {
        await using page = await preparedWorkspace();
        expect(page.browser.closed.aborted).toBe(false);
        await other(page);
        expect(page.browser.closed.aborted).toBe(true);
      }
    });
  });

  it('A17: a failed build reports its reason', async () => {
    await using page = await stageWorkspace({ behaviour: 'export const = broken' });
    await expect(page.render({ source: 'build' })).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringMatching(/production build[\s\S]*behaviour\.js/),
    });
  });
});

describe('frames are functions of their time', () => {
  it('A19: one, two and three workers, a second run, and a busy machine give identical frames', async () => {
    await using page = await stageWorkspace();
    const render = async (workers: number) => {
      await page.render({ workers, crf: 10, fps: 15 });
      return frameHashes(videoPath(page.folder));
    };
    const reference = await render(1);
    expect(reference).toHaveLength(30);
    // If all frames were equal, the comparison would prove nothing. The page is static from 0.8 s to 1.4 s.
    expect(new Set(reference).size).toBeGreaterThan(17);
    expect(await render(2)).toEqual(reference);
    expect(await render(3)).toEqual(reference);
    expect(await render(1)).toEqual(reference);
    const burners = [0, 1].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    try {
      expect(await render(2)).toEqual(reference);
    } finally {
      for (const burner of burners) burner.kill('SIGKILL');
    }
  });

  it('A19: draws CSS animations and will-change identically, whatever the browser drew before', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour(pageCode('css-loops.js')),
    });
    await page.render({ workers: 1, crf: 10, fps: 15 });
    const one = await frameHashes(videoPath(page.folder));
    expect(new Set(one).size).toBe(30);
    await page.render({ workers: 3, crf: 10, fps: 15 });
    expect(await frameHashes(videoPath(page.folder))).toEqual(one);
  });

  it('A19: draws a letter between two pixels that has turned upright identically, whatever the browser drew before', async () => {
    // Upright and moving from the middle of the film on, so that only its transform changes.
    await using page = await stageWorkspace({
      behaviour: behaviour(
        `const letters = Array.from({ length: 12 }, (_, n) => {
          const letter = document.body.appendChild(document.createElement('div'));
          letter.textContent = 'a';
          letter.style.cssText = \`position: fixed; left: \${20 + n * 17.3}px; top: \${20.4 + n * 3.3}px; font: 800 40px sans-serif\`;
          return letter;
        });
        export const beforeSeek = (seconds) => letters.forEach((letter, n) => {
          const left = Math.max(0, 1 - seconds * 2 - n * 0.01) ** 3;
          letter.style.transform = \`translateY(\${Math.sin(seconds * 3 + n) * 6}px) rotate(\${left * 18}deg)\`;
        });`,
      ),
    });
    await page.render({ workers: 1, format: 'mov', durationSeconds: 1 });
    const film = await frameHashes(videoPath(page.folder, 'video.mov'));
    expect(new Set(film).size).toBe(30);
    // The same frames, encoded individually, from a browser that has not drawn the rotation.
    await page.render({ workers: 1, format: 'mov', durationSeconds: 1, range: { fromFrame: 20, toFrame: 30 } });
    expect(await frameHashes(videoPath(page.folder, 'video.mov'))).toEqual(film.slice(20));
  });

  it('A19: the comparison detects a page that depends on the number of seeks (control)', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour(
        `let seeks = 0;
        export const beforeSeek = () => {
          document.getElementById('title').style.opacity = String((seeks++ % 7) / 7);
          // The page is slow, so that both browsers get some frames, even if one starts late.
          for (let n = 0; n < 200 * 1e5; n++) window.busy = Math.sqrt(n);
        };`,
      ),
    });
    await page.render({ workers: 1, durationSeconds: 2 });
    const one = await frameHashes(videoPath(page.folder));
    await page.render({ workers: 2, durationSeconds: 2 });
    expect(await frameHashes(videoPath(page.folder))).not.toEqual(one);
  });
});

describe('progress and end of a render', () => {
  it('A18: progress counts encoded frames, never decreases, and passes through its stages', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour('export const beforeSeek = () => { for (let n = 0; n < 15 * 1e5; n++) window.busy = Math.sqrt(n); };'),
    });
    const events = (await page.render({ durationSeconds: 4 })).filter((event) => event.type === 'progress');
    expect(events.length).toBeGreaterThan(4);
    for (const [index, event] of events.entries()) {
      expect(event.framesTotal).toBe(120);
      expect(event.framesDone).toBeGreaterThanOrEqual(events[index - 1]?.framesDone ?? 0);
    }
    const stages = events.map((event) => event.stage);
    expect([stages[0], stages.at(-1)]).toEqual(['capturing', 'encoding']);
    expect(stages.lastIndexOf('capturing')).toBeLessThan(stages.indexOf('encoding'));
    expect(events.at(-1)?.framesDone).toBe(120);
    expect(events.some((event) => event.secondsLeft !== null && event.secondsLeft > 0 && event.secondsLeft < 60)).toBe(true);
  });

  it.each([
    ['capturing', 'dev'],
    ['building', 'build'],
  ] as const)('A18: cancelled while %s it ends at once and leaves no process and no file', async (_stage, source) => {
    await using page = await stageWorkspace();
    const cancel = new AbortController();
    let framesDone = 0;
    const count = (event: RenderEvent) => {
      if (event.type === 'progress') framesDone = event.framesDone;
    };
    const rendering = page.render({ durationSeconds: 300, workers: 2, source }, count, cancel.signal);
    const failed = expect(rendering).rejects.toThrow();
    // A build is short on an idle machine, so it is killed at its first process.
    await expect.poll(() => processesMentioning(temporary.path), { interval: 10 }).not.toEqual([]);
    if (source === 'dev') await delay(1500);
    cancel.abort();
    const before = framesDone;
    await failed;
    // Of 9,000 frames.
    expect(framesDone - before).toBeLessThan(100);
    expect(await remainingProcesses(temporary.path)).toEqual([]);
    expect(await readdir(join(page.folder, '.koda/renders'))).toEqual([]);
    expect((await readdir(join(page.folder, '.koda'))).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('A18: repeats a segment with the same frames if FFmpeg is killed', async () => {
    await using page = await stageWorkspace();
    // The film is long, so that the encoder can be found before its end.
    await page.render({ durationSeconds: 4 });
    const reference = await frameHashes(videoPath(page.folder));
    await using killer = new Killer(/ffmpeg .*image2pipe/, 1);
    await page.render({ durationSeconds: 4 });
    expect(killer.killed.size).toBe(1);
    expect(await frameHashes(videoPath(page.folder))).toEqual(reference);
  });

  it('A18: fails with a clear error if FFmpeg is killed repeatedly', async () => {
    await using page = await stageWorkspace();
    await using killer = new Killer(/ffmpeg .*image2pipe/, 5);
    await expect(page.render({ durationSeconds: 20 })).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringContaining('The encoder failed twice'),
    });
    expect(killer.killed.size).toBe(2);
    expect(await readdir(join(page.folder, '.koda/renders'))).toEqual([]);
  });

  it('A18: recaptures the same frames if Chromium is killed', async () => {
    await using page = await stageWorkspace();
    await page.render({ workers: 2, durationSeconds: 3 });
    const reference = await frameHashes(videoPath(page.folder));
    await using killer = new Killer(/--type=renderer/, 1);
    await page.render({ workers: 2, durationSeconds: 3 });
    expect(killer.killed.size).toBe(1);
    expect(await frameHashes(videoPath(page.folder))).toEqual(reference);
  });

  it('A18: fails with a clear error if Chromium is killed repeatedly', async () => {
    await using page = await stageWorkspace();
    await using killer = new Killer(/remote-debugging-pipe(?!.*--type=)/, 50);
    await expect(page.render({ durationSeconds: 60 })).rejects.toMatchObject({
      message: expect.stringMatching(/Chromium exited|browser failed twice/),
    });
    expect(killer.killed.size).toBeGreaterThan(1);
    expect(await readdir(join(page.folder, '.koda/renders'))).toEqual([]);
  });

  it('A18: reports the lack of memory if the kernel kills processes of a render', async () => {
    await using page = await stageWorkspace();
    let oomKills = 3;
    const jobs = new RenderJobs({
      workspace: page.folder,
      cacheFolder: Promise.resolve(join(page.folder, '.koda')),
      previewServer: page.previewServer,
      screenshotBrowser: null,
      tools: () => page.tools,
      oomKills: () => Promise.resolve(oomKills++),
    });
    await using _killer = new Killer(/remote-debugging-pipe(?!.*--type=)/, 50);
    const rendering = jobs.run({ ...stageJob, durationSeconds: 60, workers: 2 }, () => null, new AbortController().signal);
    await expect(rendering).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: expect.stringContaining('320×180 with 2 browsers'),
    });
  });

  it('A17: renders a 4k frame completely', async () => {
    await using page = await stageWorkspace();
    const events = await page.render({ width: 3840, height: 2160, fps: 60, durationSeconds: 0.05 });
    expect(events.at(-1)).toMatchObject({ type: 'done', frames: 3, width: 3840, height: 2160, fps: 60 });
  });

  it('A18: ends the render if a page fails in one browser, long after the other has reached its lead limit', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour(
        `export const beforeSeek = (t) => {
          if (t < 0.5 || t > 0.51) return;
          for (let n = 0; n < 2000 * 1e5; n++) window.busy = Math.sqrt(n);
          throw new Error('off the end');
        };`,
      ),
    });
    await expect(page.render({ durationSeconds: 60, workers: 2 })).rejects.toMatchObject({
      message: expect.stringContaining('off the end'),
    });
    expect(await remainingProcesses(temporary.path)).toEqual([]);
  });

  it('A18: stops a render at its time limit', async () => {
    await using page = await stageWorkspace();
    await expect(page.render({ durationSeconds: 600, timeoutMs: 1500 })).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(await remainingProcesses(temporary.path)).toEqual([]);
  });

  it('A17: refuses odd sizes before it starts', async () => {
    await using page = await stageWorkspace();
    await expect(page.render({ width: 321 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('pages that cannot be rendered', () => {
  const cases: [string, string, string, RegExp][] = [
    [
      'never becomes ready',
      'export const beforeReady = () => new Promise(() => null);',
      'never_ready',
      /not ready after \d+ s.*__exportReady/,
    ],
    [
      'throws while loading',
      "export const beforeReady = () => { throw new Error('no such planet'); };",
      'page_error',
      /no such planet/,
    ],
    [
      'blocks while loading',
      'export const beforeReady = () => { for (;;); };',
      'blocked',
      /did not respond for \d+ s.*endless loop/,
    ],
    [
      'throws at a moment',
      "export const beforeSeek = (t) => { if (t > 0.1) throw new Error('off the end'); };",
      'seek_failed',
      /0\.1(33|67) s.*off the end/,
    ],
    ['blocks at a moment', 'export const beforeSeek = (t) => { while (t > 0.1); };', 'blocked', /0\.1(33|67) s/],
    [
      'has no length',
      'export const info = { durationSeconds: 0, width: 640, height: 360, fps: 30 };',
      'zero_duration',
      /durationSeconds/,
    ],
    [
      'loses its WebGL context',
      "export const beforeSeek = (t) => { if (t > 0.1) document.getElementById('solid').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext(); };",
      'webgl_lost',
      /lost its WebGL context/,
    ],
  ];

  it.each(cases)('A18: names a page that %s', async (_name, overrides, reason, words) => {
    await using page = await stageWorkspace({
      behaviour: behaviour(overrides),
      // Only a page that never becomes ready waits for the first limit, and only one that blocks for the second. All others have
      // the time that a slow machine needs.
      limits: { readyTimeoutMs: reason === 'never_ready' ? 1000 : 60_000, callTimeoutMs: reason === 'blocked' ? 5000 : 60_000 },
    });
    await expect(page.render({ workers: 2 })).rejects.toMatchObject({
      code: 'CAPTURE_FAILED',
      details: { reason },
      message: expect.stringMatching(words),
    });
    expect(await remainingProcesses(temporary.path)).toEqual([]);
    expect(await readdir(join(page.folder, '.koda/renders'))).toEqual([]);
  });

  it('A18: names a dev server that has exited', async () => {
    await using page = await stageWorkspace();
    page.previewServer.ensureRunning = () => Promise.resolve({ port: 9 });
    await expect(page.render({})).rejects.toMatchObject({ code: 'CAPTURE_FAILED', details: { reason: 'unreachable' } });
  });
});

describe('render routes', () => {
  async function readEvents(response: Response): Promise<RenderEvent[]> {
    const lines = (await response.text()).split('\n').filter(Boolean);
    return lines.map((line) => renderEventSchema.parse(JSON.parse(line)));
  }
  const post = (job: object, signal?: AbortSignal) =>
    new Request('http://sandbox/render', {
      method: 'POST',
      body: JSON.stringify({ ...stageJob, ...job }),
      headers: { authorization: `Bearer ${token}` },
      ...(signal ? { signal } : {}),
    });
  const ask = (path: string, method = 'GET') =>
    new Request(`http://sandbox${path}`, { method, headers: { authorization: `Bearer ${token}` } });

  it('A18: streams the progress of a render, and its files can be fetched and deleted', async () => {
    await using page = await stageWorkspace();
    const app = createApp(token, renderHandlers(page.jobs));
    const events = await readEvents(await app.fetch(post({ durationSeconds: 0.5 })));
    expect(events.at(-1)).toMatchObject({ type: 'done', frames: 15 });
    const video = await app.fetch(ask('/render/test/video'));
    expect(video.headers.get('content-type')).toBe('video/mp4');
    expect(Buffer.from(await video.arrayBuffer())).toEqual(await readFile(videoPath(page.folder)));
    const thumbnail = await app.fetch(ask('/render/test/thumbnail'));
    expect(Buffer.from(await thumbnail.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(await (await app.fetch(ask('/render/test', 'DELETE'))).json()).toEqual({ deleted: true });
    expect(await (await app.fetch(ask('/render/test', 'DELETE'))).json()).toEqual({ deleted: false });
    expect((await app.fetch(ask('/render/test/video'))).status).toBe(404);
    expect((await app.fetch(ask('/render/..%2f..%2fsrc/video'))).status).toBe(400);
  });

  it('A18: refuses a second concurrent render while the first continues, and delete cancels it', async () => {
    await using page = await stageWorkspace();
    const app = createApp(token, renderHandlers(page.jobs));
    const first = await app.fetch(post({ id: 'first', durationSeconds: 300 }));
    const second = await app.fetch(post({ id: 'second' }));
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ error: { code: 'CONFLICT', message: expect.stringContaining('first') } });
    expect(await (await app.fetch(ask('/render/first', 'DELETE'))).json()).toEqual({ deleted: true });
    expect((await readEvents(first)).at(-1)).toMatchObject({ type: 'error', code: 'CANCELLED' });
    expect(await remainingProcesses(temporary.path)).toEqual([]);
    expect(await exists(join(page.folder, '.koda/renders/first'))).toBe(false);
  });

  it('A18: a disconnecting client cancels its render', async () => {
    await using page = await stageWorkspace();
    const app = createApp(token, renderHandlers(page.jobs));
    const response = await app.fetch(post({ durationSeconds: 300 }));
    const reader = response.body?.getReader();
    await reader?.read();
    await delay(500);
    await reader?.cancel();
    await expect.poll(() => processesMentioning(temporary.path)).toEqual([]);
    await expect.poll(() => readdir(join(page.folder, '.koda/renders'))).toEqual([]);
  });

  it('A18: a failing page ends the stream with the reason', async () => {
    await using page = await stageWorkspace({
      behaviour: behaviour("export const beforeSeek = () => { throw new Error('broken wheel'); };"),
    });
    const app = createApp(token, renderHandlers(page.jobs));
    expect((await readEvents(await app.fetch(post({})))).at(-1)).toMatchObject({
      type: 'error',
      code: 'CAPTURE_FAILED',
      message: expect.stringContaining('broken wheel'),
    });
  });
});
