import { AlertDialog } from 'radix-ui';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';
import { dialogClass, overlayClass } from './dialog.tsx';

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  open: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is gone. */
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
              <Button>{texts.common.cancel}</Button>
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
