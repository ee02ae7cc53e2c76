import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';

/** Copies a text, which is asked for when it is pressed. */
export function CopyButton({ text }: { text: () => string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      label={copied ? texts.code.copied : texts.code.copy}
      onClick={() => void navigator.clipboard.writeText(text()).then(() => setCopied(true))}
    >
      {copied ? <Check className="size-4 text-ok" /> : <Copy className="size-4" />}
    </IconButton>
  );
}
