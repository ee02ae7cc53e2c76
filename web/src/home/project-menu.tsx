import { Copy, ExternalLink, MoreHorizontal, PenLine, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { projectHref } from '../router.ts';
import { texts } from '../texts.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/menu.tsx';

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
    <Menu
      align="end"
      className="min-w-52"
      onCloseAutoFocus={(event) => {
        if (takesFocus.current) event.preventDefault();
        takesFocus.current = false;
      }}
      trigger={
        <IconButton label={texts.home.menu(project.name)} className={className}>
          <MoreHorizontal className="size-4.5" />
        </IconButton>
      }
    >
      <MenuLink>
        <a href={projectHref(project.id)} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden="true" />
          {texts.home.openInTab}
        </a>
      </MenuLink>
      <MenuItem icon={<PenLine />} keys="F2" onSelect={then(onRename)}>
        {texts.home.rename}
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={onDuplicate}>
        {texts.home.duplicate}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} keys="Del" onSelect={then(onDelete)} danger>
        {texts.home.delete}
      </MenuItem>
    </Menu>
  );
}
