import { AgentBrowser } from './browser/agent-browser.ts';
import { agentHandlers } from './browser/agent-handlers.ts';
import { findChromium, findFfmpeg, findFfprobe, installedBackend } from './browser/executables.ts';
import { browserHandlers } from './browser/handlers.ts';
import { BrowserLauncher } from './browser/launcher.ts';
import { ScreenshotBrowser } from './browser/reusable-browser.ts';
import { defaultLimits } from './browser/stage.ts';
import { openCache } from './cache.ts';
import type { SandboxdEnv } from './env.ts';
import { readHealth } from './health.ts';
import type { PreviewServer } from './preview-server.ts';
import { renderHandlers } from './render/handlers.ts';
import { RenderJobs } from './render/jobs.ts';
import { soundHandlers } from './sound/handlers.ts';

/** Idle time after which the screenshot browser closes. */
const browserIdleMs = 60_000;
/** The agent's page stays open longer, because a model may take minutes between two calls. */
const agentBrowserIdleMs = 300_000;

export interface Media extends AsyncDisposable {
  readonly handlers: ReturnType<typeof browserHandlers> &
    ReturnType<typeof agentHandlers> &
    ReturnType<typeof renderHandlers> &
    ReturnType<typeof soundHandlers>;
}

export function createMedia(deps: { workspace: string; preview: PreviewServer; env: SandboxdEnv }): Media {
  const { workspace, preview, env } = deps;
  const locationOf = (configured: string | undefined) => ({ configured: configured ?? null, path: process.env['PATH'] ?? '' });
  const launcher = new BrowserLauncher(() => findChromium(locationOf(env.KODA_CHROMIUM)), installedBackend());
  const screenshotBrowser = new ScreenshotBrowser(launcher, browserIdleMs);
  const agentBrowser = new AgentBrowser(launcher, agentBrowserIdleMs);
  const jobs = new RenderJobs({
    workspace,
    cacheFolder: openCache({
      configured: env.KODA_CACHE ?? null,
      workspace,
      templatesDir: env.KODA_TEMPLATES,
      warn: (line) => process.stderr.write(`${line}\n`),
    }),
    previewServer: preview,
    // The tools are resolved per render, so that the rest of the sandbox works without FFmpeg.
    tools: () => ({
      launcher,
      ffmpegPath: findFfmpeg(locationOf(env.KODA_FFMPEG)),
      ffprobePath: findFfprobe(locationOf(env.KODA_FFPROBE)),
      limits: defaultLimits,
    }),
    screenshotBrowser,
    oomKills: async () => (await readHealth(workspace)).oomKills,
  });
  return {
    handlers: {
      ...browserHandlers({ workspace, previewServer: preview, screenshotBrowser, limits: null }),
      ...agentHandlers({ workspace, previewServer: preview, browser: agentBrowser }),
      ...renderHandlers(jobs),
      ...soundHandlers(() => findFfmpeg(locationOf(env.KODA_FFMPEG))),
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([screenshotBrowser, agentBrowser, jobs].map((part) => part[Symbol.asyncDispose]()));
    },
  };
}
