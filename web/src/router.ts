import { useSyncExternalStore } from 'react';
import { projectIdSchema } from '#contract/ids.ts';
import { addressOf, pathOf } from './address.ts';
import { listenTo } from './ui/hooks.ts';

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'project'; readonly projectId: string }
  | { readonly page: 'settings' }
  | { readonly page: 'schedules' }
  | { readonly page: 'unknown' };

/** Parses the page's paths: `/`, `/settings`, `/schedules` and `/p/:id`, which may name a pane and a conversation, as in `?from=prj_…&tab=code`. */
export function parseRoute(pathname: string): Route {
  if (pathname === '/') return { page: 'home' };
  if (pathname === '/settings') return { page: 'settings' };
  if (pathname === '/schedules') return { page: 'schedules' };
  const match = /^\/p\/([^/]+)\/?$/.exec(pathname);
  return match?.[1] ? { page: 'project', projectId: match[1] } : { page: 'unknown' };
}

/** Returns a project's path. `from`: the conversation to which its page leads back, if any. */
export const projectHref = (projectId: string, from: string | null = null) =>
  from === null ? `/p/${projectId}` : `/p/${projectId}?from=${from}`;

/** Returns the conversation named in an address, or `null`. Ignores anything but a project id. */
export function parseFrom(search: string): string | null {
  return projectIdSchema.safeParse(new URLSearchParams(search).get('from')).data ?? null;
}

/** Returns the pane named in an address, or `null`. */
export function parseTab(search: string): string | null {
  const named = new URLSearchParams(search).get('tab') ?? '';
  return /^[a-z-]{1,40}$/.test(named) ? named : null;
}

/** Returns the search part with another pane. Keeps the conversation and drops the rest. */
export function searchWithTab(search: string, tab: string | null): string {
  const from = parseFrom(search);
  const parts = [...(from === null ? [] : [`from=${from}`]), ...(tab === null ? [] : [`tab=${tab}`])];
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Stores the chosen pane in the address for reloads and links, without a history entry. `null` removes it. */
export function rememberTab(tab: string | null): void {
  const search = searchWithTab(window.location.search, tab);
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

export function useFrom(): string | null {
  return useSyncExternalStore(subscribe, () => parseFrom(window.location.search));
}

export function usePathname(): string {
  return useSyncExternalStore(subscribe, () => pathOf(window.location.pathname));
}
