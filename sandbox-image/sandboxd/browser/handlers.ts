import type { SandboxHandlers } from '../app.ts';
import { readSources } from '../files/sources.ts';
import { sendBytes } from '../http.ts';
import { compileProblems } from '../preview/compile-problems.ts';
import { type PreviewServer, previewOrigin } from '../preview-server.ts';
import { inspectPage, takeScreenshot } from './inspection.ts';
import { pageKey, type ScreenshotBrowser } from './reusable-browser.ts';
import { defaultLimits, type StageLimits } from './stage.ts';

export interface BrowserHandlersDeps {
  readonly workspace: string;
  readonly previewServer: PreviewServer;
  readonly screenshotBrowser: ScreenshotBrowser;
  readonly limits: StageLimits | null;
}

/** Creates the handlers that capture and inspect the dev server's page. */
export function browserHandlers(deps: BrowserHandlersDeps): Pick<SandboxHandlers, 'screenshot' | 'inspect'> {
  const limits = deps.limits ?? defaultLimits;
  return {
    async screenshot({ body: request, signal }) {
      const options = { origin: await previewOrigin(deps.previewServer, signal), limits, signal };
      const image = await deps.screenshotBrowser.use(signal, (chromium) => takeScreenshot(chromium, request, options));
      return sendBytes(image, `image/${request.format}`);
    },

    async inspect({ body: request, signal }) {
      const options = { origin: await previewOrigin(deps.previewServer, signal), limits, signal };
      const { report, captureError } = await deps.screenshotBrowser.use(signal, async (chromium) => {
        const sources = await readSources(deps.workspace);
        const inspection = await inspectPage(chromium, request, options);
        const { captureError, stage } = inspection;
        if (stage) deps.screenshotBrowser.keep({ stage, key: pageKey({ ...request, origin: options.origin, sources }) });
        // A blocked page also blocks its browser.
        if (captureError?.reason === 'blocked') await chromium[Symbol.asyncDispose]();
        return inspection;
      });
      // The browser does not report compile errors. Fetched outside `use`, so that other callers get the browser.
      const problems = captureError ? await compileProblems(options.origin, deps.workspace, signal) : [];
      report.console.unshift(...problems.map((text) => ({ level: 'error' as const, text })));
      return report;
    },
  };
}
