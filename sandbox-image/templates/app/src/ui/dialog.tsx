import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly text?: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Keeps the focus until it is closed. */
export function Dialog({ title, text, wide = false, onClose, children }: DialogProps) {
  return (
    <RadixDialog.Root open onOpenChange={(open) => open || onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="scrim" />
        <RadixDialog.Content className="dialog" data-size={wide ? 'wide' : undefined} {...(text === undefined && noText)}>
          <div className="mb-4 flex items-start gap-4">
            <div className="min-w-0 flex-1">
              <RadixDialog.Title className="text-xl">{title}</RadixDialog.Title>
              {text !== undefined && <RadixDialog.Description className="mt-1 text-ink-2">{text}</RadixDialog.Description>}
            </div>
            <RadixDialog.Close asChild>
              <IconButton label="Close" icon={X} size="small" />
            </RadixDialog.Close>
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
const noText = { 'aria-describedby': undefined };

interface SheetProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/** From the right, on a phone from below. The page beside it stays usable, so it does not keep the focus; closing returns it. */
export function Sheet({ label, onClose, onKeyDown, children }: SheetProps) {
  const sheet = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    sheet.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside
      ref={sheet}
      className="sheet"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </aside>
  );
}
