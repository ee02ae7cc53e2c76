import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findChromium } from '../../sandbox-image/sandboxd/browser/executables.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

export interface GalleryBrowser {
  open(): Promise<Page>;
  close(): Promise<void>;
}

export async function openGallery(folder: string): Promise<GalleryBrowser> {
  const server = await serve(folder);
  const executablePath = findChromium({ configured: process.env['KODA_TEST_CHROMIUM'] ?? null, path: process.env['PATH'] ?? '' });
  const browser: Browser = await puppeteer.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--hide-scrollbars'],
  });
  return {
    async open() {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/gallery.html?export`);
      await page.waitForFunction('window.__galleryLoaded === true');
      return page;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

async function serve(folder: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = join(folder, normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://gallery').pathname)));
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return server;
}
