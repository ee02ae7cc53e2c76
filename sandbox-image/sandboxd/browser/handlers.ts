import type { SandboxHandlers } from '../app.ts';
import { readSources } from '../files/sources.ts';
import { sendBytes } from '../http.ts';
import { compileProblems } from '../preview/compile-problems.ts';
import { type PreviewServer, previewOrigin } from '../preview-server.ts';
import { inspectPage, takeScreenshot } from './inspection.ts';
import { pageKey, type WarmBrowser } from './kept-browser.ts';
import { defaultLimits, type StageLimits } from './stage.ts';

export interface BrowserHandlersDeps {
  readonly workspace: string;
  readonly previewServer: PreviewServer;
  readonly warmBrowser: WarmBrowser;
  /** Null = the usual limits. */
  readonly limits: StageLimits | null;
}

/** Looking at the page of the running dev server. */
export function browserHandlers(deps: BrowserHandlersDeps): Pick<SandboxHandlers, 'screenshot' | 'inspect'> {
  const limits = deps.limits ?? defaultLimits;
  return {
    async screenshot({ body: request, signal }) {
      const options = { origin: await previewOrigin(deps.previewServer, signal), limits, signal };
      const image = await deps.warmBrowser.use(signal, (chromium) => takeScreenshot(chromium, request, options));
      return sendBytes(image, `image/${request.format}`);
    },

    async inspect({ body: request, signal }) {
      const options = { origin: await previewOrigin(deps.previewServer, signal), limits, signal };
      const { report, fault } = await deps.warmBrowser.use(signal, async (chromium) => {
        const sources = await readSources(deps.workspace);
        const inspection = await inspectPage(chromium, request, options);
        const { fault, stage } = inspection;
        // A preview of the same page most often follows.
        if (stage) deps.warmBrowser.keep({ stage, key: pageKey({ ...request, origin: options.origin, sources }) });
        // A page that blocks holds its browser with it.
        if (fault?.reason === 'blocked') await chromium[Symbol.asyncDispose]();
        return inspection;
      });
      // Of a module that does not compile, a browser reports only that it could not be loaded. Others may use it meanwhile.
      const problems = fault ? await compileProblems(options.origin, deps.workspace, signal) : [];
      report.console.unshift(...problems.map((text) => ({ level: 'error' as const, text })));
      return report;
    },
  };
}
