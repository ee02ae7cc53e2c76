import { X } from 'lucide-react';
import { AlertDialog, Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { Button, IconButton } from './elements.tsx';

export const overlayClass = 'fixed inset-0 z-40 animate-fade bg-black/45 backdrop-blur-[2px]';
export const dialogClass =
  'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-1/2 animate-fade overflow-y-auto rounded-2xl border border-line bg-panel p-6 shadow-lift';

interface DialogProps {
  title: string;
  text: string;
  open: boolean;
  onClose: () => void;
  /** Whether the dialog has a fixed size, for long forms whose children scroll themselves. */
  wide?: boolean;
  children: ReactNode;
}

export function Dialog({ title, text, open, onClose, wide = false, children }: DialogProps) {
  const opener = useRef<Element | null>(null);
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlayClass} />
        <RadixDialog.Content
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          // Radix returns the focus only to a trigger of its own.
          onCloseAutoFocus={(event) => {
            if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return;
            event.preventDefault();
            opener.current.focus();
          }}
          className={`${dialogClass} ${wide ? 'flex h-[min(100dvh-2rem,760px)] max-w-180 flex-col overflow-hidden' : 'max-w-140'}`}
        >
          <RadixDialog.Title className="pr-8 font-semibold text-base">{title}</RadixDialog.Title>
          <RadixDialog.Description className="mt-1 text-ink-2">{text}</RadixDialog.Description>
          {children}
          <RadixDialog.Close asChild>
            <IconButton icon={X} label="Close" className="absolute top-4 right-4" />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  open: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({ title, text, action, open, onConfirm, onClose }: ConfirmProps) {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass} />
        <AlertDialog.Content className={`${dialogClass} max-w-105`}>
          <AlertDialog.Title className="font-semibold text-base">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1.5 text-ink-2">{text}</AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button variant="danger" onClick={onConfirm}>
                {action}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
