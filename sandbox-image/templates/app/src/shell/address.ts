import type { Values } from '../../model/record.ts';
import { navigate, useLocation } from '../router.ts';

/** What the query of the address holds, so that a link shows the same: view, search, filters, sort, group and the open record. */
export const useQuery = (): URLSearchParams => useLocation().query;

/** Changes the query of the address. `push` lets Back return to before, which suits what covers the page. */
export function changeQuery(change: (query: URLSearchParams) => void, { push = false } = {}): void {
  const query = new URLSearchParams(window.location.search);
  change(query);
  const text = query.toString();
  navigate(window.location.pathname + (text === '' ? '' : `?${text}`), { replace: !push });
}

/** Opens the sheet of a record. */
export function openRecord(list: string, id: string): void {
  const isOpen = new URLSearchParams(window.location.search).has('open');
  changeQuery((query) => query.set('open', `${list}/${id}`), { push: !isOpen });
}

/** Opens the sheet of a record that does not exist yet. `values` are filled in before. */
export function openNew(list: string, values: Values = {}): void {
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
