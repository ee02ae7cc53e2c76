import { useState } from 'react';
import type { AppDocument, List, Page, View } from '../../../../../sandbox-image/templates/app/model/document.ts';
import type { Edit } from '../../../../../sandbox-image/templates/app/model/edits.ts';
import { idFrom, singularOf } from '../../../../../sandbox-image/templates/app/model/ids.ts';
import { viewFor } from '../../../../../sandbox-image/templates/app/model/views.ts';
import { ErrorNotice, Waiting } from '../../../ui/elements.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useAppState, useAppStore } from '../app-store.ts';
import { ListPanel } from './list-panel.tsx';
import { LookPanel } from './look-panel.tsx';
import { PagePanel } from './page-panel.tsx';
import { StructureTree } from './tree.tsx';
import { ViewPanel } from './view-panel.tsx';
import { ViewPicker } from './view-picker.tsx';

/** What the picker of views was opened for. `page`: where the view is added; a page is added for it if there is none. */
interface Picking {
  readonly listId: string;
  readonly page: string | null;
  /** The view that is replaced. */
  readonly replaced: View | null;
}

/** The picker of views is shared by the tree and the properties. */
export function usePicking() {
  return useState<Picking | null>(null);
}

interface SideProps {
  picking: ReturnType<typeof usePicking>;
}

/** The tree at the left. */
export function StructureSide({ picking: [, setPicking] }: SideProps) {
  const store = useAppStore();
  const document = useAppState((state) => state.document);
  const selection = useAppState((state) => state.selection);
  const readError = useAppState((state) => state.readError);
  if (document === null) {
    if (readError) return <ErrorNotice error={readError} onRetry={() => void store.read()} className="m-3" />;
    return <Waiting className="p-4">Reading the app…</Waiting>;
  }
  return (
    <StructureTree
      document={document}
      selection={selection}
      onSelect={(next) => store.select(next)}
      onAddPage={() => addPage(document)}
      onAddList={() => addList(document)}
      onAddView={(pageId) => setPicking({ listId: listOf(document, pageId), page: pageId, replaced: null })}
    />
  );

  function addPage(current: AppDocument): void {
    const [list] = current.lists;
    const found = list === undefined ? null : viewFor('table', list, current);
    if (found === null || !('view' in found)) return;
    const page: Page = {
      id: idFrom('New page', new Set(current.pages.map(({ id }) => id)), 'page'),
      name: 'New page',
      views: [found.view],
    };
    const problem = store.edit([{ type: 'add-page', page }]);
    if (problem === null) store.select({ kind: 'page', page: page.id });
    else toast(problem);
  }

  function addList(current: AppDocument): void {
    const used = new Set(current.lists.map(({ id }) => id));
    const id = idFrom('New list', used, 'list');
    const list: List = { id, name: 'New list', one: singularOf('Entries'), fields: [{ id: 'name', name: 'Name', type: 'text' }] };
    const problem = store.edit([{ type: 'add-list', list }]);
    if (problem === null) store.select({ kind: 'list', list: id });
    else toast(problem);
  }
}

/** Returns the list that a page shows first. */
function listOf({ pages, lists }: AppDocument, pageId: string): string {
  const views = pages.find(({ id }) => id === pageId)?.views ?? [];
  const shown = views.flatMap((view) => ('list' in view ? [view.list] : []));
  return shown[0] ?? lists[0]?.id ?? '';
}

/** The properties of what is selected, at the right. */
export function Inspector({ picking: [picking, setPicking] }: SideProps) {
  const store = useAppStore();
  const document = useAppState((state) => state.document);
  const selection = useAppState((state) => state.selection);
  if (document === null) return null;
  const edit: typeof store.edit = (edits, group) => {
    const problem = store.edit(edits, group);
    if (problem !== null) toast(problem);
    return problem;
  };
  const choose = ({ page: pageId, replaced }: Picking, chosen: View) => {
    setPicking(null);
    const place = replaced === null ? addView(document, pageId, chosen) : null;
    if (place !== null) {
      if (edit(place.edits) === null) store.select({ kind: 'view', page: place.page, view: chosen.id });
    } else if (replaced !== null && pageId !== null) {
      edit([{ type: 'set-view', page: pageId, view: { ...chosen, id: replaced.id }, was: replaced }]);
    }
  };
  const undo = () => store.undo();
  const page = 'page' in selection ? document.pages.find(({ id }) => id === selection.page) : undefined;
  const view = selection.kind === 'view' ? page?.views.find(({ id }) => id === selection.view) : undefined;
  const list = selection.kind === 'list' ? document.lists.find(({ id }) => id === selection.list) : undefined;
  const key = JSON.stringify(selection);
  return (
    <aside
      key={key}
      aria-label="Properties"
      className="flex flex-col overflow-y-auto border-line bg-ground px-4 py-3.5 max-pane:shrink-0 max-pane:border-t pane:border-l"
    >
      {page !== undefined && view !== undefined && (
        <ViewPanel
          document={document}
          page={page}
          view={view}
          edit={edit}
          onAllViews={() =>
            setPicking({ listId: 'list' in view ? view.list : listOf(document, page.id), page: page.id, replaced: view })
          }
        />
      )}
      {page !== undefined && view === undefined && (
        <PagePanel
          document={document}
          page={page}
          edit={edit}
          undo={undo}
          onAddView={() => setPicking({ listId: listOf(document, page.id), page: page.id, replaced: null })}
        />
      )}
      {list !== undefined && (
        <ListPanel
          document={document}
          list={list}
          edit={edit}
          undo={undo}
          onAddView={() => setPicking({ listId: list.id, page: pageShowing(document, list.id), replaced: null })}
        />
      )}
      {selection.kind === 'app' && <LookPanel document={document} edit={edit} />}
      {picking !== null && (
        <ViewPicker
          document={document}
          listId={picking.listId}
          replaces={picking.replaced !== null}
          onChoose={(chosen) => choose(picking, chosen)}
          onClose={() => setPicking(null)}
        />
      )}
    </aside>
  );
}

/** Returns the first page that shows the list, or `null`. */
function pageShowing({ pages }: AppDocument, listId: string): string | null {
  return pages.find(({ views }) => views.some((view) => 'list' in view && view.list === listId))?.id ?? null;
}

/** Returns the edits that add a view to a page, or to a new page of its own if there is none or the page is full. */
function addView(document: AppDocument, pageId: string | null, view: View): { readonly page: string; readonly edits: Edit[] } {
  const page = document.pages.find(({ id }) => id === pageId);
  if (page !== undefined && page.views.length < maxViews)
    return { page: page.id, edits: [{ type: 'add-view', page: page.id, view }] };
  const name = ('list' in view ? document.lists.find(({ id }) => id === view.list)?.name : undefined) ?? 'New page';
  const id = idFrom(name, new Set(document.pages.map((one) => one.id)), 'page');
  return { page: id, edits: [{ type: 'add-page', page: { id, name, views: [view] } }] };
}

/** Views that a page holds. */
const maxViews = 8;
