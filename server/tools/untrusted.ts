import type { ToolCategory } from '#contract/tools.ts';
import type { Tool } from './tool.ts';

const untrusted: ReadonlySet<ToolCategory> = new Set(['outside', 'search', 'command', 'shell', 'browser', 'preview']);

/**
 * Returns whether a tool's results may contain content that neither the user nor the model wrote. A project's files count,
 * because they may be uploads or an imported archive, and so do commands and pages, which read them.
 */
export function readsUntrusted({ category, readOnly }: Pick<Tool, 'category' | 'readOnly'>): boolean {
  return untrusted.has(category) || (category === 'file' && readOnly);
}
