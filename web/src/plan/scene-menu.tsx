import { ArrowLeft, ArrowRight, Copy, Ellipsis, Plus, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';

export type SceneAction = 'earlier' | 'later' | 'add' | 'duplicate' | 'delete';

interface SceneMenuProps {
  number: number;
  count: number;
  canAdd: boolean;
  onAction: (action: SceneAction) => void;
}

/** What dragging and keys do on the ruler, for fingers and for those who do not drag. */
export function SceneMenu({ number, count, canAdd, onAction }: SceneMenuProps) {
  const item = (action: SceneAction, label: string, icon: ReactNode, disabled = false) => (
    <DropdownMenu.Item
      disabled={disabled}
      onSelect={() => onAction(action)}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-[13px] outline-none data-[disabled]:cursor-default data-[highlighted]:bg-sunken data-[disabled]:text-ink-3 [&_svg]:size-4 [&_svg]:text-ink-3"
    >
      {icon}
      {label}
    </DropdownMenu.Item>
  );
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <IconButton label={texts.plan.sceneActions(number)} className="-my-1 -mr-2 size-7 hover:bg-black/5">
          <Ellipsis className="size-4" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          // Focus goes where the action puts it.
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="z-40 min-w-48 animate-fade rounded-xl border border-line bg-panel p-1 shadow-lift"
        >
          {item('earlier', texts.plan.moveEarlier, <ArrowLeft aria-hidden="true" />, number === 1)}
          {item('later', texts.plan.moveLater, <ArrowRight aria-hidden="true" />, number === count)}
          {item('add', texts.plan.addAfter, <Plus aria-hidden="true" />, !canAdd)}
          {item('duplicate', texts.plan.duplicate, <Copy aria-hidden="true" />, !canAdd)}
          {item('delete', texts.plan.delete, <Trash2 aria-hidden="true" />, count === 1)}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
