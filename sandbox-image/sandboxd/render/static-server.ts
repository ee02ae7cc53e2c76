import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';

const mimeTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.wasm': 'application/wasm',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
};

export interface StaticServer extends AsyncDisposable {
  readonly origin: string;
}

/** Serves a folder on a free loopback port. Supports byte ranges, which media elements use to seek. */
export async function serveFolder(folder: string): Promise<StaticServer> {
  const root = await realpath(folder);
  const server = createServer((request, response) => {
    answer(root, request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405).end();
    return;
  }
  const file = await locate(root, request.url ?? '/');
  if (!file) {
    response.writeHead(404).end();
    return;
  }
  const range = byteRange(request.headers.range, file.sizeBytes);
  const length = range ? range.end - range.start + 1 : file.sizeBytes;
  response.writeHead(range ? 206 : 200, {
    'content-type': mimeTypes[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
    'content-length': length,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.sizeBytes}` } : {}),
  });
  if (request.method === 'HEAD' || length === 0) {
    response.end();
    return;
  }
  createReadStream(file.path, range ?? {})
    .on('error', () => response.destroy())
    .pipe(response);
}

/** Returns the file for a URL, or `null` if it is missing or outside the folder, whether through `..` or a link. */
async function locate(root: string, url: string): Promise<{ path: string; sizeBytes: number } | null> {
  try {
    const { pathname } = new URL(url, 'http://localhost');
    const name = decodeURIComponent(pathname);
    const path = await realpath(join(root, name.endsWith('/') ? `${name}index.html` : name));
    if (!path.startsWith(root + sep)) return null;
    const found = await stat(path);
    return found.isFile() ? { path, sizeBytes: found.size } : null;
  } catch {
    return null;
  }
}

/** Parses a single byte range, clamped to the file; `null` for the whole file. */
export function byteRange(header: string | undefined, sizeBytes: number): { start: number; end: number } | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || sizeBytes === 0) return null;
  const [, first, last] = match;
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return start <= end ? { start, end } : null;
}
