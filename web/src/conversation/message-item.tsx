import { useMutation } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { Fragment, memo, type ReactNode, useState } from 'react';
import { formatTimestamp } from '#contract/display.ts';
import type { Message } from '#contract/project.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { api, toApiError } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { CopyButton } from '../ui/copy.tsx';
import { cx } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { MessageSurface } from './message-surface.tsx';
import { foldedText, parseBlocks, parseInline, parseTimes } from './message-text.ts';

interface MessageItemProps {
  messageId: string | null;
  author: Message['role'];
  content: string;
  queued: boolean;
  surface?: SurfaceMessages | undefined;
}

export const MessageItem = memo(function MessageItem({ messageId, author, content, queued, surface }: MessageItemProps) {
  const folded = foldedText(content);
  const [open, setOpen] = useState(false);
  const shown = folded === null || open ? content : folded;
  const fold = folded !== null && (
    <button
      type="button"
      aria-expanded={open}
      onClick={() => setOpen(!open)}
      className="mt-1 block rounded font-medium text-[13px] text-accent-text underline-offset-2 hover:underline"
    >
      {open ? 'Show less' : `Show all ${content.length.toLocaleString('en')} characters`}
    </button>
  );
  if (author === 'system') return <SystemLine text={content} />;
  if (author === 'assistant') {
    return (
      <div className="group/message relative pr-6 leading-[1.6]">
        <Prose text={shown} />
        {fold}
        {surface && <MessageSurface messages={surface} />}
        <CopyMessage text={content} className="absolute top-0 -right-2" />
      </div>
    );
  }
  return (
    <div className="group/message flex flex-col items-end gap-1 pl-10">
      <p className="sr-only">You</p>
      <div className="flex max-w-full items-start gap-1">
        <CopyMessage text={content} className="mt-1" />
        <div className="min-w-0 rounded-2xl rounded-br-md bg-bubble px-3.5 py-2 leading-[1.55]">
          <div className="whitespace-pre-wrap wrap-anywhere">{shown}</div>
          {fold}
        </div>
      </div>
      {queued && (
        <div className="flex items-center gap-1 text-ink-3 text-xs">
          <Clock className="size-3" />
          Read before the next step
          {messageId !== null && <Withdraw messageId={messageId} />}
        </div>
      )}
    </div>
  );
});

/** Visible while the message is hovered or focused. */
function CopyMessage({ text, className }: { text: string; className: string }) {
  const look =
    'size-7 opacity-0 focus-visible:opacity-100 group-hover/message:opacity-100 data-copied:opacity-100 pointer-coarse:hidden [&_svg]:size-3.5';
  return <CopyButton text={() => text} label="Copy message" className={cx(look, className)} />;
}

function SystemLine({ text }: { text: string }) {
  return (
    <p className="text-balance wrap-anywhere text-center text-ink-3 text-xs">
      {parseTimes(text).map((part) =>
        part.kind === 'plain' ? (
          <Fragment key={part.start}>{part.text}</Fragment>
        ) : (
          <time key={part.start} dateTime={part.text} title={new Date(part.text).toLocaleString('en')}>
            {formatTimestamp(part.text)}
          </time>
        ),
      )}
    </p>
  );
}

/** Withdraws a message that the agent has not read yet. */
function Withdraw({ messageId }: { messageId: string }) {
  const { projectId } = useProject();
  const withdrawing = useMutation({
    mutationFn: () => api.withdrawMessage(projectId, messageId),
    onError: (error) => toast(toApiError(error).message),
  });
  return (
    <>
      <span aria-hidden="true">·</span>
      <button
        type="button"
        disabled={withdrawing.isPending}
        onClick={() => withdrawing.mutate()}
        className="rounded font-medium text-ink-2 underline-offset-2 hover:underline"
      >
        Withdraw
      </button>
    </>
  );
}

function Prose({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-2">
      {parseBlocks(text).map((block) => {
        switch (block.kind) {
          case 'text':
            return (
              <p key={block.start} className="whitespace-pre-wrap wrap-anywhere">
                <InlineText text={block.text} />
              </p>
            );
          case 'code':
            return (
              <pre key={block.start} className="overflow-x-auto rounded-lg bg-sunken px-3 py-2 font-mono text-[12px] leading-5">
                {block.text}
              </pre>
            );
          case 'list':
            return (
              <List key={block.start} ordered={block.ordered}>
                {block.items.map((item, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a message does not change, and its items may be alike.
                  <li key={index} className="wrap-anywhere">
                    <InlineText text={item} />
                  </li>
                ))}
              </List>
            );
          default:
            return block satisfies never;
        }
      })}
    </div>
  );
}

function List({ ordered, children }: { ordered: boolean; children: ReactNode }) {
  const Tag = ordered ? 'ol' : 'ul';
  return (
    <Tag className={cx('flex flex-col gap-0.5 pl-5 marker:text-ink-3', ordered ? 'list-decimal' : 'list-disc')}>{children}</Tag>
  );
}

function InlineText({ text }: { text: string }) {
  return parseInline(text).map((part) => {
    if (part.kind === 'strong') return <strong key={part.start}>{part.text}</strong>;
    if (part.kind === 'code') {
      return (
        <code key={part.start} className="rounded bg-sunken px-1 py-0.5 font-mono text-[12px]">
          {part.text}
        </code>
      );
    }
    return <Fragment key={part.start}>{part.text}</Fragment>;
  });
}
