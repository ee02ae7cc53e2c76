import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeFrame } from '../../sandbox-image/sandboxd/browser/frame-analysis.ts';
import { type CodeFilm, codeFilm, lumaAt } from '../fixtures/code-film.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { markedTemporaryFolder } from '../fixtures/stage-workspace.ts';

markedTemporaryFolder({ per: 'file' });

const box = (style: string, rest = '') =>
  `<div style={{ position: 'absolute', width: 20, height: 20, background: '#fff', ${style} }} ${rest} />`;

describe('a hidden scene', () => {
  /** Each is white in its own scene at its point, and nothing in the first one. */
  const marks = `<style>{'dialog::backdrop { background: none }'}</style>
    <svg style={{ position: 'absolute', width: 320, height: 180 }}>
      <filter id="t" x="0" y="0" width="1" height="1"><feFlood floodColor="#fff" /></filter>
      <rect x="0" y="0" width="20" height="20" filter="url(#t)" />
    </svg>
    ${box("left: 40, top: 0, visibility: 'visible'")}
    <div style={{ position: 'fixed', left: 80, top: 0, width: 20, height: 20, background: '#fff', visibility: 'visible' }} />
    <dialog ref={(it) => { if (it && !it.open) it.showModal(); }}
      style={{ position: 'fixed', margin: 0, border: 0, padding: 0, left: 120, top: 0, width: 20, height: 20, background: '#fff', visibility: 'visible' }} />
    <div popover="manual" ref={(it) => { if (it && !it.matches(':popover-open')) it.showPopover(); }}
      style={{ position: 'fixed', inset: 'auto', margin: 0, border: 0, padding: 0, left: 160, top: 0, width: 20, height: 20, background: '#fff', visibility: 'visible' }} />`;
  const fill = (color: string) => `<svg style={{ position: 'absolute', width: 320, height: 180 }}>
      <linearGradient id="paint"><stop stopColor="${color}" /></linearGradient>
      <rect x="0" y="40" width="20" height="20" fill="url(#paint)" />
      <style>{'#named { fill: ${color} }'}</style>
    </svg>`;
  let film: CodeFilm;
  beforeAll(async () => {
    film = await codeFilm({ scenes: [fill('#fff'), marks + fill('#777'), box('left: 300, top: 0')] });
  });
  afterAll(() => film[Symbol.asyncDispose]());

  it.each([false, true])('F3: draws nothing, whatever its elements are (plain browser: %s)', async (plain) => {
    await using page = await film.open({ plain });
    const at = async (seconds: number) => {
      const found: number[] = [];
      for (const point of points) found.push(Math.round(await lumaAt(page.stage, seconds, point)));
      return found;
    };
    expect(await at(0.5)).toEqual([0, 0, 0, 0, 0]);
    expect(await at(1.5)).toEqual([255, 255, 255, 255, 255]);
    expect(await at(2.5)).toEqual([0, 0, 0, 0, 0]);
    expect(await at(0.5)).toEqual([0, 0, 0, 0, 0]);
  });

  it('F3: lends no ids to another scene', async () => {
    await using page = await film.open();
    const fills = [];
    for (const seconds of [0.5, 1.5, 0.5]) fills.push(Math.round(await lumaAt(page.stage, seconds, [10, 50])));
    expect(fills).toEqual([255, 0x77, 255]);
  });
});

const animatedStyle = `<style>{'@keyframes appear { from { opacity: 0 } to { opacity: 1 } } .appear { animation: appear .5s linear both }'}</style>`;
const animatedScene = `${animatedStyle}${box('left: 0, top: 0', 'className="appear"')}
  {t >= 0.4 ? ${box('left: 40, top: 0', 'className="appear"')} : null}
  ${box("left: 80, top: 0, transition: 'opacity .5s linear', opacity: t >= 0.4 ? 1 : 0")}
  <div ref={(it) => { if (it && !it.getAnimations().length) it.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 500, fill: 'both' }); }}
    style={{ position: 'absolute', left: 120, top: 0, width: 20, height: 20, background: '#fff' }} />
  <svg style={{ position: 'absolute', width: 320, height: 180 }}><rect x="160" y="0" width="20" height="20" fill="#fff" opacity="0">
    <animate attributeName="opacity" from="0" to="1" dur="0.5s" fill="freeze" /></rect></svg>`;
const points = [10, 50, 90, 130, 170].map((x) => [x, 10] as const);

const expected = (local: number) => {
  const share = (seconds: number) => Math.min(1, Math.max(0, seconds / 0.5)) * 255;
  return [share(local), share(local - 0.4), share(local - 0.4), share(local), share(local)];
};

describe('animations', () => {
  let film: CodeFilm;
  beforeAll(async () => {
    film = await codeFilm({ scenes: [animatedScene, animatedScene] });
  });
  afterAll(() => film[Symbol.asyncDispose]());

  it.each([false, true])('F3: run on the time of their scene, in any order of frames (plain browser: %s)', async (plain) => {
    await using page = await film.open({ plain });
    for (const seconds of [0, 0.1, 1.1, 1, 1.25, 1.65, 1.05, 0.65, 1.7, 0.25, 1.9]) {
      const local = seconds % 1;
      for (const [index, point] of points.entries()) {
        const luma = await lumaAt(page.stage, seconds, point);
        // An animation that starts within a scene starts on a frame of 1/60 s.
        expect(Math.abs(luma - (expected(local)[index] ?? 0)), `mark ${index} at ${seconds} s: ${luma}`).toBeLessThan(10);
      }
    }
  });
});

describe('the live preview', () => {
  const black = `<div style={{ position: 'absolute', inset: 0, background: '#000' }} />`;
  const hidden = `${box("left: 200, top: 0, visibility: 'visible'")}`;
  it('F3: keeps scenes apart, and runs their animations on their time', async () => {
    await using film = await codeFilm({ scenes: [black + animatedScene, black + animatedScene + hidden] });
    await using page = await film.openLive();
    for (const seconds of [1.25, 0.25, 1.65, 0.65, 1.1]) {
      const local = seconds % 1;
      for (const [index, point] of points.entries()) {
        // The page draws a moment after it has received the time.
        await expect
          .poll(async () => Math.abs((await page.lumaAt(seconds, point)) - (expected(local)[index] ?? 0)), {
            message: `mark ${index} at ${seconds} s`,
          })
          .toBeLessThan(10);
      }
      await expect
        .poll(() => page.lumaAt(seconds, [210, 10]), { message: `the hidden scene at ${seconds} s` })
        .toBe(seconds >= 1 ? 255 : 0);
    }
  });
});

describe('what a scene loads', () => {
  const white = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="#fff"/></svg>';
  const text = (family: string) =>
    `<p style={{ position: 'absolute', left: 10, top: 60, margin: 0, color: '#fff', font: '60px ${family}, serif' }}>Ag4</p>`;
  const scenes: Record<string, string> = {
    'a font of CSS': `<style>{'@font-face { font-family: late; src: url(./late.woff2) }'}</style>{t >= 0.5 ? ${text('late')} : null}`,
    'a FontFace': `{t >= 0.5 ? <AskForFace /> : null}${text('asked')}`,
    'an image': `{t >= 0.5 ? <img src="./late.svg?image" /> : null}`,
    'a background': `{t >= 0.5 ? <div style={{ width: 20, height: 20, background: 'url(./late.svg?background)' }} /> : null}`,
    'a picture in an SVG': `<svg width="20" height="20">{t >= 0.5 ? <image href="./late.svg?inside" width="20" height="20" /> : null}</svg>`,
    'a request': '{t >= 0.5 ? <Fetched /> : null}',
    'a request of XMLHttpRequest': '{t >= 0.5 ? <Fetched by="xhr" /> : null}',
  };
  const setup = pageCode('late-loads.tsx');
  let film: CodeFilm;
  beforeAll(async () => {
    const font = join(
      import.meta.dirname,
      '../../sandbox-image/templates/film/node_modules/@fontsource-variable/caveat/files/caveat-latin-wght-normal.woff2',
    );
    const files = { 'public/late.woff2': await readFile(font), 'public/late.svg': white };
    film = await codeFilm({ scenes: ['', ...Object.values(scenes)], setup, files });
  });
  afterAll(() => film[Symbol.asyncDispose]());

  it.each([false, true])('F3: is in its first frame (plain browser: %s)', async (plain) => {
    await using page = await film.open({ plain });
    const frameAt = async (seconds: number) => {
      await page.stage.seek(seconds);
      return decodeFrame(await page.stage.capture('png'));
    };
    const empty = await frameAt(0.5);
    for (const [index, name] of Object.keys(scenes).entries()) {
      const first = await frameAt(index + 1.5);
      expect(first.sha256, `${name} is missing`).not.toBe(empty.sha256);
      await page.stage.seek(0);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await frameAt(index + 1.5)).sha256, name).toBe(first.sha256);
    }
  });

  it('F3: ends the capture with its address, if it never loads', async () => {
    await using stuck = await codeFilm({ scenes: ['{t >= 0.5 ? <img src="./stuck.svg" /> : null}'], stuck: '/stuck.svg' });
    await using page = await stuck.open({ limits: { readyTimeoutMs: 6000, callTimeoutMs: 6000 } });
    await expect(page.stage.seek(0.5)).rejects.toThrow(/At 0\.500 s the page still loads .*stuck\.svg/);
  });
});

describe('a picture that moves', () => {
  /** White for 0.1 s, then black. */
  async function moving(extension: string, options: readonly string[]): Promise<Buffer> {
    const folder = await mkdtemp(join(tmpdir(), 'koda-moving-'));
    const path = join(folder, `moving.${extension}`);
    const color = (name: string, seconds: number) => ['-f', 'lavfi', '-i', `color=${name}:s=20x20:r=10:d=${seconds}`];
    const inputs = [...color('white', 0.1), ...color('black', 0.9), '-filter_complex', '[0][1]concat=n=2'];
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...inputs, ...options, path]);
    const bytes = await readFile(path);
    await rm(folder, { recursive: true });
    return bytes;
  }
  const smil = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="#fff">
    <animate attributeName="fill" values="#000" begin="0.1s" dur="9s" /></rect></svg>`;

  it.each([false, true])('F4: shows its first frame at every time (plain browser: %s)', async (plain) => {
    const files = {
      'public/a.gif': await moving('gif', ['-loop', '0']),
      'public/a.png': await moving('apng', ['-plays', '0', '-f', 'apng']),
      'public/a.webp': await moving('webp', ['-c:v', 'libwebp_anim', '-loop', '0']),
      'public/a.avif': await moving('avif', []),
      'public/a.svg': smil,
    };
    const names = ['a.gif', 'a.png', 'a.webp', 'a.avif', 'a.svg'];
    const pictures = names.map(
      (name, index) => `<img src="./${name}" style={{ position: 'absolute', left: ${index * 40}, top: 0 }} />
      <div style={{ position: 'absolute', left: ${index * 40}, top: 40, width: 20, height: 20, background: 'url(./${name})' }} />`,
    );
    await using film = await codeFilm({ scenes: [pictures.join('')], files });
    await using page = await film.open({ plain });
    for (const seconds of [0, 0.5, 0.9, 0.2]) {
      await page.stage.seek(seconds);
      for (let draw = 0; draw < 20; draw++) await page.stage.draw();
      await new Promise((resolve) => setTimeout(resolve, 250));
      for (const [index, name] of names.entries()) {
        expect(await lumaAt(page.stage, seconds, [index * 40 + 10, 10]), `${name} at ${seconds} s`).toBeGreaterThan(230);
        expect(await lumaAt(page.stage, seconds, [index * 40 + 10, 50]), `${name} at ${seconds} s`).toBeGreaterThan(230);
      }
    }
  });
});
