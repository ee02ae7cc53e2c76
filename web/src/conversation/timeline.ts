import type { Message } from '../../../server/contract/project.ts';
import type { ToolCall } from '../../../server/contract/tool-calls.ts';

type TimelineItem =
  | { readonly kind: 'message'; readonly key: string; readonly message: Message }
  | { readonly kind: 'tools'; readonly key: string; readonly calls: readonly ToolCall[] };

/** Messages and tool calls in the order of time; calls between two messages are one item. */
export function buildTimeline(messages: readonly Message[], tools: readonly ToolCall[]): TimelineItem[] {
  const items: TimelineItem[] = [];
  let calls: ToolCall[] = [];
  let next = 0;
  const closeGroup = () => {
    const first = calls[0];
    if (first) items.push({ kind: 'tools', key: first.callId, calls });
    calls = [];
  };
  for (const message of messages) {
    for (let tool = tools[next]; tool && tool.startedAt < message.at; tool = tools[++next]) calls.push(tool);
    closeGroup();
    items.push({ kind: 'message', key: message.id, message });
  }
  calls = tools.slice(next);
  closeGroup();
  return items;
}

/** So many items of a conversation are drawn at first, and so many more whenever earlier ones are asked for. */
export const windowItems = 120;

/** The last `count` items, and how many there are before them. */
export function lastItems<T>(items: readonly T[], count: number): { shown: readonly T[]; earlier: number } {
  const earlier = Math.max(0, items.length - count);
  return { shown: earlier === 0 ? items : items.slice(earlier), earlier };
}
