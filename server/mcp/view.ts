import type { McpUiClientCapabilities, McpUiResourceMeta, McpUiToolMeta } from '@modelcontextprotocol/ext-apps';
import type { ClientCapabilities, ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import type { McpTool } from './tool.ts';

/**
 * Koda's view in chat clients that show interfaces (MCP Apps): one page, which shows the storyboard, the live preview or the
 * video, depending on the result that it receives.
 */
export const viewUri = 'ui://koda/film.html';
const mimeType = 'text/html;profile=mcp-app';
const extension = 'io.modelcontextprotocol/ui';

/** Tools whose results are worth a view. Others would fill a conversation with copies of it. */
const toolsWithView: ReadonlySet<McpTool['name']> = new Set([
  ...['make_film', 'show_project', 'accept_plan', 'change_plan', 'answer_question', 'send_feedback', 'preview', 'render'],
]);

// An empty policy: the view has everything in its page, and gets pictures and videos from the client. A client's sandbox cannot
// reach a studio on the user's computer.
const resourceMeta: { ui: McpUiResourceMeta } = { ui: { csp: {}, prefersBorder: true } };

/** Returns whether a client shows interfaces. Others are sent nothing about the view. */
export function showsViews(capabilities: ClientCapabilities | undefined): boolean {
  const ui: McpUiClientCapabilities = capabilities?.extensions?.[extension] ?? {};
  return Array.isArray(ui.mimeTypes) && ui.mimeTypes.includes(mimeType);
}

/** Returns what a tool's description says about the view. The second key is the one that older clients read. */
export function viewMetaOf(name: McpTool['name']): { _meta?: { ui: McpUiToolMeta; 'ui/resourceUri': string } } {
  if (!toolsWithView.has(name)) return {};
  return { _meta: { ui: { resourceUri: viewUri }, 'ui/resourceUri': viewUri } };
}

export const viewResource: Resource = {
  uri: viewUri,
  name: 'film-view',
  title: 'Film',
  description: 'Shows a film’s storyboard, live preview and video',
  mimeType,
  _meta: { ...resourceMeta },
};

export function viewContents(html: string): ReadResourceResult {
  return { contents: [{ uri: viewUri, mimeType, text: html, _meta: { ...resourceMeta } }] };
}
