// npm run export [-- FILE]: builds the film and writes it as MP4 (default: film.mp4). Needs Chromium or Chrome, and FFmpeg.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { build, preview } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const output = path.resolve(process.argv[2] ?? 'film.mp4');
const readyTimeoutMs = 60_000;
const jpegQuality = 95;

const browserNames = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const browserPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name + suffix)));
}

function findBrowser() {
  const configured = process.env.PUPPETEER_EXECUTABLE_PATH ?? process.env.CHROME_PATH;
  const found = (configured ? [configured] : [...onPath(browserNames), ...browserPlaces]).find(isExecutable);
  if (found) return found;
  const reason = configured ? `${configured} is not an executable file.` : 'Neither Chromium nor Chrome was found.';
  throw new Error(`${reason} Install one of them, or set CHROME_PATH to its executable.`);
}

function findFfmpeg() {
  const found = onPath(['ffmpeg']).find(isExecutable);
  if (found) return found;
  throw new Error('FFmpeg was not found. Install it, and check that its folder is in PATH.');
}

async function openFilm(page, url) {
  await page.goto(url, { timeout: readyTimeoutMs });
  const deadline = Date.now() + readyTimeoutMs;
  // The page's clocks do not run in export mode, so this polls from outside.
  while (!(await page.evaluate('window.__exportReady'))) {
    const error = await page.evaluate('window.__exportError');
    if (error) throw new Error(`The film's page failed: ${error}`);
    if (Date.now() > deadline) throw new Error(`The film's page was not ready after ${readyTimeoutMs / 1000} s.`);
    await delay(50);
  }
  return await page.evaluate('window.__exportInfo');
}

/** Returns FFmpeg's arguments for the film's sound. A fade-out without a duration ends with the film. */
function audioArguments({ audio, durationSeconds }) {
  if (audio.length === 0) return [];
  const chains = audio.map((track, index) => {
    const { startSeconds = 0, offsetSeconds = 0, gainDb = 0, fadeInSeconds = 0, fadeOutSeconds = 0 } = track;
    const length = Math.min(track.durationSeconds ?? Number.POSITIVE_INFINITY, durationSeconds - startSeconds);
    const filters = [
      `atrim=start=${offsetSeconds}:duration=${length}`,
      'asetpts=PTS-STARTPTS',
      `volume=${gainDb}dB`,
      ...(fadeInSeconds > 0 ? [`afade=t=in:d=${fadeInSeconds}`] : []),
      ...(fadeOutSeconds > 0 ? [`afade=t=out:st=${Math.max(0, length - fadeOutSeconds)}:d=${fadeOutSeconds}`] : []),
      `adelay=${Math.round(startSeconds * 1000)}:all=1`,
    ];
    return `[${index + 1}:a]${filters.join(',')}[a${index}]`;
  });
  const inputs = audio.map((_, index) => `[a${index}]`).join('');
  const mix = `${chains.join(';')};${inputs}amix=inputs=${audio.length}:normalize=0,apad[sound]`;
  return ['-filter_complex', mix, '-map', '0:v', '-map', '[sound]', '-c:a', 'aac', '-b:a', '192k', '-t', String(durationSeconds)];
}

function startEncoder(ffmpeg, info) {
  const sounds = info.audio.flatMap(({ src }) => ['-i', path.join(root, 'public', src)]);
  const colour = ['-color_range', 'tv', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'];
  const frames = ['-f', 'image2pipe', '-c:v', 'mjpeg', '-framerate', String(info.fps), '-i', '-'];
  const video = ['-vf', 'scale=in_color_matrix=bt601:in_range=pc:out_color_matrix=bt709:out_range=tv', '-pix_fmt', 'yuv420p'];
  const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', ...colour, '-movflags', '+faststart'];
  const args = ['-y', '-v', 'error', ...frames, ...sounds, ...audioArguments(info), ...video, ...codec, output];
  const encoder = spawn(ffmpeg, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  // The exit code reports why the pipe broke.
  encoder.stdin.on('error', () => undefined);
  return { stdin: encoder.stdin, closed: once(encoder, 'close') };
}

async function capture(page, info, { stdin, closed }) {
  const frames = Math.round(info.durationSeconds * info.fps);
  for (let frame = 0; frame < frames && stdin.writable; frame++) {
    await page.evaluate(`window.__exportSeekTo(${frame / info.fps})`);
    const image = await page.screenshot({ type: 'jpeg', quality: jpegQuality, optimizeForSpeed: true });
    if (!stdin.write(image)) await Promise.race([once(stdin, 'drain'), closed]);
    if (frame % info.fps === 0) console.log(`${frame} of ${frames} frames`);
  }
  stdin.end();
  const [code] = await closed;
  if (code !== 0) throw new Error(`FFmpeg failed with exit code ${code}; see its messages above.`);
}

async function exportFilm() {
  const executablePath = findBrowser();
  const ffmpeg = findFfmpeg();
  const config = { root, configFile: path.join(root, 'vite.config.ts'), configLoader: 'native', logLevel: 'warn' };
  await build(config);
  const server = await preview({ ...config, preview: { host: '127.0.0.1', port: 0 } });
  // Chromium's own sandbox does not start for root.
  const rootFlags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await puppeteer.launch({
    executablePath,
    timeout: readyTimeoutMs,
    args: [
      ...rootFlags,
      '--hide-scrollbars',
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--enable-unsafe-swiftshader',
    ],
  });
  try {
    const page = await browser.newPage();
    const url = `${server.resolvedUrls.local[0]}?export`;
    const { width, height } = await openFilm(page, url);
    // Opened again, so that the page is never resized.
    await page.setViewport({ width, height });
    const info = await openFilm(page, url);
    await capture(page, info, startEncoder(ffmpeg, info));
    console.log(`Wrote ${output}`);
  } finally {
    await browser.close();
    await server.close();
  }
}

try {
  await exportFilm();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
