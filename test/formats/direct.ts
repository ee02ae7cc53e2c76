import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chromium, Size } from '../../sandbox-image/sandboxd/browser/chromium.ts';
import { DirectCapture } from '../../sandbox-image/sandboxd/browser/direct-capture.ts';
import { findChromium, findFfmpeg, installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { FrameTarget } from '../../sandbox-image/sandboxd/browser/frame-target.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { PageCalls } from '../../sandbox-image/sandboxd/browser/page-calls.ts';
import { PageEvidence } from '../../sandbox-image/sandboxd/browser/page-evidence.ts';
import { captureCall } from '../../sandbox-image/sandboxd/page/protocol.ts';
import { pageScript } from '../../sandbox-image/sandboxd/page-scripts.ts';
import { availableColourFilter } from '../../sandbox-image/sandboxd/render/encode.ts';
import { serveFolder } from '../../sandbox-image/sandboxd/render/static-server.ts';
import { compareFrames } from '../../sandbox-image/sandboxd/render/verification.ts';
import type { NamedCombination } from './combinations.ts';

const sizes: readonly Size[] = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 720 },
];
/** Renders fall back below 45 dB; formats keep a distance from that. */
const minPsnrDb = 50;
const readyTimeoutMs = 30_000;
const callTimeoutMs = 60_000;
const searchPath = process.env['PATH'] ?? '';

/**
 * Compares frames that the page draws itself with captures of the page, for the example of each format in each theme. Prints the
 * lowest PSNR of each format and each combination below 50 dB. Returns the number of combinations below 50 dB. With `stepSeconds`,
 * compares a frame at every such step instead of one that enters, one in the middle and one that holds.
 */
export async function checkDirect(
  gallery: string,
  combinations: readonly NamedCombination[],
  stepSeconds: number | null,
): Promise<number> {
  const examples = combinations.filter(
    ({ content, style, aspect }) => content === 'example' && style === 'smooth' && aspect === '16:9',
  );
  let failed = 0;
  for (const size of sizes) {
    await using page = await GalleryStage.open(gallery, size);
    for (const [format, themed] of Map.groupBy(examples, (combination) => combination.format.id)) {
      const found: { name: string; psnrDb: number }[] = [];
      for (const combination of themed) {
        const psnrDb = await page.compare(combination, momentsOf(combination.seconds, stepSeconds));
        if (psnrDb !== null) found.push({ name: combination.name, psnrDb: Math.min(...psnrDb) });
      }
      const where = `${format}, ${size.width}×${size.height}`;
      const lowest = Math.min(...found.map(({ psnrDb }) => psnrDb));
      const themes = found.length === 1 ? '1 theme' : `${found.length} themes`;
      console.log(
        found.length === 0 ? `${where}: captured from the page` : `${where}: at least ${lowest.toFixed(1)} dB in ${themes}`,
      );
      for (const { name, psnrDb } of found.filter((one) => one.psnrDb < minPsnrDb)) {
        failed += 1;
        console.log(`  below ${minPsnrDb} dB: ${name}, ${psnrDb.toFixed(1)} dB`);
      }
    }
  }
  return failed;
}

function momentsOf(seconds: number, stepSeconds: number | null): number[] {
  if (stepSeconds === null) return [0.6, seconds * 0.45, seconds - 0.3];
  return Array.from({ length: Math.ceil(seconds / stepSeconds) }, (_, index) => index * stepSeconds);
}

interface GalleryParts {
  readonly chromium: Chromium;
  readonly target: FrameTarget;
  readonly calls: PageCalls;
  readonly url: string;
  readonly size: Size;
  readonly scratch: string;
}

/** The gallery page in a browser as renders use it. */
class GalleryStage implements AsyncDisposable {
  readonly #resources: AsyncDisposableStack;
  readonly #parts: GalleryParts;

  private constructor(resources: AsyncDisposableStack, parts: GalleryParts) {
    this.#resources = resources;
    this.#parts = parts;
  }

  static async open(gallery: string, size: Size): Promise<GalleryStage> {
    await using resources = new AsyncDisposableStack();
    const { signal } = new AbortController();
    const server = resources.use(await serveFolder(gallery));
    const configured = process.env['KODA_TEST_CHROMIUM'] ?? null;
    const launcher = new BrowserLauncher(() => findChromium({ configured, path: searchPath }), installedBackend());
    const chromium = resources.use(await launcher.launch(signal));
    const target = await FrameTarget.open(chromium, { size, signal, crash: () => new Error('The gallery crashed.') });
    const calls = new PageCalls(target, { timeoutMs: callTimeoutMs, evidence: new PageEvidence(), signal });
    await target.session.send('Page.enable');
    await target.session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript('capture') });
    const scratch = await mkdtemp(join(tmpdir(), 'koda-direct-'));
    resources.defer(() => rm(scratch, { recursive: true }));
    return new GalleryStage(resources.move(), {
      chromium,
      target,
      calls,
      url: `${server.origin}/gallery.html?export`,
      size,
      scratch,
    });
  }

  /** Returns the PSNR in dB of the frames at `moments`, in seconds; `null` if renders capture the page. */
  async compare({ film }: NamedCombination, moments: readonly number[]): Promise<number[] | null> {
    const { target, calls, url, size, scratch } = this.#parts;
    // A page cannot seek to a time before a timer that it has already called.
    await target.session.send('Page.navigate', { url });
    await this.#until('window.__galleryLoaded === true');
    await calls.evaluate(`window.__showFilm(${JSON.stringify(film)})`, 'showing a film');
    await this.#until('window.__exportReady || window.__exportError !== null');
    const { result } = await calls.evaluate('window.__exportInfo.scenes.every(({ isFormat }) => isFormat)', 'describing a film');
    if (result.value !== true) return null;
    await calls.evaluate(captureCall('start'), 'opening');
    const direct = await DirectCapture.start(this.#parts);
    const [captured, truth] = [join(scratch, 'captured'), join(scratch, 'truth')];
    await Promise.all([captured, truth].map((path) => rm(path, { force: true })));
    for (const moment of moments) {
      await direct.enter();
      await calls.evaluate(captureCall('seek', moment), 'seeking');
      await appendFile(captured, required(await direct.capture()));
      await direct.leave();
      await calls.evaluate(captureCall('seek', moment), 'seeking');
      await appendFile(truth, required(await target.capture({ format: 'png' })));
    }
    const ffmpegPath = findFfmpeg({ configured: null, path: searchPath });
    const filter = await availableColourFilter(ffmpegPath);
    const tools = { filter, ffmpegPath, scratch, signal: new AbortController().signal };
    return compareFrames({ format: 'mp4' }, { captured, truth, stream: { frameFormat: 'i420', ...size } }, tools);
  }

  /** Draws until an expression is true in the page, because nothing happens there without frames. */
  async #until(expression: string): Promise<void> {
    const { target, calls } = this.#parts;
    const endMs = performance.now() + readyTimeoutMs;
    while (performance.now() < endMs) {
      const { result } = await calls.evaluate(expression, 'loading');
      if (result.value === true) return;
      await target.draw();
      await calls.pause(15);
    }
    throw new Error(`The gallery did not become ready: ${expression}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

function required(frame: Buffer | null): Buffer {
  if (frame === null) throw new Error('The browser drew no frame.');
  return frame;
}
