import { ArrowDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Message } from '#contract/project.ts';
import type { ToolCall } from '#contract/tool-calls.ts';
import { useProject, useView } from '../project/context.ts';
import { Button } from '../ui/elements.tsx';
import { useStickToEnd } from '../ui/stick-to-end.ts';
import { FileDrop } from '../uploads/file-input.tsx';
import { uploadsOf } from '../uploads/upload.ts';
import { MessageItem } from './message-item.tsx';
import { PermissionList } from './permission-list.tsx';
import { TodoList, UsageLine } from './todo-list.tsx';
import { ToolLines } from './tool-lines.tsx';

type TimelineItem =
  | { readonly kind: 'message'; readonly key: string; readonly message: Message }
  | { readonly kind: 'tools'; readonly key: string; readonly calls: readonly ToolCall[] };

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

/** Number of items rendered at first, and added by each “Show earlier”. */
const windowItems = 120;

export function lastItems<T>(items: readonly T[], count: number): { shown: readonly T[]; earlier: number } {
  const earlier = Math.max(0, items.length - count);
  return { shown: earlier === 0 ? items : items.slice(earlier), earlier };
}

export function Conversation() {
  const messages = useView((view) => view.messages);
  const tools = useView((view) => view.tools);
  const prompt = useView((view) => view.project.prompt);
  const timeline = useMemo(() => buildTimeline(messages, tools), [messages, tools]);
  const [count, setCount] = useState(windowItems);
  const { shown, earlier } = lastItems(timeline, count);
  const promptIsShown = messages.some((message) => message.role === 'user' && message.content === prompt);
  const { scrollBox, content, atEnd, toEnd } = useStickToEnd();
  const { projectId } = useProject();
  return (
    <FileDrop onFiles={(files) => uploadsOf(projectId).add(files, 'message')} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div ref={scrollBox} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <div ref={content} className="mx-auto flex max-w-180 flex-col gap-4 px-4 py-5">
          <div role="log" aria-label="Conversation" className="flex flex-col gap-4">
            {earlier > 0 && (
              <Button size="sm" variant="quiet" className="self-center" onClick={() => setCount(count + windowItems)}>
                {`Show earlier (${earlier.toLocaleString('en')})`}
              </Button>
            )}
            {!promptIsShown && earlier === 0 && prompt !== '' && (
              <MessageItem messageId={null} author="user" content={prompt} queued={false} />
            )}
            {shown.map((item) =>
              item.kind === 'message' ? (
                <MessageItem
                  key={item.key}
                  messageId={item.message.id}
                  author={item.message.role}
                  content={item.message.content}
                  queued={item.message.queued}
                  surface={item.message.surface}
                />
              ) : (
                <ToolLines key={item.key} calls={item.calls} />
              ),
            )}
          </div>
          <TodoList />
          <PermissionList />
          <UsageLine />
        </div>
      </div>
      {!atEnd && (
        <button
          type="button"
          onClick={() => toEnd()}
          className="absolute bottom-3 left-1/2 flex h-8 -translate-x-1/2 animate-fade items-center gap-1.5 rounded-full border border-line-strong bg-panel px-3 text-[13px] shadow-card"
        >
          <ArrowDown className="size-3.5" />
          Jump to latest
        </button>
      )}
    </FileDrop>
  );
}
