import { Copy, ExternalLink, MoreHorizontal, PenLine, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { projectHref } from '../router.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';

export const menuClass =
  'z-40 min-w-52 animate-fade rounded-xl border border-line-strong bg-panel p-1 text-[13px] shadow-lift outline-none';
export const menuItemClass =
  'flex h-8 cursor-default select-none items-center gap-2.5 rounded-lg px-2.5 outline-none data-[highlighted]:bg-sunken [&_svg]:size-4 [&_svg]:text-ink-3';

interface ProjectMenuProps {
  project: { readonly id: string; readonly name: string };
  onRename: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
  className?: string;
}

/** What can be done to a project without opening it. */
export function ProjectMenu({ project, onRename, onDuplicate, onDelete, className }: ProjectMenuProps) {
  // What follows takes the focus: a field for the name, or the next card.
  const takesFocus = useRef(false);
  const then = (run: () => void) => () => {
    takesFocus.current = true;
    run();
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton label={texts.home.menu(project.name)} className={className}>
          <MoreHorizontal className="size-4.5" />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className={menuClass}
          onCloseAutoFocus={(event) => {
            if (takesFocus.current) event.preventDefault();
            takesFocus.current = false;
          }}
        >
          <DropdownMenu.Item asChild className={menuItemClass}>
            <a href={projectHref(project.id)} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden="true" />
              {texts.home.openInTab}
            </a>
          </DropdownMenu.Item>
          <Item icon={<PenLine />} keys="F2" onSelect={then(onRename)}>
            {texts.home.rename}
          </Item>
          <Item icon={<Copy />} onSelect={onDuplicate}>
            {texts.home.duplicate}
          </Item>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <Item icon={<Trash2 />} keys="Del" onSelect={then(onDelete)} danger>
            {texts.home.delete}
          </Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface ItemProps {
  icon: ReactNode;
  keys?: string;
  danger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ icon, keys, danger = false, onSelect, children }: ItemProps) {
  return (
    <DropdownMenu.Item onSelect={onSelect} className={cx(menuItemClass, danger && 'text-bad [&_svg]:text-bad!')}>
      <span aria-hidden="true" className="contents">
        {icon}
      </span>
      {children}
      {keys && (
        <span aria-hidden="true" className="ml-auto pl-4 text-ink-3 text-xs pointer-coarse:hidden">
          {keys}
        </span>
      )}
    </DropdownMenu.Item>
  );
}
