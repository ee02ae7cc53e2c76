import { messagesOf, parseSurface, type Read, readSurface } from '#contract/surface/messages.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { summaryOf } from './communication.ts';
import { allPhases, completed, defineTool, failed, type ToolResult } from './tool.ts';

export const showSurface = defineTool('show_surface', {
  isForAuthors: true,
  category: 'communication',
  risk: 'low',
  timeoutMs: 0,
  phases: allPhases,
  label: () => 'Showing you something',
  async run({ content, surface, wait }, context) {
    const messages = messagesIn(surface);
    if (!messages.ok) return issueResult(messages);
    if (!wait) {
      const shown = await context.showSurface(content, messages.value);
      return shown.ok ? completed({ message_id: shown.value }, 'Shown') : issueResult(shown);
    }
    const read = readSurface(messages.value);
    if (!read.ok) return issueResult(read);
    const response = await context.requestApproval({
      type: 'question',
      content,
      options: [],
      plan: null,
      surface: messagesOf(read.value),
    });
    if (response === null) return { status: 'suspended' };
    return completed(response, summaryOf(response));
  },
});

/** Parses JSON strings, because models sometimes write nested JSON as a string. */
function messagesIn(surface: string | SurfaceMessages): Read<SurfaceMessages> {
  if (typeof surface !== 'string') return { ok: true, value: surface };
  const read = parseSurface(surface);
  return read.ok ? { ok: true, value: messagesOf(read.value) } : read;
}

function issueResult({ issue }: Extract<Read<unknown>, { ok: false }>): ToolResult {
  const { code, message, ...details } = issue;
  return failed(code, message, details);
}
