import { Check, Ellipsis, Eye, Plus, Redo2, Undo2 } from 'lucide-react';
import { Children, createContext, isValidElement, type ReactElement, type ReactNode, useContext, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import type { View, ViewType } from '../../model/document.ts';
import { Boundary } from '../boundary.tsx';
import data from '../data/use-data.ts';
import { useDocument } from '../document.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { exportFile, importFile } from '../views/import-table.tsx';
import { OpenSheet } from '../views/record-sheet.tsx';
import { changeQuery, openNew, useQuery } from './address.ts';
import { showKeys } from './keys.tsx';
import { useIsPhone } from './screen.ts';

interface Frame {
  readonly page: string;
  /** Where a view puts its tools. */
  readonly tools: HTMLElement | null;
}
const FrameContext = createContext<Frame>({ page: '', tools: null });

/** Marks the root of a view, so that the studio finds it. */
export function useViewMark(id: string): { readonly 'data-view': string } {
  return { 'data-view': `${useContext(FrameContext).page}/${id}` };
}

/** Puts a view's tools into the line below the page's head, beside the choice of views. */
export function Tools({ children }: { children: ReactNode }) {
  const { tools } = useContext(FrameContext);
  return tools && createPortal(children, tools);
}

const viewNames: Readonly<Record<ViewType, readonly [string, string]>> = {
  table: ['Table', 'table-2'],
  board: ['Board', 'square-kanban'],
  calendar: ['Calendar', 'calendar-days'],
  cards: ['Cards', 'layout-grid'],
  detail: ['List', 'list'],
  sheet: ['Sheet', 'file-text'],
  form: ['Form', 'clipboard-list'],
  dashboard: ['Overview', 'layout-dashboard'],
  code: ['More', 'sparkles'],
};

/** Views in which a record can be added. */
const adding: readonly ViewType[] = ['table', 'board', 'calendar', 'cards', 'detail', 'sheet'];

interface PageFrameProps {
  readonly id: string;
  /** The page's name in the document if omitted. */
  readonly name?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Head of a page and one of its views at a time; the address says which. A public page shows all of them, one below the other. */
export function PageFrame({ id, name: ownName, actions, children }: PageFrameProps) {
  const page = useDocument().pages.find((entry) => entry.id === id);
  const query = useQuery();
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const frame = useMemo(() => ({ page: id, tools }), [id, tools]);
  const isPhone = useIsPhone();
  const views = Children.toArray(children).filter((child): child is ReactElement<View> => isValidElement(child));
  const chosen = views.find(({ props }) => props.id === query.get('view')) ?? views[0];
  if (chosen === undefined) return null;
  const view = chosen.props;
  const name = ownName ?? page?.name ?? id;
  if (page?.public === true) {
    return (
      <FrameContext value={frame}>
        <div className="public-page">
          {view.view !== 'form' && <h1 className="px-6 pt-6 text-2xl">{name}</h1>}
          {views.map((child) => (
            <Boundary key={child.props.id} name={name}>
              {child}
            </Boundary>
          ))}
        </div>
      </FrameContext>
    );
  }
  const list = 'list' in view && adding.includes(view.view) ? data.listOf(view.list) : null;
  const canAdd = list !== null && !(view.view === 'table' && view.edit === 'off');
  return (
    <FrameContext value={frame}>
      <header className="head">
        <h1>{name}</h1>
        {view.view === 'table' && view.edit === 'off' ? <ReadOnly /> : <SavingState />}
        <span className="flex-1" />
        {actions}
        <HistoryButtons />
        <Menu align="end" trigger={<IconButton label="More" icon={Ellipsis} />}>
          {list && <MenuItem onSelect={() => importFile(list.id)}>Import a table…</MenuItem>}
          {list && <MenuItem onSelect={() => exportFile(list.id)}>Export {list.name} as CSV</MenuItem>}
          {list && <MenuLine />}
          <MenuItem keys="?" onSelect={showKeys}>
            Keys
          </MenuItem>
        </Menu>
        {canAdd && !isPhone && (
          <Button kind="primary" icon={Plus} data-key="n" onClick={() => openNew(list.id)}>
            New {list.one}
          </Button>
        )}
      </header>
      <div className="bar" data-bar>
        {views.length > 1 && <ViewTabs views={views.map(({ props }) => props)} chosen={view.id} />}
        <div className="tools" ref={setTools} />
      </div>
      <Boundary key={view.id} name={name}>
        {chosen}
      </Boundary>
      {canAdd && isPhone && (
        <button type="button" className="fab" aria-label={`New ${list.one}`} data-key="n" onClick={() => openNew(list.id)}>
          <Icon of={Plus} size={24} />
        </button>
      )}
      <OpenSheet readOnly={view.view === 'table' && view.edit === 'off'} />
    </FrameContext>
  );
}

function ViewTabs({ views, chosen }: { views: readonly View[]; chosen: string }) {
  return (
    <fieldset className="segments">
      <legend className="sr-only">View</legend>
      {views.map((view) => {
        const [name, icon] = viewNames[view.view];
        const count = views.filter((other) => other.view === view.view).length;
        const label = view.view === 'code' && view.title !== undefined ? view.title : name;
        return (
          <button
            key={view.id}
            type="button"
            aria-pressed={view.id === chosen}
            onClick={() => changeQuery((query) => query.set('view', view.id))}
          >
            <Icon name={icon} />
            {count > 1 ? view.id.replaceAll('-', ' ') : label}
          </button>
        );
      })}
    </fieldset>
  );
}

function ReadOnly() {
  return (
    <span className="saved">
      <Icon of={Eye} size={14} />
      Read only
    </span>
  );
}

const states = {
  saved: 'All changes saved',
  saving: 'Saving…',
  offline: 'Waiting for the connection',
  failed: 'Not saved',
  conflict: 'Not all saved',
};

function SavingState() {
  const { state } = data.useStatus();
  return (
    <span className="saved" data-state={state}>
      {state === 'saved' && <Icon of={Check} size={14} />}
      <span>{states[state]}</span>
    </span>
  );
}

function HistoryButtons() {
  const { canUndo, canRedo } = data.useStatus();
  return (
    <>
      <IconButton label="Undo" icon={Undo2} disabled={!canUndo} onClick={() => data.undo()} />
      <IconButton label="Redo" icon={Redo2} className="redo" disabled={!canRedo} onClick={() => data.redo()} />
    </>
  );
}
