import { copyFile, cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RenderEvent } from '#contract/sandbox/answers.ts';
import { frameHashes } from '../fixtures/frame-hashes.ts';
import { markedTemporaryFolder, type StageWorkspace, stageWorkspace } from '../fixtures/stage-workspace.ts';

markedTemporaryFolder({ per: 'test' });

interface Scene {
  readonly id: string;
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly isFormat?: boolean;
}

const font = join(
  import.meta.dirname,
  '../../sandbox-image/templates/film/node_modules/@fontsource-variable/caveat/files/caveat-latin-wght-normal.woff2',
);

/** Lets a worker write its file's mark and 20 frames, and then fail as if no space were left. */
const fillStorage = `const { createObjectURL } = URL;
  const full = \`let left = 21;
    const { write } = FileSystemSyncAccessHandle.prototype;
    FileSystemSyncAccessHandle.prototype.write = function (...order) {
      if (left-- > 0) return write.apply(this, order);
      throw new DOMException('No space is left.', 'QuotaExceededError');
    };\`;
  URL.createObjectURL = (blob) => createObjectURL(new Blob([full, blob], { type: blob.type }));`;

/** A PNG in black and white with vertical stripes. */
function stripedPicture(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    const named = Buffer.concat([Buffer.from(type), content]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width / 8, Buffer.from([0xff, 0xff, 0xff, 0, 0, 0]))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)), { level: 1 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

const format = { id: 'title', startSeconds: 0, durationSeconds: 2, isFormat: true };

interface PageOptions {
  readonly scenes?: readonly Scene[];
  readonly body?: string;
  /** Runs at each seek. */
  readonly seek?: string;
  /** Runs before the page is ready. */
  readonly first?: string;
  readonly callTimeoutMs?: number;
}

/** A page of a text, a gradient and a CSS animation, with more HTML and a script that may change it at each seek. */
async function pageOf(options: PageOptions = {}): Promise<StageWorkspace> {
  const { scenes = [format], body = '', seek = '', first = '', callTimeoutMs = 60_000 } = options;
  const page = await stageWorkspace({ limits: { readyTimeoutMs: 60_000, callTimeoutMs } });
  await rm(join(page.folder, 'src'), { recursive: true });
  await cp(join(import.meta.dirname, '../fixtures/format-page'), page.folder, { recursive: true });
  const lines = [
    first,
    `export const scenes = ${JSON.stringify(scenes)};`,
    `export const body = ${JSON.stringify(body)};`,
    `export const seek = (seconds) => { ${seek} };`,
  ];
  await writeFile(join(page.folder, 'options.js'), lines.join('\n'));
  return page;
}

function doneOf(events: readonly RenderEvent[]): Extract<RenderEvent, { type: 'done' }> {
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error('The render ended without a result.');
  return last;
}

const videoOf = (page: StageWorkspace) => join(page.folder, '.koda/renders/test/video.mp4');

/** Returns how many of the stored frames the page has drawn itself, and how many are images. */
async function storedFrames(page: StageWorkspace): Promise<{ direct: number; images: number }> {
  const root = join(page.folder, '.koda/frames');
  const counts = { direct: 0, images: 0 };
  for (const key of await readdir(root)) {
    const frames = (await readdir(join(root, key))).filter((name) => /^\d+$/.test(name));
    counts[key.endsWith('-i420') ? 'direct' : 'images'] += frames.length;
  }
  return counts;
}

describe('films whose page draws its own frames', () => {
  it('shows the same film as captures of the page, with any number of browsers', async () => {
    await using page = await pageOf();
    const done = doneOf(await page.render({ verify: true }));
    expect(done).toMatchObject({ frames: 60, captureFallback: null, verification: { frames: 11 } });
    expect(done.verification?.lowestPsnrDb).toBeGreaterThan(45);
    expect(await storedFrames(page)).toEqual({ direct: 60, images: 0 });
    const hashes = await frameHashes(videoOf(page));
    for (const workers of [2, 3]) {
      await page.render({ workers });
      expect(await frameHashes(videoOf(page))).toEqual(hashes);
    }
  });

  it('reuses stored frames, and captures damaged ones again', async () => {
    await using page = await pageOf();
    const first = doneOf(await page.render({}));
    const hashes = await frameHashes(videoOf(page));
    expect(first.capturedFrames).toBe(60);
    expect((await page.renderAgain({ crf: 20 })).capturedFrames).toBe(0);
    await page.renderAgain({});
    expect(await frameHashes(videoOf(page))).toEqual(hashes);

    const [folder] = (await readdir(join(page.folder, '.koda/frames'))).filter((name) => name.endsWith('-i420'));
    const stored = join(page.folder, '.koda/frames', folder ?? '');
    for (const name of ['0', '100000']) await writeFile(join(stored, name), Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]));
    expect((await page.renderAgain({})).capturedFrames).toBe(2);
    expect(await frameHashes(videoOf(page))).toEqual(hashes);
  });

  it('captures each scene of a mixed film in its own way, and joins them', async () => {
    const scenes = [
      { ...format, durationSeconds: 0.8 },
      { id: 'ball', startSeconds: 0.8, durationSeconds: 0.7 },
      { ...format, id: 'end', startSeconds: 1.5, durationSeconds: 0.5 },
    ];
    await using page = await pageOf({ scenes });
    const done = doneOf(await page.render({ workers: 2, verify: true, format: 'webm' }));
    expect(done).toMatchObject({ frames: 60, captureFallback: null, chapters: 3 });
    expect(await storedFrames(page)).toEqual({ direct: 24 + 15, images: 21 });
    expect(done.verification?.lowestPsnrDb).toBeGreaterThan(40);
  });

  it('captures the page for a film of code, and for formats with RGB or alpha', async () => {
    await using code = await pageOf({ scenes: [{ ...format, isFormat: false }] });
    await code.render({ durationSeconds: 0.5 });
    expect((await storedFrames(code)).direct).toBe(0);
    await using page = await pageOf();
    for (const job of [{ format: 'gif' }, { format: 'webm', transparent: true }] as const) {
      await page.render({ ...job, durationSeconds: 0.2 });
      expect((await storedFrames(page)).direct).toBe(0);
    }
  });

  it('plays while it is being rendered only if the whole film allows it', async () => {
    await using page = await pageOf({
      scenes: [
        { ...format, durationSeconds: 1 },
        { ...format, id: 'code', startSeconds: 1, durationSeconds: 1, isFormat: false },
      ],
    });
    await page.render({});
    expect((await storedFrames(page)).direct).toBe(0);
  });
});

describe('pages that draw themselves wrongly', () => {
  const crossing = `<div style="position:absolute;left:60px;top:0;width:200px;height:180px;transform-style:preserve-3d">
    <div style="position:absolute;inset:0;background:lime;transform:rotateY(60deg)"></div>
    <div style="position:absolute;inset:0;background:blue;transform:rotateY(-60deg)"></div></div>`;

  it.each([
    ['shows a video', { body: '<video style="position:absolute;width:99px;height:60px;background:red"></video>' }, /<video>/],
    [
      'shows a dialog',
      {
        body: '<dialog>Wait</dialog>',
        seek: "document.querySelector('dialog').open || document.querySelector('dialog').showModal();",
      },
      /<dialog>/,
    ],
    ['has planes that cross', { body: crossing }, /differs from the page \(PSNR/],
  ])('captures the page instead if it %s, and says why', async (_name, options, reason) => {
    await using page = await pageOf(options);
    const done = doneOf(await page.render({ verify: true, durationSeconds: 1 }));
    expect(done.captureFallback).toMatch(reason);
    expect(done.verification?.lowestPsnrDb).toBeGreaterThan(40);
    expect(await storedFrames(page)).toEqual({ direct: 0, images: 30 });
    // The next render knows.
    expect((await page.renderAgain({ durationSeconds: 1, width: 320 })).captureFallback).toBeNull();
  });

  it('notices a page that starts to show what it cannot draw', async () => {
    const video =
      "if (seconds > 0.6 && !document.querySelector('video')) document.querySelector('#root').append(document.createElement('video'));";
    await using page = await pageOf({ seek: video });
    const done = doneOf(await page.render({}));
    expect(done).toMatchObject({ frames: 60, captureFallback: expect.stringMatching(/<video>/) });
  });

  it('captures the page instead once its worker is dead', async () => {
    const kill = `const { postMessage } = Worker.prototype;
      if (seconds > 0.6) Worker.prototype.postMessage = function (...order) { this.terminate(); return postMessage.apply(this, order); };`;
    await using page = await pageOf({ seek: kill, callTimeoutMs: 4000 });
    const done = doneOf(await page.render({ verify: true }));
    expect(done).toMatchObject({ frames: 60, captureFallback: expect.stringMatching(/did not respond/) });
    expect(done.verification?.lowestPsnrDb).toBeGreaterThan(40);
  });

  it('captures the page instead if no space is left for its frames', async () => {
    await using page = await pageOf({ first: fillStorage });
    const done = doneOf(await page.render({ verify: true }));
    expect(done).toMatchObject({ frames: 60, captureFallback: expect.stringMatching(/QuotaExceededError/) });
    expect(done.verification?.lowestPsnrDb).toBeGreaterThan(40);
  });
});

describe('what loads while frames are drawn', () => {
  it('shows a font that the page asks for late, and a picture of 108 megapixels', async () => {
    const body = `<style>@font-face { font-family: late; src: url(late.woff2); }</style>
      <img src="large.png" style="position:absolute;right:0;bottom:0;width:120px" />`;
    const late = "if (seconds > 0.6) document.querySelector('h1').style.fontFamily = 'late';";
    await using page = await pageOf({ body, seek: late });
    await copyFile(font, join(page.folder, 'late.woff2'));
    await writeFile(join(page.folder, 'large.png'), stripedPicture(12_000, 9000));
    const done = doneOf(await page.render({ verify: true, workers: 2 }));
    expect(done).toMatchObject({ frames: 60, captureFallback: null });
    expect(done.verification?.lowestPsnrDb).toBeGreaterThan(45);
  });
});
