import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { connectToSandboxSocket, SandboxSocketAgent } from '../../server/sandbox/socket-agent.ts';
import { providerKinds, shell, signal, type TestProvider, testProvider } from '../fixtures/sandbox.ts';

describe.each(providerKinds)('dev server and preview socket: %s', (kind) => {
  let place: TestProvider;
  let sandbox: Sandbox;

  beforeAll(async () => {
    place = testProvider(kind);
    ({ sandbox } = await place.create());
    await sandbox.init({ template: 'film' }, { signal });
  });
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
  });

  const open = (path: string, headers: Record<string, string> = {}): ClientRequest =>
    request({
      agent: new SandboxSocketAgent(sandbox.previewSocketPath, {}),
      path,
      headers: { host: 'preview.localhost', ...headers },
    });
  const fetchText = async (path: string) => {
    const outgoing = open(path, { accept: '*/*' });
    outgoing.end();
    const [response] = await once(outgoing, 'response');
    return { status: response.statusCode as number, body: await text(response) };
  };
  const upgrade = async (path: string, protocol: string) => {
    const key = randomBytes(16).toString('base64');
    const outgoing = open(path, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': key,
      'sec-websocket-version': '13',
      'sec-websocket-protocol': protocol,
    });
    outgoing.end();
    const [response, socket, head] = (await once(outgoing, 'upgrade')) as [{ headers: Record<string, string> }, Duplex, Buffer];
    // Puts bytes after the response head back, so that they are read as messages.
    socket.unshift(head);
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    expect(response.headers['sec-websocket-accept']).toBe(accept);
    return socket;
  };
  /** Collects what a server sends over a WebSocket; its frames contain unmasked text. */
  const listen = (socket: Duplex) => {
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8');
    });
    return () => received;
  };

  it('A15: is stopped at first, and its socket closes connections', async () => {
    expect(await sandbox.previewStatus({ signal })).toMatchObject({ state: 'stopped', port: null });
    await expect(fetchText('/')).rejects.toThrow(/hang up|ECONNRESET|EPIPE/);
  });

  it('A15: starts the dev server once for all callers, and serves the page over the socket', async () => {
    const started = await Promise.all([sandbox.startPreview({ signal }), sandbox.startPreview({ signal })]);
    expect(started[0]).toMatchObject({ state: 'running', port: expect.any(Number) });
    expect(started[1]?.port).toBe(started[0]?.port);
    const page = await fetchText('/');
    expect(page.status).toBe(200);
    expect(page.body).toContain('/@vite/client');
    expect((await fetchText('/src/main.tsx')).status).toBe(200);
  });

  it('A15: forwards WebSockets: the page receives an edit at once', async () => {
    const token = /wsToken = "([^"]+)"/.exec((await fetchText('/@vite/client')).body)?.[1];
    const socket = await upgrade(`/?token=${token}`, 'vite-hmr');
    const received = listen(socket);
    try {
      await expect.poll(received).toContain('"connected"');
      await sandbox.writeFile('src/koda-probe.ts', Buffer.from('export const one = 1;\n'), { signal });
      // A module is watched once the page has requested it.
      await fetchText('/src/koda-probe.ts');
      // The first edit may come before the watcher has discovered the file.
      for (let edit = 1; !/"(update|full-reload)"/.test(received()); edit++) {
        await sandbox.writeFile('src/koda-probe.ts', Buffer.from(`export const edits = ${edit};\n`), { signal });
        await delay(500);
      }
    } finally {
      socket.destroy();
    }
  });

  it('transfers a large body completely, despite many aborted connections', async () => {
    await shell(sandbox, 'head -c 20000000 /dev/zero | tr "\\0" "k" > public/large.txt');
    // Until its watcher has found a new public file, Vite responds with the page.
    await expect.poll(async () => (await fetchText('/large.txt')).body.length).toBe(20_000_000);
    for (let count = 0; count < 100; count++) {
      const socket = connectToSandboxSocket(sandbox.previewSocketPath);
      socket.on('error', () => undefined);
      socket.write('GET /large.txt HTTP/1.1\r\nHost: preview.localhost\r\n\r\n');
      await Promise.race([once(socket, 'data'), delay(2_000)]);
      socket.destroy();
    }
    expect((await fetchText('/')).status).toBe(200);
  });

  it('A8: reports a dead dev server and restarts it', async () => {
    const { port } = await sandbox.previewStatus({ signal });
    await shell(sandbox, `pkill -KILL -f -- "[-]-port ${port}" || kill -KILL $(pgrep -f -- "[-]-port ${port}")`);
    await expect.poll(async () => (await sandbox.previewStatus({ signal })).state).toBe('failed');
    await expect.poll(async () => (await sandbox.previewStatus({ signal })).log).toContain('SIGKILL');
    expect(await sandbox.startPreview({ signal })).toMatchObject({ state: 'running' });
    expect((await fetchText('/')).status).toBe(200);
  });

  it('stops on request', async () => {
    expect(await sandbox.stopPreview({ signal })).toMatchObject({ state: 'stopped', port: null });
    await expect(fetchText('/')).rejects.toThrow(/hang up|ECONNRESET|EPIPE/);
    expect(await sandbox.stopPreview({ signal })).toMatchObject({ state: 'stopped' });
  });

  it('A8: refuses a project that cannot be served with the log, and recovers once it is fixed', async () => {
    const config = await shell(sandbox, 'cat vite.config.ts');
    await sandbox.writeFile('vite.config.ts', Buffer.from('throw new Error("broken on purpose");\n'), { signal });
    await expect(sandbox.startPreview({ signal })).rejects.toMatchObject({
      code: 'SERVER_FAILED',
      details: { log: expect.stringContaining('broken on purpose') },
    });
    expect(await sandbox.previewStatus({ signal })).toMatchObject({
      state: 'failed',
      log: expect.stringContaining('broken on purpose'),
    });
    await sandbox.writeFile('vite.config.ts', Buffer.from(config), { signal });
    expect(await sandbox.startPreview({ signal })).toMatchObject({ state: 'running' });
  });

  it('A10: a cancelled start is no failure, and the next caller gets the server', async () => {
    await sandbox.stopPreview({ signal });
    const abort = new AbortController();
    const starting = sandbox.startPreview({ signal: abort.signal });
    abort.abort();
    await expect(starting).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await sandbox.startPreview({ signal })).toMatchObject({ state: 'running' });
  });
});
