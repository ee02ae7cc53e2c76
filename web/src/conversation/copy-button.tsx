import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { toast } from '../ui/toasts.tsx';

const shownMs = 1500;

interface CopyButtonProps {
  text: string;
  /** What it is that is copied. */
  label?: string;
  className?: string;
}

/** Copies a text as it was written; by a message, it is in sight while the pointer or the focus is there. */
export function CopyButton({ text, label = 'Copy the message', className }: CopyButtonProps) {
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
      toast('The browser blocked copying. Select the text and copy it yourself.');
    }
  };
  return (
    <IconButton
      label={copied ? 'Copied' : label}
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
