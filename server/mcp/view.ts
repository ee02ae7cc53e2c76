import type { McpUiClientCapabilities, McpUiResourceMeta, McpUiToolMeta } from '@modelcontextprotocol/ext-apps';
import type { ClientCapabilities, ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';

/** A page in chat clients that show interfaces (MCP Apps). What it shows depends on the result that it receives. */
export interface McpView extends Pick<Resource, 'uri' | 'name' | 'title' | 'description'> {
  /** File name of the built page. */
  readonly page: string;
  /** Tools whose results are worth a view. Others would fill a conversation with copies of it. */
  readonly tools: readonly string[];
}

const mimeType = 'text/html;profile=mcp-app';
const extension = 'io.modelcontextprotocol/ui';

// An empty policy: the view has everything in its page, and gets pictures and videos from the client. A client's sandbox cannot
// reach a studio on the user's computer.
const resourceMeta: { ui: McpUiResourceMeta } = { ui: { csp: {}, prefersBorder: true } };

/** Returns whether a client shows interfaces. Others are sent nothing about views. */
export function showsViews(capabilities: ClientCapabilities | undefined): boolean {
  const ui: McpUiClientCapabilities = capabilities?.extensions?.[extension] ?? {};
  return Array.isArray(ui.mimeTypes) && ui.mimeTypes.includes(mimeType);
}

/** Returns what a tool's description says about its view. The second key is the one that older clients read. */
export function viewMetaOf(views: readonly McpView[], name: string): { _meta?: { ui: McpUiToolMeta; 'ui/resourceUri': string } } {
  const view = views.find(({ tools }) => tools.includes(name));
  return view === undefined ? {} : { _meta: { ui: { resourceUri: view.uri }, 'ui/resourceUri': view.uri } };
}

export function viewResource({ uri, name, title, description }: McpView): Resource {
  return { uri, name, title, description, mimeType, _meta: { ...resourceMeta } };
}

export function viewContents({ uri }: McpView, html: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: html, _meta: { ...resourceMeta } }] };
}
