import { z } from 'zod';
import type { Hints } from '#contract/project.ts';
import { type ListedTool, listedTitles } from '#kinds/assistant/contract/assistant.ts';
import type { Tool, ToolRegistry } from '../../tools/tool.ts';
import { timeZoneHintSchema } from './time-zone.ts';

export const hintsSchema = z.strictObject({
  toolsOff: z.array(z.string().max(100)).max(500).optional(),
  timeZone: timeZoneHintSchema.optional(),
});

const storedSchema = z.object({ toolsOff: z.array(z.string()).default([]) });

/** Returns the names of the tools that are turned off. */
export const toolsOffIn = (hints: Hints): readonly string[] => storedSchema.parse(hints).toolsOff;

/** Common tools that the model does not need, because its steps do the same. */
const replaced: ReadonlySet<string> = new Set(['add_message', 'show_surface', 'set_thinking', 'request_approval', 'adjust']);

/** Returns the tools that a language model may call. */
export const callableTools = (tools: ToolRegistry): readonly Tool[] =>
  tools.offeredIn('executing').filter(({ name }) => !replaced.has(name));

/** Returns an error message that lists unknown names, or `null` if all are known. */
export function unknownTools(names: readonly string[], tools: ToolRegistry): string | null {
  const known = callableTools(tools).map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  return `There is no tool “${unknown.join('”, “')}” here. Use these names: ${known.join(', ')}.`;
}

export const listedTools = (tools: ToolRegistry): ListedTool[] => callableTools(tools).map(listed);

const maxSentenceCharacters = 200;

/** Tools outside Koda keep their server's description. */
function listed(tool: Tool): ListedTool {
  const { name, description } = tool;
  const outsideTitle = tool.label({}).replace(/^Using /u, '');
  const [first = ''] = description.split(/(?<=[.!?])\s|\n/u, 1);
  const own = listedTitles[name];
  const title = own?.title ?? (tool.category === 'outside' ? outsideTitle : name);
  return { name, title, sentence: (own?.sentence ?? first).slice(0, maxSentenceCharacters), effect: effectOf(tool) };
}

function effectOf({ name, category, risk, readOnly }: Tool): ListedTool['effect'] {
  if (category === 'outside' || name === 'search') return 'leaves';
  if (readOnly) return 'reads';
  return risk === 'high' ? 'deletes' : 'makes';
}

/** Error message for a call of a tool that is turned off. */
export const offText = (name: string): string =>
  `“${listedTitles[name]?.title ?? name}” is turned off in this conversation. You can turn it on again beside the words box.`;
