/**
 * Path at which this browser reaches the studio, such as `/koda`, or empty. The server writes it into the page's `<base>`. The
 * shared worker has no document, but its script is in the folder `assets`.
 */
export const basePath =
  typeof document === 'undefined'
    ? basePathOfScript(globalThis.location?.pathname ?? '')
    : new URL(document.baseURI).pathname.replace(/\/$/, '');

export function basePathOfScript(pathname: string): string {
  return /^(.*)\/assets\/[^/]+$/.exec(pathname)?.[1] ?? '';
}

/** Returns the address of one of the studio's paths, from the page or from the API. */
export const addressOf = (path: string): string => basePath + path;

/** Returns the path that `addressOf` turns into this address. */
export function pathOf(address: string, base = basePath): string {
  if (address === base) return '/';
  return address.startsWith(`${base}/`) ? address.slice(base.length) : address;
}

/** Returns the whole address of the studio as this browser reaches it, without a slash at its end. */
export const studioAddress = (): string => window.location.origin + basePath;
