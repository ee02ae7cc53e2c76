import { execFile } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RenderEvent } from '#contract/sandbox/answers.ts';
import { FfmpegRun } from '../../sandbox-image/sandboxd/render/encode.ts';
import { planEncode } from '../../sandbox-image/sandboxd/render/ffmpeg-args.ts';
import { signal, testProvider } from '../fixtures/sandbox.ts';
import {
  markedTemporaryFolder,
  remainingProcesses,
  type StageWorkspace,
  stageJob,
  stageWorkspace,
} from '../fixtures/stage-workspace.ts';

const temporary = markedTemporaryFolder({ per: 'test' });

/** Returns a page with only this script, which may call `stage(seek)` to become ready. */
const html = (script: string, body = '') => `<!doctype html><body style="margin:0;background:#234">${body}<script type="module">
  const stage = (seek) => {
    window.__exportInfo = { durationSeconds: 1, width: 320, height: 180, fps: 30 };
    window.__exportSeekTo = seek;
    window.__exportReady = true;
  };
  ${script}
</script>`;

async function pageOf(script: string, body?: string): Promise<StageWorkspace> {
  const page = await stageWorkspace({ limits: { readyTimeoutMs: 60_000, callTimeoutMs: 60_000 } });
  await rm(join(page.folder, 'src'), { recursive: true });
  await writeFile(join(page.folder, 'index.html'), html(script, body));
  return page;
}

async function assertNothingLeft(page: StageWorkspace): Promise<void> {
  expect(await remainingProcesses(temporary.path)).toEqual([]);
  expect(await readdir(join(page.folder, '.koda/renders'))).toEqual([]);
}

describe('pages that cannot be rendered, by what they do', () => {
  const cases: [string, string, string, RegExp][] = [
    ['seeks asynchronously', 'stage(async () => undefined);', 'seek_async', /must draw before it returns/],
    ['draws nothing', 'stage(() => undefined);', 'nothing_drawn', /all 30 frames are a single colour.*camera/],
    [
      'waits for the network',
      "const image = new Image(); image.src = 'https://example.com/cat.png'; await image.decode(); stage(() => undefined);",
      'page_error|never_ready',
      /example\.com/,
    ],
    ['reloads itself again and again', 'stage(() => location.reload());', 'reloaded', /reloaded itself/],
  ];
  it.each(cases)('A18: a page that %s is reported with its cause and a remedy', async (_name, script, reason, words) => {
    await using page = await pageOf(script);
    const failure: unknown = await page.render({ durationSeconds: 1, workers: 2 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringMatching(words) });
    if (reason !== 'reloaded')
      expect(failure).toMatchObject({ code: 'CAPTURE_FAILED', details: { reason: expect.stringMatching(reason) } });
    await assertNothingLeft(page);
  });

  it('a static film is valid as long as it is not empty', async () => {
    await using page = await pageOf('stage(() => undefined);', '<h1 style="color:#fff">Still</h1>');
    const events = await page.render({ durationSeconds: 1 });
    expect(events.at(-1)).toMatchObject({ type: 'done', frames: 30 });
  });

  it('A18: ten minutes of 4k at 60 fps start at once, stay within their memory, and cancel quickly', async () => {
    await using page = await pageOf(
      "stage((t) => { document.body.style.background = 'hsl(' + t * 200 + ' 60% 40%)'; });",
      '<h1>4k</h1>',
    );
    const cancel = new AbortController();
    const events: RenderEvent[] = [];
    const film = { width: 3840, height: 2160, fps: 60, durationSeconds: 600 } as const;
    const rendering = page.render(
      film,
      (event) => {
        events.push(event);
        if (event.type === 'progress' && event.framesDone > 10) cancel.abort();
      },
      cancel.signal,
    );
    await expect(rendering).rejects.toThrow();
    expect(events[0]).toMatchObject({ framesTotal: 36_000 });
    await assertNothingLeft(page);
  });
});

describe('a disk that is full', () => {
  it('A18: the encoder reports a full disk with a remedy', async () => {
    const plan = planEncode(stageJob, { frameFormat: 'jpeg', filter: 'scale', output: '/dev/full' });
    await using page = await stageWorkspace();
    await using run = new FfmpegRun(plan, { ffmpegPath: page.tools.ffmpegPath, signal, onFrames: null });
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180', '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'mjpeg', '-'];
    const { stdout: picture } = await promisify(execFile)(page.tools.ffmpegPath, source, { encoding: 'buffer' });
    const feed = async () => {
      for (let frame = 0; frame < 300; frame++) await run.write(picture);
      await run.finish();
    };
    await expect(feed()).rejects.toMatchObject({ code: 'STORAGE_FULL', message: expect.stringContaining('Delete files') });
  });
});

describe('a page that wants more memory than there is', () => {
  it('A18: a page that exceeds the memory is reported, and the sandbox keeps running', async () => {
    await using place = testProvider('docker', { KODA_SANDBOX_MEMORY_MB: '1024' });
    const { sandbox } = await place.create();
    await sandbox.init({ template: 'film' }, { signal });
    const hungry = html(
      'const hoard = []; stage((t) => { for (let i = 0; i < 40; i++) hoard.push(new Uint8Array(64 << 20).fill(t + 1)); });',
    );
    await sandbox.writeFile('index.html', Buffer.from(hungry), { signal });
    const rendering = async () => {
      for await (const _ of sandbox.render({ ...stageJob, timeoutMs: 600_000 }, { signal }));
    };
    await expect(rendering()).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: expect.stringMatching(/ran out of memory.*give sandboxes more memory/),
    });
    expect((await sandbox.health({ signal })).workspaceReady).toBe(true);
  });
});
