import { useSyncExternalStore } from 'react';

export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'project'; readonly projectId: string }
  | { readonly page: 'unknown' };

/** The two addresses of the studio: `/` and `/p/:id`. */
export function parseRoute(pathname: string): Route {
  if (pathname === '/') return { page: 'home' };
  const match = /^\/p\/([^/]+)\/?$/.exec(pathname);
  return match?.[1] ? { page: 'project', projectId: match[1] } : { page: 'unknown' };
}

export const projectHref = (projectId: string) => `/p/${projectId}`;

const navigated = 'koda:navigated';

export function navigate(href: string): void {
  window.history.pushState(null, '', href);
  window.dispatchEvent(new Event(navigated));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  window.addEventListener(navigated, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(navigated, listener);
  };
}

export function usePathname(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}
