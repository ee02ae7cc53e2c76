import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './deps.ts';
import type { HostPolicy } from './hosts.ts';

/** Bytes that came from a user or a sandbox are shown as data: no script, no plug-in, no sniffing. */
export const untrustedContentPolicy = "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

/** Headers of everything the studio's own origin sends. A handler that set its own CSP keeps it. */
export function securityHeaders(hosts: HostPolicy): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    if (!headers.has('content-security-policy')) {
      const policy = [
        "default-src 'self'",
        "script-src 'self'",
        // Component libraries place style elements; style cannot run code.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        `frame-src ${hosts.previewSources()}`,
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ];
      headers.set('content-security-policy', policy.join('; '));
    }
    headers.set('cross-origin-opener-policy', 'same-origin');
    // Previews are hostile pages on this machine: they must not even load our images or scripts.
    headers.set('cross-origin-resource-policy', 'same-origin');
    headers.set('x-content-type-options', 'nosniff');
    headers.set('x-frame-options', 'DENY');
    headers.set('referrer-policy', 'same-origin');
    headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()');
  };
}

/** File endings whose bytes a browser may show as what they are; everything else is plain bytes. */
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
const textEndings = new Set([
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

/** The content type under which a project's file is served: never one that runs. */
function fileContentType(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (textEndings.has(ending)) return 'text/plain; charset=utf-8';
  return shownTypes[ending] ?? 'application/octet-stream';
}

/** Headers of a file that a user, the agent or a sandbox wrote: shown as data, kept by no cache. */
export function untrustedHeaders(path: string): Headers {
  return new Headers({
    'content-type': fileContentType(path),
    'content-security-policy': untrustedContentPolicy,
    'cache-control': 'no-store',
  });
}

/** `Content-Disposition` for a download whose name may hold any character (RFC 6266, RFC 5987). */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\w.-]+/g, '_').replace(/_+(?=\.|$)/, '');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
