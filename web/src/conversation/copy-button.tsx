import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { toast } from '../ui/toasts.tsx';

const shownMs = 1500;

/** Copies a message as it was written; in sight while the pointer or the focus is at the message. */
export function CopyButton({ text, className }: { text: string; className?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast(texts.conversation.notCopied);
    }
  };
  return (
    <IconButton
      label={copied ? texts.conversation.copied : texts.conversation.copy}
      onClick={() => void copy()}
      className={cx(
        'size-7 opacity-0 focus-visible:opacity-100 group-hover/message:opacity-100 pointer-coarse:hidden',
        copied && 'opacity-100',
        className,
      )}
    >
      {copied ? <Check className="size-3.5 text-ok" /> : <Copy className="size-3.5" />}
    </IconButton>
  );
}
