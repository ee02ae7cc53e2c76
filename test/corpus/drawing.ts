import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import type { Chromium } from '../../sandbox-image/sandboxd/browser/chromium.ts';
import { findChromium, installedBackend } from '../../sandbox-image/sandboxd/browser/executables.ts';
import { inspectPage } from '../../sandbox-image/sandboxd/browser/inspection.ts';
import { BrowserLauncher } from '../../sandbox-image/sandboxd/browser/launcher.ts';
import { defaultLimits } from '../../sandbox-image/sandboxd/browser/stage.ts';
import buildPageScripts from '../../sandbox-image/sandboxd/build-page-scripts.ts';
import { emitAll } from '../../server/authors/director/emit/emit.ts';
import type { Aspect, Film } from '../../server/contract/film.ts';
import type { InspectReport } from '../../server/contract/sandboxd.ts';

const template = join(import.meta.dirname, '../../sandbox-image/templates/animation');
/** Of a frame, in px. */
const longSide = 480;
const { signal } = new AbortController();

/** Draws films of the director in one workspace and one browser, without a sandbox. */
export class Drawing {
  readonly workspace: string;
  readonly #server: ViteDevServer;
  readonly #chromium: Chromium;

  private constructor(workspace: string, server: ViteDevServer, chromium: Chromium) {
    this.workspace = workspace;
    this.#server = server;
    this.#chromium = chromium;
  }

  static async open(): Promise<Drawing> {
    await buildPageScripts();
    const workspace = await mkdtemp(join(tmpdir(), 'koda-corpus-'));
    await cp(template, workspace, { recursive: true, filter: (path) => !path.startsWith(join(template, 'node_modules')) });
    await symlink(join(template, 'node_modules'), join(workspace, 'node_modules'));
    const server = await createServer({
      configFile: join(workspace, 'vite.config.ts'),
      logLevel: 'error',
      server: { port: 0, hmr: false },
    });
    await server.listen();
    const launcher = new BrowserLauncher(
      () => findChromium({ configured: process.env['KODA_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' }),
      installedBackend(),
    );
    return new Drawing(workspace, server, await launcher.launch(signal));
  }

  /** Writes the code of the film in place of the one before it. */
  async write(film: Film): Promise<void> {
    await rm(join(this.workspace, 'src/scenes'), { recursive: true, force: true });
    for (const { path, content } of emitAll(film)) {
      await mkdir(dirname(join(this.workspace, path)), { recursive: true });
      await writeFile(join(this.workspace, path), content);
    }
    this.#server.moduleGraph.invalidateAll();
  }

  /** Looks at that many frames of the film that was written last, from its first to its last. */
  async look(film: Film, frames: number, { contactSheet }: { readonly contactSheet: boolean }): Promise<InspectReport> {
    const last = film.durationSeconds - 1 / film.fps;
    const atSeconds = Array.from({ length: frames }, (_, index) => (last * index) / (frames - 1));
    const origin = new URL(this.#server.resolvedUrls?.local[0] ?? '').origin;
    const request = { atSeconds, ...sizeOf(film.aspect), parameterSets: [], contactSheet };
    const { report, stage } = await inspectPage(this.#chromium, request, { origin, limits: defaultLimits, signal });
    await stage?.[Symbol.asyncDispose]();
    return report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chromium[Symbol.asyncDispose]();
    await this.#server.close();
    await rm(this.workspace, { recursive: true, force: true });
  }
}

function sizeOf(aspect: Aspect): { width: number; height: number } {
  const [across = 16, down = 9] = aspect.split(':').map(Number);
  const scale = longSide / Math.max(across, down);
  return { width: Math.round(across * scale), height: Math.round(down * scale) };
}
