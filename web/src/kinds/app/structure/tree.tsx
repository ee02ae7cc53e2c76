import { AppWindow, ChevronDown, ChevronRight, Database, File, Palette, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { AppDocument, Page, View } from '../../../../../sandbox-image/templates/app/model/document.ts';
import { cx, IconButton } from '../../../ui/elements.tsx';
import type { Selection } from '../app-store.ts';
import { views } from '../home/catalogue.ts';

interface TreeProps {
  document: AppDocument;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onAddPage: () => void;
  onAddList: () => void;
  onAddView: (page: string) => void;
}

/** Returns what a view is called where its page is known: its title, or its type. */
export function viewName(view: View): string {
  const title = view.view === 'form' || view.view === 'code' ? view.title : undefined;
  return title || views[view.view].name;
}

/** Pages with their views, lists and the app. ↑ and ↓ move between the rows. */
export function StructureTree({ document, selection, onSelect, onAddPage, onAddList, onAddView }: TreeProps) {
  return (
    <nav aria-label="Structure" onKeyDown={moveFocus} className="overflow-y-auto px-2.5 py-3 text-sm max-pane:shrink-0">
      <Heading text="Pages and views" action="Add a page" onAction={onAddPage} />
      <ul>
        {document.pages.map((page) => (
          <PageRows key={page.id} page={page} selection={selection} onSelect={onSelect} onAddView={() => onAddView(page.id)} />
        ))}
      </ul>
      <Heading text="Lists" action="Add a list" onAction={onAddList} />
      <ul>
        {document.lists.map(({ id, name }) => (
          <Item
            key={id}
            icon={<Database />}
            isSelected={selection.kind === 'list' && selection.list === id}
            onSelect={() => onSelect({ kind: 'list', list: id })}
          >
            {name}
          </Item>
        ))}
      </ul>
      <Heading text="App" />
      <ul>
        <Item icon={<Palette />} isSelected={selection.kind === 'app'} onSelect={() => onSelect({ kind: 'app' })}>
          Look
        </Item>
      </ul>
    </nav>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (by === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = window.document.activeElement;
  const at = focused instanceof HTMLElement ? rows.indexOf(focused) : -1;
  const next = rows[at + by];
  if (at < 0 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

function Heading({ text, action, onAction }: { text: string; action?: string; onAction?: () => void }) {
  return (
    <div className="mt-2 flex h-8 items-center justify-between pl-2 first:mt-0">
      <h2 className="font-medium text-ink-3 text-xs">{text}</h2>
      {action !== undefined && <IconButton icon={Plus} label={action} onClick={onAction} className="size-7" />}
    </div>
  );
}

interface PageRowsProps {
  page: Page;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onAddView: () => void;
}

function PageRows({ page, selection, onSelect, onAddView }: PageRowsProps) {
  const [open, setOpen] = useState(true);
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li>
      <div className="group flex items-center">
        <IconButton
          icon={Chevron}
          label={open ? `Hide the views of ${page.name}` : `Show the views of ${page.name}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="size-6"
        />
        <RowButton
          icon={page.public ? <AppWindow /> : <File />}
          isSelected={selection.kind === 'page' && selection.page === page.id}
          onSelect={() => onSelect({ kind: 'page', page: page.id })}
          className="font-medium text-ink"
        >
          {page.name}
        </RowButton>
        <IconButton
          icon={Plus}
          label={`Add a view to ${page.name}`}
          onClick={onAddView}
          className="size-7 opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
        />
      </div>
      {open && (
        <ul className="pl-6">
          {page.views.map((view) => {
            const Icon = views[view.view].icon;
            return (
              <Item
                key={view.id}
                icon={<Icon />}
                isSelected={selection.kind === 'view' && selection.page === page.id && selection.view === view.id}
                onSelect={() => onSelect({ kind: 'view', page: page.id, view: view.id })}
              >
                {viewName(view)}
              </Item>
            );
          })}
        </ul>
      )}
    </li>
  );
}

interface RowProps {
  icon: ReactNode;
  isSelected: boolean;
  onSelect: () => void;
  className?: string;
  children: ReactNode;
}

function Item(props: RowProps) {
  return (
    <li>
      <RowButton {...props} />
    </li>
  );
}

function RowButton({ icon, isSelected, onSelect, className = 'text-ink-2', children }: RowProps) {
  return (
    <button
      type="button"
      data-row
      aria-current={isSelected ? 'true' : undefined}
      onClick={onSelect}
      className={cx(
        'flex h-8 w-full min-w-0 flex-1 items-center gap-2 rounded-lg px-2 text-left [&_svg]:size-4 [&_svg]:shrink-0',
        isSelected ? 'bg-accent-soft font-medium text-accent-text' : cx(className, 'hover:bg-sunken'),
      )}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </button>
  );
}
