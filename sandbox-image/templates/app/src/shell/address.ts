import { useMemo, useSyncExternalStore } from 'react';

/** The address names the page and holds what a link should show: view, filters, sort, group and the open record. */

const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('popstate', changed);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('popstate', changed);
  };
}

export function usePagePath(): string {
  return useSyncExternalStore(subscribe, () => decodeURIComponent(location.pathname.split('/')[1] ?? ''));
}

export function useQuery(): URLSearchParams {
  const search = useSyncExternalStore(subscribe, () => location.search);
  return useMemo(() => new URLSearchParams(search), [search]);
}

/** Shows another page of the app: `tools` or `tools?filter=kind:is:garden`. */
export function go(path: string): void {
  history.pushState(null, '', `/${path}`);
  changed();
}

/** Changes the query of the address. `push` lets Back return to before, which suits what covers the page. */
export function changeQuery(change: (query: URLSearchParams) => void, { push = false } = {}): void {
  const query = new URLSearchParams(location.search);
  change(query);
  const text = query.toString();
  const url = location.pathname + (text === '' ? '' : `?${text}`);
  if (push) history.pushState(null, '', url);
  else history.replaceState(null, '', url);
  changed();
}

/** Opens the sheet of a record. */
export function openRecord(list: string, id: string): void {
  const isOpen = new URLSearchParams(location.search).has('open');
  changeQuery((query) => query.set('open', `${list}/${id}`), { push: !isOpen });
}

/** Opens the sheet of a record that does not exist yet. `values` are filled in before. */
export function openNew(list: string, values: Readonly<Record<string, unknown>> = {}): void {
  changeQuery(
    (query) => {
      query.set('open', `${list}/new`);
      if (Object.keys(values).length > 0) query.set('with', JSON.stringify(values));
    },
    { push: true },
  );
}

export function closeRecord(): void {
  changeQuery((query) => {
    query.delete('open');
    query.delete('with');
  });
}
