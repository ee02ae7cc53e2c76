import { useSyncExternalStore } from 'react';

/** Where the page is: `/tools?kind=hand`. Filters, sorting and the open record are in the query, so a link shows the same. */
export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Begins the paths of pages for whoever builds the app: `/_data/<list>` and `/_data/_sql`. They are in no navigation. */
export const dataPath = '_data';

const listeners = new Set<() => void>();
let current = read();

function read(): Location {
  return { path: window.location.pathname, query: new URLSearchParams(window.location.search) };
}

function changed(): void {
  current = read();
  for (const listener of listeners) listener();
}

window.addEventListener('popstate', changed);

/** Calls the listener after each navigation, until the returned function is called. */
export function onNavigate(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useLocation = (): Location => useSyncExternalStore(onNavigate, () => current);

/** Goes to an address of this app: `/tools?kind=hand`. `replace` adds no step to the history. */
export function navigate(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const url = new URL(address, window.location.origin);
  if (url.origin !== window.location.origin) throw new Error(`${address} is no address of this app.`);
  if (url.href === window.location.href) return;
  if (replace) window.history.replaceState(null, '', url);
  else window.history.pushState(null, '', url);
  changed();
}

/** Sets values in the query of the present address, and removes those that are `null`. Adds no step to the history. */
export function setQuery(values: Readonly<Record<string, string | null>>): void {
  const query = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(`${window.location.pathname}${text ? `?${text}` : ''}`, { replace: true });
}
