import { type Rgb, wcagContrast } from 'culori';
import { PNG } from 'pngjs';
import type { Page } from 'puppeteer-core';
import type { Style } from '#kinds/film/contract/film.ts';
import { type Format, readingSeconds } from '../../server/kinds/film/formats/define-format.ts';
import { textsOf } from './contents.ts';
import type { GalleryFilm, GalleryWindow, TextRun } from './gallery-window.ts';
import { restless, reusedShare } from './stillness.ts';

export interface Combination {
  readonly format: Format;
  readonly props: unknown;
  readonly film: GalleryFilm;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly style: Style;
}

export interface Verdict {
  /** Problems found; empty if the combination passes. */
  readonly problems: readonly string[];
  /** PNG of the frame that shows everything. */
  readonly picture: Buffer;
  /** Fraction of the frames that repeat the one before. `null` unless asked for. */
  readonly reused: number | null;
}

const readyMs = 20_000;
const sampleSeconds = 0.25;
/** Minimum contrast by WCAG 2, reduced because antialiasing lowers it for small letters. */
const minContrast = 4.5 * 0.97;
/** Minimum text size as a fraction of the shorter side. */
const minTextShare = 0.0295;

const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Emoji_Presentation}]+/gu, '');

/**
 * Shows a combination and checks its frames. Draws all of them if `wholeFilm` is true, to count those that repeat the one before.
 * Throws if the page does not become ready.
 */
export async function check(page: Page, combination: Combination, wholeFilm: boolean): Promise<Verdict> {
  const { film, width, height, seconds } = combination;
  await page.setViewport({ width, height });
  await page.evaluate((value) => (globalThis as unknown as GalleryWindow).__showFilm(value), film);
  await page.waitForFunction('window.__exportReady || window.__exportError !== null', { timeout: readyMs });
  const error = await page.evaluate(() => (globalThis as unknown as GalleryWindow).__exportError);
  if (error !== null)
    return { problems: [`the page reports: ${error.split('\n')[0]}`], picture: await picture(page), reused: null };

  const reused = wholeFilm ? await reusedShare(page, seconds) : null;
  const moving = await restless(page, combination);
  const seen = await readings(page, combination);
  const start = await frameAt(page, 0);
  const moved = await frameAt(page, 0.5);
  const hold = await frameAt(page, seconds - 0.3);
  const runs = await page.evaluate(() => (globalThis as unknown as GalleryWindow).__textRuns());
  await hide(page, 'text');
  const bare = await frameAt(page, seconds - 0.3);
  await hide(page, 'content');
  const ground = await frameAt(page, seconds - 0.3);
  await hide(page, null);

  const shown = runs.filter(({ opacity }) => opacity > 0.9);
  // The box of a lone symbol, such as a large quotation mark, is much larger than its ink.
  const worded = shown.filter(({ text }) => letters(text) !== '');
  return {
    problems: [
      ...unread(seen),
      ...outside(worded, combination),
      ...overlapping(worded),
      ...faint(shown, hold, bare),
      ...moving,
      ...(difference(start, moved) > 0.001 ? [] : ['nothing moves in the first half second']),
      ...(difference(ground, hold) > 0.004 ? [] : ['the frame hardly differs from the ground']),
    ],
    picture: PNG.sync.write(hold),
    reused,
  };
}

async function picture(page: Page): Promise<Buffer> {
  return Buffer.from(await page.screenshot({ type: 'png' }));
}

async function frameAt(page: Page, seconds: number): Promise<PNG> {
  await page.evaluate((at) => (globalThis as unknown as GalleryWindow).__exportSeekTo(at), seconds);
  return PNG.sync.read(await picture(page));
}

/** Hides all text, or everything in front of the background. `null` shows everything again. */
async function hide(page: Page, what: 'text' | 'content' | null): Promise<void> {
  const rules = {
    text: '.frame, .frame * { color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important; text-decoration-color: transparent !important; -webkit-text-stroke-color: transparent !important } .frame [style*="background-clip: text"] { background: none !important } .frame text { fill: transparent !important; stroke: transparent !important }',
    content: '.frame > :not(:first-child) { visibility: hidden !important }',
  };
  const css = what === null ? '' : rules[what];
  await page.evaluate((text) => (globalThis as unknown as GalleryWindow).__style(text), css);
}

/** Returns, for each expected text, the seconds during which it was fully visible. */
async function readings(page: Page, { format, props, seconds }: Combination): Promise<Map<string, number>> {
  const expected = [...new Set(textsOf(props, format.props))];
  const seen = new Map(expected.map((text) => [text, 0]));
  for (let at = 0; at <= seconds; at += sampleSeconds) {
    const visible = await page.evaluate((time) => {
      const gallery = globalThis as unknown as GalleryWindow;
      gallery.__exportSeekTo(time);
      return gallery
        .__textRuns()
        .filter(({ opacity, clipped }) => opacity > 0.7 && clipped < 6)
        .map(({ text }) => text);
    }, at);
    const all = letters(visible.join(''));
    for (const text of expected) if (all.includes(letters(text))) seen.set(text, (seen.get(text) ?? 0) + sampleSeconds);
  }
  return seen;
}

function unread(seen: ReadonlyMap<string, number>): string[] {
  return [...seen].flatMap(([text, seconds]) => {
    if (letters(text) === '') return [];
    if (seconds === 0) return [`“${text}” is never on screen in full`];
    // Texts that appear in sequence share the time, so each needs only part of its reading time.
    return seconds + sampleSeconds < Math.min(1.2, readingSeconds(text) * 0.6)
      ? [`“${text}” is on screen for ${seconds} s only`]
      : [];
  });
}

function outside(runs: readonly TextRun[], { width, height }: Combination): string[] {
  const story = height / width > 1.5;
  const bounds = {
    left: width * 0.02,
    right: width * 0.98,
    top: height * (story ? 0.1 : 0.035),
    bottom: height * (story ? 0.815 : 0.965),
  };
  const shorter = Math.min(width, height);
  return runs.flatMap(({ text, left, right, top, bottom, size, clipped }) => {
    const air = (bottom - top) * 0.2;
    const short = text.trim().slice(0, 40);
    return [
      ...(left < bounds.left || right > bounds.right || top + air < bounds.top || bottom - air > bounds.bottom
        ? [`“${short}” is outside the safe area`]
        : []),
      ...(clipped > 3 ? [`“${short}” is clipped by ${Math.round(clipped)} pixels`] : []),
      ...(size < shorter * minTextShare ? [`“${short}” has only ${(size / shorter).toFixed(3)} of the shorter side`] : []),
    ];
  });
}

/** Returns texts in different blocks whose letters (not their leading) overlap. */
function overlapping(runs: readonly TextRun[]): string[] {
  const problems: string[] = [];
  runs.forEach((one, index) => {
    for (const other of runs.slice(index + 1)) {
      if (one.block === other.block) continue;
      const [a, b] = [core(one), core(other)];
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 2 && height > 2)
        problems.push(`“${one.text.trim().slice(0, 30)}” and “${other.text.trim().slice(0, 30)}” overlap`);
    }
  });
  return problems.slice(0, 3);
}

/** Returns the part of a box that contains lower-case letters. */
function core({ left, right, top, bottom }: TextRun) {
  const height = bottom - top;
  return { left: left + 1, right: right - 1, top: top + height * 0.26, bottom: bottom - height * 0.24 };
}

/** Returns texts with too little contrast with their background. */
function faint(runs: readonly TextRun[], hold: PNG, bare: PNG): string[] {
  return runs.flatMap((run) => {
    const found = contrastsIn(run, hold, bare);
    // Emoji have their own colours, which remain when text is hidden by its colour.
    const emojiOnly = /\p{Extended_Pictographic}/u.test(run.text) && !/[\p{L}\p{N}]/u.test(run.text);
    if (found.length < 12 || emojiOnly) return [];
    found.sort((one, other) => one - other);
    const core = found[Math.floor(found.length * 0.92)] ?? 21;
    return core < minContrast ? [`“${run.text.trim().slice(0, 40)}” has a contrast of ${core.toFixed(2)} only`] : [];
  });
}

function contrastsIn(run: TextRun, hold: PNG, bare: PNG): number[] {
  const found: number[] = [];
  const area = {
    left: Math.max(0, Math.floor(run.left)),
    right: Math.min(hold.width - 1, Math.ceil(run.right)),
    top: Math.max(0, Math.floor(run.top)),
    bottom: Math.min(hold.height - 1, Math.ceil(run.bottom)),
  };
  for (let y = area.top; y <= area.bottom; y += 1)
    for (let x = area.left; x <= area.right; x += 1) {
      const at = (y * hold.width + x) * 4;
      const change = [0, 1, 2].reduce(
        (sum, channel) => sum + Math.abs((hold.data[at + channel] ?? 0) - (bare.data[at + channel] ?? 0)),
        0,
      );
      if (change > 24) found.push(contrastAt(hold, bare, at));
    }
  return found;
}

function contrastAt(one: PNG, other: PNG, at: number): number {
  return wcagContrast(colorAt(one, at), colorAt(other, at));
}

function colorAt({ data }: PNG, at: number): Rgb {
  const [r = 0, g = 0, b = 0] = [0, 1, 2].map((part) => (data[at + part] ?? 0) / 255);
  return { mode: 'rgb', r, g, b };
}

/** Returns the fraction of pixels that differ visibly. */
function difference(one: PNG, other: PNG): number {
  let changed = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    const distance =
      Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0)) +
      Math.abs((one.data[at + 1] ?? 0) - (other.data[at + 1] ?? 0)) +
      Math.abs((one.data[at + 2] ?? 0) - (other.data[at + 2] ?? 0));
    if (distance > 18) changed += 1;
  }
  return changed / (one.data.length / 4);
}
