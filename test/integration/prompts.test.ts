import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filmSchema } from '#kinds/film/contract/film.ts';
import { findChromium, installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import {
  change,
  decodeFrame,
  edgeShare,
  type LumaFrame,
  type PixelFrame,
} from '../../sandbox-image/sandboxd/browser/frame-analysis.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { PageEvidence } from '../../sandbox-image/sandboxd/browser/page-evidence.ts';
import { defaultLimits, Stage } from '../../sandbox-image/sandboxd/browser/stage.ts';
import { buildPage } from '../../sandbox-image/sandboxd/render/build.ts';
import { serveFolder } from '../../sandbox-image/sandboxd/render/static-server.ts';
import { staticChange } from '../../server/kinds/film/check/check-film.ts';
import { printFilm } from '../../server/kinds/film/document/print.ts';
import { filmKind } from '../../server/kinds/film/kind.ts';
import { pageCode } from '../fixtures/page-code.ts';
import { type PlacedText, pageReader, placedTexts } from '../fixtures/placed-texts.ts';
import { type ExampleFilm, examplesOf, templateWorkspace } from '../fixtures/prompt-examples.ts';

const run = promisify(execFile);
const films = examplesOf(filmKind.generator.prompt);
const { signal } = new AbortController();
const moments = 20;

interface Look {
  readonly seconds: number;
  readonly frame: LumaFrame;
  readonly texts: readonly PlacedText[];
}

interface Seen {
  readonly types: string;
  readonly info: Stage['info'];
  readonly errors: readonly string[];
  readonly looks: readonly Look[];
  /** Hash of a middle frame, captured again after all others. */
  readonly middleAgain: string;
  readonly middle: string;
}

/** Returns the shortest audio file: a header and one sample of silence, 8 kHz mono. */
function silence(): Buffer {
  const wav = Buffer.alloc(46);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(38, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(16_000, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(2, 40);
  return wav;
}

/** Returns the output of the template's own type check; an empty string if it passes. */
async function typeCheck(folder: string): Promise<string> {
  try {
    await run(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '--noEmit'], { cwd: folder });
    return '';
  } catch (error) {
    const { stdout } = z.object({ stdout: z.string() }).parse(error);
    return stdout;
  }
}

/** A quarter of full HD, which is quick but shows edges. */
function sizeOf({ width, height }: Stage['info']): { width: number; height: number } {
  return { width: width / 4, height: height / 4 };
}

/** Checks a film, builds its page as for a final render, and inspects it in a real browser. */
async function see(film: ExampleFilm): Promise<Seen> {
  await using workspace = await templateWorkspace(film.files);
  const { folder } = workspace;
  await mkdir(join(folder, 'public/assets'), { recursive: true });
  await writeFile(join(folder, 'public/assets/hit.wav'), silence());
  const types = await typeCheck(folder);
  const build = await buildPage(folder, signal);
  await using server = await serveFolder(build.folder);
  const path = process.env['PATH'] ?? '';
  const launcher = new BrowserLauncher(
    () => findChromium({ configured: process.env['KODA_CHROMIUM'] ?? null, path }),
    installedBackend(),
  );
  await using chromium = await launcher.launch(signal);
  const tall = /width: 1080,/.test(film.files.find((file) => file.path === 'src/film.ts')?.content ?? '');
  const size = tall ? { width: 270, height: 480 } : { width: 480, height: 270 };
  const evidence = new PageEvidence();
  const texts = placedTexts(chromium);
  const page = { transparent: false, parameters: null, aspect: null, skipsRedundantDraws: false };
  const options = { origin: server.origin, size, limits: defaultLimits, signal, evidence, ...page };
  await using stage = await Stage.open(texts.chromium, options);
  const { info } = stage;
  expect(sizeOf(info)).toEqual(size);
  const looks: Look[] = [];
  for (let index = 0; index < moments; index += 1) {
    const seconds = ((index + 0.5) / moments) * info.durationSeconds;
    await stage.seek(seconds);
    looks.push({ seconds, frame: decodeFrame(await stage.capture('png')), texts: await texts.read() });
  }
  const middleLook = looks[moments / 2 - 1];
  await stage.seek(middleLook?.seconds ?? 0);
  const middleAgain = decodeFrame(await stage.capture('png')).sha256;
  return { types, info, errors: evidence.errors, looks, middle: middleLook?.frame.sha256 ?? '', middleAgain };
}

/** Returns how many of 1000 pixels differ from their neighbour: 0 on any background, even a gradient. */
const edges = (frame: LumaFrame): number => edgeShare(frame) * 1000;

const at = ({ seconds }: Look) => `${seconds.toFixed(2)} s`;

describe.each(films.map((film) => ({ title: film.title, film })))('the prompt’s $title', ({ film }) => {
  let seen: Seen;
  beforeAll(async () => {
    seen = await see(film);
  });

  it('A12: passes the type check of the template', () => {
    expect(seen.types).toBe('');
  });

  it('A12: reports no page error, and has consistent scenes, parameters and audio', () => {
    expect(seen.errors).toEqual([]);
    const { durationSeconds, scenes, parameters, audio } = seen.info;
    const first = scenes[0];
    const last = scenes.at(-1);
    expect(first?.startSeconds).toBe(0);
    expect((last?.startSeconds ?? 0) + (last?.durationSeconds ?? 0)).toBeCloseTo(durationSeconds);
    for (const scene of scenes) {
      expect(scene.durationSeconds).toBeGreaterThanOrEqual(1.5);
      expect(scene.title).not.toBe('');
    }
    expect(parameters.length).toBeGreaterThan(0);
    for (const { name, description } of parameters) expect(description, name).not.toBe('');
    for (const { startSeconds } of audio) expect(startSeconds).toBeLessThan(durationSeconds);
  });

  it('A12: is never blank and never static for long', () => {
    // A cut may leave the frame briefly empty (two of twenty), the start and the end may not.
    const blank = seen.looks.filter(({ frame }) => edges(frame) < 2).map(at);
    expect(blank.length, blank.join(', ')).toBeLessThanOrEqual(2);
    expect(edges(seen.looks.at(-1)?.frame ?? { luma: new Float32Array(), sha256: '' })).toBeGreaterThan(2);
    const still = seen.looks
      .slice(1)
      .filter((look, index) => change(seen.looks[index]?.frame ?? look.frame, look.frame) < staticChange);
    expect(still.map(at)).toEqual([]);
  });

  it('A19: draws a given time identically, whatever was drawn before', () => {
    expect(seen.middleAgain).toBe(seen.middle);
  });

  it('A12: shows every text completely, apart from others, in a loaded font', () => {
    const texts = seen.looks.flatMap((look) => look.texts.map((text) => ({ ...text, when: `${text.words} at ${at(look)}` })));
    expect(texts.length).toBeGreaterThan(moments / 2);
    expect(texts.filter(({ clipped }) => clipped).map(({ when }) => when)).toEqual([]);
    expect(texts.filter(({ covers }) => covers !== null).map(({ when, covers }) => `${when} covers ${covers}`)).toEqual([]);
    expect(texts.filter(({ fontLoaded }) => !fontLoaded).map(({ when }) => when)).toEqual([]);
    expect(texts.filter(({ heightPercent }) => heightPercent < 3.5).map(({ when }) => when)).toEqual([]);
  });
});

const layersSchema = z.object({
  canvas: z.string(),
  decorations: z.number().nullable(),
  family: z.string().nullable(),
  count: z.object({ text: z.string(), left: z.number(), width: z.number() }),
});

/** A film in the theme of a terminal: a title, then scenes in code with these grounds. `World` is exported with `none` only. */
function themedFilm(grounds: readonly string[]): ExampleFilm {
  const title = { text: 'Same film', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] };
  const codeScenes = grounds.map((ground, index) => ({
    ...{ id: `scene-${index + 2}`, seconds: 2, code: true as const, title: ground, description: ground },
  }));
  const film = filmSchema.parse({
    ...{ version: 3, title: 'Themed', theme: 'terminal', style: 'smooth', aspect: '16:9', fps: 30, seed: 1 },
    scenes: [{ id: 'scene-1', seconds: 2, format: 'title', props: title }, ...codeScenes],
  });
  const scene = pageCode('themed-scene.tsx');
  const written = grounds.map((ground, index) => ({
    path: `src/scenes/scene-${index + 2}.tsx`,
    content: (ground === 'none' ? scene : scene.replace(/export function World[\s\S]*?\n}\n/, ''))
      .replace('scene-N', `scene-${index + 2}`)
      .replace('"theme"', `"${ground}"`),
  }));
  return { title: 'themed', files: [...printFilm(film), ...written] };
}

/** Returns what the page's layers are at these times, and the frames' pixels. */
async function layersAt(film: ExampleFilm, seconds: readonly number[]) {
  await using workspace = await templateWorkspace(film.files);
  const build = await buildPage(workspace.folder, signal);
  await using server = await serveFolder(build.folder);
  const launcher = new BrowserLauncher(
    () => findChromium({ configured: process.env['KODA_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' }),
    installedBackend(),
  );
  await using chromium = await launcher.launch(signal);
  const reader = pageReader(chromium, pageCode('themed-layers.js'), layersSchema);
  const evidence = new PageEvidence();
  const page = {
    transparent: false,
    parameters: null,
    aspect: null,
    skipsRedundantDraws: true,
    size: { width: 480, height: 270 },
  };
  await using stage = await Stage.open(reader.chromium, {
    origin: server.origin,
    limits: defaultLimits,
    signal,
    evidence,
    ...page,
  });
  const found = [];
  for (const at of seconds) {
    await stage.seek(at);
    found.push({ frame: decodeFrame(await stage.capture('png')), ...(await reader.read()) });
  }
  expect(evidence.errors).toEqual([]);
  return found;
}

describe('a scene in code', () => {
  /** Hash of the lowest rows, which show only the ground. */
  const lowest = ({ rgba, width, height }: PixelFrame) =>
    createHash('sha256')
      .update(rgba.subarray(Math.floor(height * 0.94) * width * 4))
      .digest('hex');

  it('46.5: has the ground and typeface of the formats around it, and no canvas', async () => {
    const [format, code, clean] = await layersAt(themedFilm(['theme', 'clean']), [1.5, 3, 5]);
    expect([format?.canvas, code?.canvas]).toEqual(['none', 'none']);
    const grounds = [format, code, clean].map((layers) => layers && lowest(layers.frame));
    expect(grounds[1]).toBe(grounds[0]);
    expect(grounds[2]).not.toBe(grounds[0]);
    expect(code?.family).toContain('JetBrains Mono');
    expect([code?.decorations, clean?.decorations]).toEqual([1, 0]);
  });

  it('46.5: draws no 3D under a ground, and shows it where there is none', async () => {
    const layers = await layersAt(themedFilm(['theme', 'none']), [1.5, 3, 5]);
    expect(layers.map(({ canvas }) => canvas)).toEqual(['hidden', 'hidden', 'visible']);
    expect(layers[2]?.decorations).toBeNull();
  });

  it('46.5: counts with digits of equal width from a fixed left edge', async () => {
    const counts = (await layersAt(themedFilm(['theme']), [2.2, 3, 3.6])).map(({ count }) => count);
    expect(counts.map(({ text }) => text)).toEqual(['111', '888', '4,000']);
    const [narrow, wide, long] = counts;
    expect(wide?.width).toBeCloseTo(narrow?.width ?? 0, 2);
    expect([wide?.left, long?.left]).toEqual([narrow?.left, narrow?.left]);
  });
});

describe('what these tests would find', () => {
  it('A12: detects a type error', async () => {
    const content = "import { at } from '../stage/keyframes.ts';\nexport const wrong = at('soon', 1);\n";
    await using workspace = await templateWorkspace([{ path: 'src/scenes/wrong.ts', content }]);
    expect(await typeCheck(workspace.folder)).toContain("src/scenes/wrong.ts(2,25): error TS2345: Argument of type 'string'");
  });

  it('A12: detects an empty frame, an external file, and text that is clipped, covered, small, or in a missing font', async () => {
    const content = pageCode('wrong-scene.tsx');
    const seen = await see({ title: 'wrong', files: [{ path: 'src/scenes/scene-1.tsx', content }] });
    expect(seen.types).toBe('');
    expect(seen.errors.join()).toContain('https://example.com/logo.png');
    const texts = seen.looks[0]?.texts.map(({ heightPercent, ...text }) => ({ ...text, small: heightPercent < 3.5 }));
    expect(texts).toEqual([
      { words: 'One text', clipped: true, covers: 'Another one', fontLoaded: false, small: true },
      { words: 'Another one', clipped: true, covers: 'One text', fontLoaded: false, small: true },
    ]);
    const last = seen.looks.at(-1);
    expect(last === undefined ? null : edges(last.frame)).toBeLessThan(2);
  });
});
