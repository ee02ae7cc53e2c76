import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '#contract/routes.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { koda } from '../fixtures/koda-command.ts';
import { signal, type TestProvider, testProvider } from '../fixtures/sandbox.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';
import { wavFile } from '../fixtures/wav.ts';

const run = promisify(execFile);

/** Returns the integrated loudness of a part of a file, in LUFS. */
async function loudness(path: string, [start, seconds]: readonly [number, number]): Promise<number> {
  const part = ['-ss', String(start), '-t', String(seconds), '-i', path];
  const { stderr } = await run('ffmpeg', [
    '-hide_banner',
    '-nostats',
    ...part,
    '-af',
    'ebur128=framelog=verbose',
    '-f',
    'null',
    '-',
  ]);
  return Number(/\bI:\s+(-?[\d.]+) LUFS/.exec(stderr)?.[1]);
}

describe('a sandbox', () => {
  let provider: TestProvider;
  let sandbox: Sandbox;
  beforeAll(async () => {
    provider = testProvider('docker');
    ({ sandbox } = await provider.create());
  });
  afterAll(() => provider[Symbol.asyncDispose]());

  const note = { at: 0, db: 0 };
  const speech = (text: string, language = 'en') => ({ source: 'speech', speech: { text, language, speed: 1 } }) as const;

  it.each([
    ['a signal of 0.1 s', [{ ...note, hz: 1000, seconds: 0.1 }]],
    ['a quiet tone', [{ ...note, hz: 440, seconds: 4, db: -50 }]],
    [
      'a jingle with a sweep',
      [
        { ...note, hz: 523, seconds: 0.3 },
        { ...note, hz: 300, to: 900, at: 0.3, seconds: 1 },
      ],
    ],
    ['many tones at once', Array.from({ length: 20 }, (_, index) => ({ ...note, hz: 200 + 100 * index, seconds: 1 }))],
  ])('T9: makes %s in the usual loudness, without clipping', async (_what, notes) => {
    const sound = await sandbox.makeSound({ source: 'notes', notes }, { signal });
    expect(sound.lufs).toBeGreaterThan(-17.5);
    expect(sound.lufs).toBeLessThan(-14.5);
    expect(sound.peakDb).toBeLessThan(0);
    expect(sound.seconds).toBeCloseTo(Math.max(...notes.map(({ at, seconds }) => at + seconds)), 3);
  });

  it.each([
    ['en', 'Hello! This is a film about bees, flowers & <honey>.'],
    ['de', 'Schöne Grüße aus dem Süden.'],
    ['en-gb', '--help'],
  ])('T9: speaks %s in the usual loudness', async (language, words) => {
    const sound = await sandbox.makeSound(speech(words, language), { signal });
    expect(sound.lufs).toBeGreaterThan(-17.5);
    expect(sound.lufs).toBeLessThan(-14.5);
    expect(sound.seconds).toBeGreaterThan(0.3);
  });

  it('T9: names what is wrong with a language, and with a text without sound', async () => {
    await expect(sandbox.makeSound(speech('Hello', 'xx'), { signal })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('xx'),
    });
    await expect(sandbox.makeSound(speech('…'), { signal })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('T9: decodes a recording, and nothing that is none or refers to other files', async () => {
    const wave = Int16Array.from({ length: 44_100 }, (_, index) => 200 * Math.sin((index * 2 * Math.PI * 440) / 22_050));
    const normalised = await sandbox.normaliseSound(Readable.from([wavFile(wave, 22_050)]), { signal });
    expect(normalised.seconds).toBeCloseTo(2, 1);
    expect(normalised.lufs).toBeCloseTo(-16, 0);
    const playlist = '#EXTM3U\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n';
    const wrong = ['not a sound', '', playlist, "ffconcat version 1.0\nfile '/etc/passwd'\n", '{"error":{"message":"no"}}'];
    for (const content of wrong)
      await expect(sandbox.normaliseSound(Readable.from([Buffer.from(content)]), { signal }), content).rejects.toMatchObject({
        code: 'UNSUPPORTED_TYPE',
      });
    const silence = sandbox.normaliseSound(Readable.from([wavFile(new Int16Array(44_100), 22_050)]), { signal });
    await expect(silence).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('silent') });
    const long = sandbox.normaliseSound(Readable.from([wavFile(new Int16Array(200 * 8000).fill(900), 8000)]), { signal });
    await expect(long).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  const drawn = async (svg: string, maxSide = 100) => PNG.sync.read(await sandbox.drawSvg({ svg, maxSide }, { signal }));
  const svg = (content: string, size = 'width="20" height="10"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}><rect width="100%" height="100%" fill="lime"/>${content}</svg>`;
  const colourOf = ({ data, width, height }: PNG) => {
    const at = 4 * (width * Math.floor(height / 2) + Math.floor(width / 2));
    return [...data.subarray(at, at + 4)];
  };
  const lime = [0, 255, 0, 255];

  it('T9: draws an SVG in the requested size', async () => {
    const picture = await drawn(svg(''));
    expect([picture.width, picture.height, colourOf(picture)]).toEqual([100, 50, lime]);
  });

  it.each([
    ['a script', svg('<script>document.documentElement.innerHTML = ""</script>')],
    ['an image elsewhere', svg('<image width="4" height="4" href="http://127.0.0.1/x.png"/>')],
    ['a file', svg('<image width="4" height="4" xlink:href="file:///opt/koda/sandboxd.mjs"/>')],
    [
      'a page',
      svg('<foreignObject width="20" height="10"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/"/></foreignObject>'),
    ],
    ['a style elsewhere', svg('<style>@import url("http://127.0.0.1/x.css");</style>')],
  ])('T9: ignores %s in an SVG', async (_what, text) => {
    expect(colourOf(await drawn(text))).toEqual(lime);
  });

  it('T9: keeps its size and its time, whatever an SVG asks for', async () => {
    const large = await drawn(svg('', 'width="100000" height="100000"'));
    expect([large.width, large.height, colourOf(large)]).toEqual([100, 100, lime]);
    const entities = Array.from({ length: 12 }, (_, level) => {
      const value = level === 0 ? 'x'.repeat(50) : `&e${level - 1};`.repeat(10);
      return `<!ENTITY e${level} "${value}">`;
    });
    const bomb = `<!DOCTYPE svg [${entities.join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&e11;</text></svg>`;
    await expect(drawn(bomb)).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE' });
    const levels = Array.from({ length: 24 }, (_, level) => {
      const inner = level === 0 ? '<rect width="1" height="1"/>' : `<use href="#g${level - 1}"/>`.repeat(10);
      return `<g id="g${level}">${inner}</g>`;
    });
    // Chromium either draws less or is ended.
    await drawn(svg(`<defs>${levels.join('')}</defs><use href="#g23"/>`)).catch(({ code }: { code: string }) =>
      expect(['EXECUTION_FAILED', 'UNSUPPORTED_TYPE']).toContain(code),
    );
    expect(colourOf(await drawn(svg('')))).toEqual(lime);
  });
});

describe('a film', () => {
  let studio: Studio;
  let folder: string;
  let id: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'koda-generated-'));
    studio = await startStudio({ sandbox: 'docker' });
    const projects = projectsOf(studio);
    ({ id } = await projects.create('Title: Hello\nsmooth, 9 seconds, paper theme'));
    await projects.waitForApproval(id, 'plan', 0);
    await projects.post(id, 'plan', { action: 'accept' });
    await projects.waitForApproval(id, 'preview', 0);
    await projects.post(id, 'preview', { action: 'accept' });
  });
  afterAll(async () => {
    await studio[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const placeSchema = z.object({ path: z.string(), src: z.string(), seconds: z.number().default(0) });
  async function made(name: 'generate_audio' | 'generate_image', input: Record<string, unknown>) {
    const { result } = await studio.client.call(routes.callTool, { id, name, body: input });
    if (result.status === 'error') throw new Error(result.message);
    return placeSchema.parse(result.output);
  }

  it('T9: has generated speech, tones and pictures as uploads, and plays the sounds in the usual loudness', async () => {
    const speech = await made('generate_audio', { name: 'Intro', speech: { text: 'This film speaks to you, loud and clear.' } });
    const tone = await made('generate_audio', { name: 'Ping', notes: [{ hz: 660, to: 880, seconds: 3, db: -30 }] });
    await made('generate_image', { name: 'Still', seek_to: 2, width: 640, height: 360 });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><circle r="1"/></svg>';
    await made('generate_image', { name: 'Still', svg, width: 400, height: 400 });
    const { items } = await studio.client.call(routes.assets, { id });
    expect(items.map(({ name, mime, width, height }) => [name, mime, width, height])).toEqual([
      ['intro.mp3', 'audio/mpeg', null, null],
      ['ping.mp3', 'audio/mpeg', null, null],
      ['still.png', 'image/png', 640, 360],
      ['still-2.png', 'image/png', 400, 200],
    ]);

    const path = `${studio.url}/api/projects/${id}/files/src/film.ts`;
    const before = await (await fetch(path)).text();
    const tracks = [
      { src: speech.src, startSeconds: 0.5 },
      { src: tone.src, startSeconds: 5.5 },
    ];
    const after = before.replace('  theme,\n', `  theme,\n  audio: ${JSON.stringify(tracks)},\n`);
    expect(after).not.toBe(before);
    expect(
      (await fetch(path, { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body: after })).status,
    ).toBe(200);

    const video = join(folder, 'film.mp4');
    const args = ['render', id, '--url', studio.url, '--out', video, '--resolution', '720p', '--fps', '30'];
    const { code, stderr } = await koda(args, { env: { KODA_DATA_DIR: studio.dataDir } });
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    for (const part of [
      [0.5, speech.seconds],
      [5.5, 3],
    ] as const) {
      const lufs = await loudness(video, part);
      expect(lufs, `from ${part[0]} s`).toBeGreaterThan(-17.5);
      expect(lufs, `from ${part[0]} s`).toBeLessThan(-14.5);
    }
  });
});
