import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type BrowserContext, chromium, type Frame, type Page } from '@playwright/test';
import { findOnPath } from '../../sandbox-image/sandboxd/paths.ts';
import { pageCall } from '../fixtures/page-code.ts';
import { studioUrl } from './studio.ts';

/** Exits that leave the page as it is. The first one also causes reports. */
const staying = [
  ...['image', 'fetch', 'beacon', 'socket', 'preconnect', 'prefetch', 'prerender', 'speculation'],
  ...['worker', 'stun', 'ping', 'window', 'link'],
];
/** Exits that may replace the page. */
const leaving = ['form', 'refresh', 'navigation'];
/** Time until a connection has arrived. */
const arrivalMs = 1_500;
/** Time until one that must arrive has arrived on a slow machine. */
const expectedMs = 60_000;
/** Time after which the `Refresh` header below replaces a page. Until then, a slow machine must have loaded it. */
const refreshMs = 6_000;
/** Time until the connection of that header has arrived, too. */
const refreshedMs = refreshMs + 1_000;

/** Opens a complete browser with a profile. Without one, or in the headless shell, Chromium makes no connections in advance. */
export async function openBrowser(): Promise<BrowserContext> {
  const executablePath = findOnPath(['chromium', 'chromium-browser', 'google-chrome'], process.env['PATH'] ?? '');
  if (executablePath === null) throw new Error('Chromium was not found. Install it with: bash scripts/setup/host-tools.sh');
  return await chromium.launchPersistentContext('', {
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--no-first-run'],
    ignoreDefaultArgs: ['--disable-background-networking'],
    reducedMotion: 'reduce',
  });
}

/** Where preview code might send data: an HTTP server, two TCP servers and a UDP socket. */
export async function openExits() {
  const hits = new Set<string>();
  const sockets = new Set<Socket>();
  const countConnections = async (name: string) => {
    const server = createNetServer((socket) => {
      hits.add(name);
      sockets.add(socket.on('error', () => undefined));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const element = await countConnections('preconnect');
  const header = await countConnections('preconnect-header');
  const web = createServer(({ url }, response) => {
    const [, name] = /^\/([\w-]+)/.exec(url ?? '') ?? [];
    if (name !== undefined && name !== 'favicon') hits.add(name);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>elsewhere</title>');
  });
  web.on('upgrade', ({ url }, socket) => {
    hits.add(url?.slice(1) ?? '');
    socket.on('error', () => undefined).destroy();
  });
  web.listen(0, '127.0.0.1');
  const udp = createSocket('udp4', () => hits.add('stun'));
  udp.bind(0);
  await Promise.all([once(web, 'listening'), once(udp, 'listening')]);
  const http = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  // Browsers may leave out the loopback interface.
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const address = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
  const targets = {
    http,
    preconnect: element.origin,
    stun: `${address}:${udp.address().port}`,
  };
  return {
    origin: http,
    /** Headers with which a dev server might open further exits. */
    headers: {
      'Content-Security-Policy': `img-src 'self'; report-uri ${http}/report-uri`,
      'Content-Security-Policy-Report-Only': `img-src 'self'; report-uri ${http}/report-only`,
      'Document-Policy-Report-Only': `sync-xhr=?0; report-to=reports`,
      Link: `<${header.origin}>; rel=preconnect, <${http}/preload>; rel=preload; as=image`,
      NEL: '{"report_to":"reports","max_age":60,"success_fraction":1}',
      'Report-To': `{"group":"reports","max_age":60,"endpoints":[{"url":"${http}/report-to"}]}`,
      'Reporting-Endpoints': `reports="${http}/reporting-endpoints"`,
      'Speculation-Rules': `"${http}/speculation-rules"`,
      Refresh: `${refreshMs / 1_000}; url=${http}/refresh-header`,
    },
    /** Tries every exit in the pages that `open` opens, and returns those that were open. Waits longer for the expected ones. */
    async find(open: () => Promise<Page | Frame>, expected: readonly string[] = []): Promise<string[]> {
      const arrived = async (where: Page | Frame, names: readonly string[], ms: number) => {
        const isMissing = () => names.some((name) => !hits.has(name));
        await where.waitForTimeout(ms);
        for (let waitedMs = 0; isMissing() && waitedMs < expectedMs; waitedMs += arrivalMs) await where.waitForTimeout(arrivalMs);
      };
      hits.clear();
      // A browser connects in advance only if no connection is left.
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      const page = await open();
      // Not awaited, because an exit may replace the page.
      await page.evaluate(`setTimeout(() => ${pageCall('exits.js', targets, staying)}); 0`);
      await arrived(
        page,
        expected.filter((name) => !leaving.includes(name)),
        refreshedMs,
      );
      for (const name of leaving) {
        const next = await open();
        await next.evaluate(`setTimeout(() => ${pageCall('exits.js', targets, [name])}); 0`);
        await arrived(
          next,
          expected.filter((one) => one === name),
          arrivalMs,
        );
      }
      return [...hits].toSorted();
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      for (const { server } of [element, header]) server.close();
      web.closeAllConnections();
      web.close();
      udp.close();
    },
  };
}

interface FrontOptions {
  /** Headers that the front adds, as if Koda let them through. */
  readonly add: Readonly<Record<string, string>>;
  /** Whether the front removes the limit on connections. */
  readonly unlimited: boolean;
}

/** Starts a reverse proxy in front of the studio that changes the headers of previews, to show what they do. */
export async function startFront({ add, unlimited }: FrontOptions) {
  const studio = new URL(studioUrl());
  const change = ({ headers }: IncomingMessage) => {
    const { 'content-security-policy': policy = '', 'connection-allowlist': allowlist, ...rest } = headers;
    const { 'Content-Security-Policy': own = '', ...others } = add;
    const framed = String(policy).replace(/frame-ancestors [^;]*/, 'frame-ancestors *');
    return {
      ...rest,
      ...(unlimited || allowlist === undefined ? {} : { 'connection-allowlist': allowlist }),
      ...others,
      'content-security-policy': `${own}, ${framed}`,
    };
  };
  const server = createServer((incoming, outgoing) => {
    const host = `${incoming.headers.host?.split(':')[0]}:${studio.port}`;
    const { method, url: path } = incoming;
    const inner = request({ host: studio.hostname, port: studio.port, method, path, headers: { ...incoming.headers, host } });
    inner.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, change(response));
      response.pipe(outgoing);
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
