import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../deps.ts';
import type { HostPolicy } from './hosts.ts';

/** CSP for content from a user or a sandbox: no scripts, no plug-ins. */
export const untrustedContentPolicy = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

/** Sets security headers on all responses of the studio's origin. Keeps a CSP that a handler has set. */
export function securityHeaders(hosts: HostPolicy): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    if (!headers.has('content-security-policy')) {
      const policy = [
        "default-src 'self'",
        "script-src 'self'",
        // Component libraries insert style elements. Styles cannot run code.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        `frame-src ${hosts.previewSources()}`,
        "object-src 'none'",
        // The page's own base is the path of the public address.
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ];
      headers.set('content-security-policy', policy.join('; '));
    }
    headers.set('cross-origin-opener-policy', 'same-origin');
    // Previews are untrusted pages on this machine, so they must not load the studio's images or scripts.
    headers.set('cross-origin-resource-policy', 'same-origin');
    headers.set('x-content-type-options', 'nosniff');
    headers.set('x-frame-options', 'DENY');
    headers.set('referrer-policy', 'same-origin');
    headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()');
  };
}

/** Types that a browser may display, by file extension. All others are sent as binary data. */
const shownTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
};
const textExtensions = new Set([
  'ts',
  'tsx',
  'js',
  'jsx',
  'mjs',
  'cjs',
  'json',
  'css',
  'html',
  'md',
  'txt',
  'svg',
  'toml',
  'yaml',
  'yml',
  'gitignore',
]);

/** Returns a project file's content type, which is never an executable type. */
export function fileContentType(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (textExtensions.has(extension)) return 'text/plain; charset=utf-8';
  return shownTypes[extension] ?? 'application/octet-stream';
}

/** Returns headers for a file written by a user, the agent or a sandbox: not executable, not cached. */
export function untrustedHeaders(path: string): Headers {
  return new Headers({
    'content-type': fileContentType(path),
    'content-security-policy': untrustedContentPolicy,
    'cache-control': 'no-store',
  });
}

/** Returns a `Content-Disposition` for a file name with any characters (RFC 6266, RFC 5987). */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\w.-]+/g, '_').replace(/_+(?=\.|$)/, '');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
