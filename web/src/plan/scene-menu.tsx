import { ArrowLeft, ArrowRight, Copy, Ellipsis, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';

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
    <MenuItem icon={icon} disabled={disabled} onSelect={() => onAction(action)}>
      {label}
    </MenuItem>
  );
  return (
    <Menu
      align="end"
      // Focus goes where the action puts it.
      onCloseAutoFocus={(event) => event.preventDefault()}
      trigger={
        <IconButton label={texts.plan.sceneActions(number)} className="-my-1 -mr-2 size-7 hover:bg-black/5">
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      {item('earlier', texts.plan.moveEarlier, <ArrowLeft />, number === 1)}
      {item('later', texts.plan.moveLater, <ArrowRight />, number === count)}
      {item('add', texts.plan.addAfter, <Plus />, !canAdd)}
      {item('duplicate', texts.plan.duplicate, <Copy />, !canAdd)}
      {item('delete', texts.plan.delete, <Trash2 />, count === 1)}
    </Menu>
  );
}
