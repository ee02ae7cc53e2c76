import type { AppDocument, List, Page, ViewType } from '../../../../sandbox-image/templates/app/model/document.ts';
import { idFrom } from '../../../../sandbox-image/templates/app/model/ids.ts';
import { viewFor } from '../../../../sandbox-image/templates/app/model/views.ts';

/** Views that stand on the page of their list. The others have a page of their own. */
const sharesPage = (type: ViewType) => type !== 'dashboard' && type !== 'form' && type !== 'code';

const pageIcons: Partial<Record<ViewType, string>> = { dashboard: 'chart-column', form: 'square-pen' };

/** Adds a view of a list, if the list has what it needs. */
export function withView(document: AppDocument, type: ViewType, list: List): AppDocument {
  const found = viewFor(type, list, document);
  if ('missing' in found) return document;
  const { view } = found;
  const own = document.pages.find(
    ({ views }) => views.length < 8 && views.some((one) => sharesPage(one.view) && 'list' in one && one.list === list.id),
  );
  if (sharesPage(type) && own !== undefined)
    return {
      ...document,
      pages: document.pages.map((page) => (page === own ? { ...page, views: [...page.views, view] } : page)),
    };
  const name = pageNameOf(type, list, document);
  const page: Page = {
    id: idFrom(name, new Set(document.pages.map(({ id }) => id)), 'page'),
    name,
    icon: pageIcons[type] ?? 'list',
    ...(type === 'form' && { public: true }),
    views: [view],
  };
  return { ...document, pages: [...document.pages, page] };
}

/** Shows a field in the tables of its list that show only some. */
export function shownIn(document: AppDocument, added: { readonly list: string; readonly field: string }): AppDocument {
  const pages = document.pages.map((page) => ({
    ...page,
    views: page.views.map((view) =>
      view.view === 'table' && view.list === added.list && view.fields !== undefined
        ? { ...view, fields: [...view.fields, added.field] }
        : view,
    ),
  }));
  return { ...document, pages };
}

function pageNameOf(type: ViewType, list: List, { lists }: AppDocument): string {
  if (type === 'dashboard') return lists.length === 1 ? 'Overview' : `${list.name} overview`.slice(0, 60);
  return type === 'form' ? `${list.name} form`.slice(0, 60) : list.name;
}
