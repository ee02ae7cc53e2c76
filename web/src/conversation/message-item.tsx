import { Clock } from 'lucide-react';
import { Fragment, memo } from 'react';
import type { Message } from '../../../server/contract/project.ts';
import { texts } from '../texts.ts';
import { parseInline } from './inline-text.ts';

interface MessageItemProps {
  author: Message['role'];
  content: string;
  queued: boolean;
}

export const MessageItem = memo(function MessageItem({ author, content, queued }: MessageItemProps) {
  if (author === 'system') return <p className="text-center text-ink-3 text-xs">{content}</p>;
  if (author === 'assistant') {
    return (
      <div className="whitespace-pre-wrap wrap-anywhere pr-6 leading-[1.6]">
        <InlineText text={content} />
      </div>
    );
  }
  return (
    <div className="flex flex-col items-end gap-1 pl-10">
      <p className="sr-only">{texts.project.you}</p>
      <div className="max-w-full whitespace-pre-wrap wrap-anywhere rounded-2xl rounded-br-md bg-bubble px-3.5 py-2 leading-[1.55]">
        {content}
      </div>
      {queued && (
        <p className="flex items-center gap-1 text-ink-3 text-xs">
          <Clock aria-hidden="true" className="size-3" />
          {texts.project.queued}
        </p>
      )}
    </div>
  );
});

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
