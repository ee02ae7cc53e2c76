import { useSyncExternalStore } from 'react';
import { addressOf, pathOf } from './address.ts';
import { listenTo } from './ui/hooks.ts';

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'project'; readonly projectId: string }
  | { readonly page: 'settings' }
  | { readonly page: 'schedules' }
  | { readonly page: 'unknown' };

/** Parses the page's paths: `/`, `/settings`, `/schedules` and `/p/:id`, which may name a pane as in `?tab=code`. */
export function parseRoute(pathname: string): Route {
  if (pathname === '/') return { page: 'home' };
  if (pathname === '/settings') return { page: 'settings' };
  if (pathname === '/schedules') return { page: 'schedules' };
  const match = /^\/p\/([^/]+)\/?$/.exec(pathname);
  return match?.[1] ? { page: 'project', projectId: match[1] } : { page: 'unknown' };
}

export const projectHref = (projectId: string) => `/p/${projectId}`;

/** Returns the pane named in an address, or `null`. */
export function parseTab(search: string): string | null {
  const named = new URLSearchParams(search).get('tab') ?? '';
  return /^[a-z-]{1,40}$/.test(named) ? named : null;
}

/** Stores the chosen pane in the address for reloads and links, without a history entry. `null` removes it. */
export function rememberTab(tab: string | null): void {
  const search = tab === null ? '' : `?tab=${tab}`;
  if (window.location.search !== search) window.history.replaceState(window.history.state, '', window.location.pathname + search);
}

const navigated = 'koda:navigated';

/** State of history entries that were reached from another page of the studio. */
const fromStudio = 'koda:from-studio';

/** Shows one of the paths that `parseRoute` parses. */
export function navigate(path: string): void {
  window.history.pushState(fromStudio, '', addressOf(path));
  window.dispatchEvent(new Event(navigated));
}

/** Goes back to the studio's previous page, or to the home page if there is none. */
export function goBack(): void {
  if (window.history.state === fromStudio) window.history.back();
  else navigate('/');
}

const subscribe = (listener: () => void) => listenTo(window, ['popstate', navigated], listener);

export function usePathname(): string {
  return useSyncExternalStore(subscribe, () => pathOf(window.location.pathname));
}
