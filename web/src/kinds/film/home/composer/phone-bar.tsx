import { ListChecks, Paperclip } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../../ui/elements.tsx';

interface PhoneBarProps {
  readonly readings: number;
  readonly isBusy: boolean;
  readonly onAttach: () => void;
  readonly onReading: () => void;
  readonly children: ReactNode;
}

/** What stands at the lower edge of a phone. */
export function PhoneBar({ readings, isBusy, onAttach, onReading, children }: PhoneBarProps) {
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-4 flex items-center gap-2 border-line border-t bg-panel p-3">
      <IconButton
        label="Attach images, audio or fonts"
        icon={Paperclip}
        onClick={onAttach}
        disabled={isBusy}
        className="size-11 shrink-0"
      />
      <Button icon={ListChecks} onClick={onReading} disabled={readings === 0} className="h-12! flex-3 text-base!">
        {`Reading ${readings}`}
      </Button>
      {children}
    </div>
  );
}
