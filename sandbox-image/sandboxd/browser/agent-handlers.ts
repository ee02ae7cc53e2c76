import type { SandboxHandlers } from '../app.ts';
import { orNotFound } from '../files/listing.ts';
import { sendBytes } from '../http.ts';
import { type PreviewServer, previewOrigin } from '../preview-server.ts';
import type { AgentBrowser } from './agent-browser.ts';
import { drawImage, drawSvg, readImage } from './image-file.ts';

export interface AgentHandlersDeps {
  readonly workspace: string;
  readonly previewServer: PreviewServer;
  readonly browser: AgentBrowser;
}

export function agentHandlers(deps: AgentHandlersDeps): Pick<SandboxHandlers, 'browse' | 'readImage' | 'drawSvg'> {
  const { workspace, previewServer, browser } = deps;
  return {
    browse: async ({ body, signal }) => browser.step(body, await previewOrigin(previewServer, signal), signal),
    async readImage({ body, signal }) {
      const image = await orNotFound(workspace, body.path, readImage(workspace, body, signal));
      return await browser.use(signal, (chromium) => drawImage(chromium, image, body, signal));
    },
    async drawSvg({ body, signal }) {
      return sendBytes(await browser.use(signal, (chromium) => drawSvg(chromium, body, signal)), 'image/png');
    },
  };
}
