import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './elements.tsx';
import { toast } from './toasts.tsx';

const shownMs = 1500;

/** Copies text, and shows a toast if the browser blocks it. Returns whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast('The browser blocked copying. Select the text and copy it yourself.');
    return false;
  }
}

interface CopyButtonProps {
  text: () => string;
  label?: string;
  className?: string;
}

export function CopyButton({ text, label = 'Copy', className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? 'Copied' : label}
      data-copied={copied || undefined}
      onClick={() => void copyText(text()).then(setCopied)}
      className={className}
    />
  );
}
