import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createRawServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { controlSocketName } from '#contract/sandboxd.ts';
import { sandboxClient } from './client.ts';
import type { Sandbox } from './sandbox.ts';

const { signal } = new AbortController();
const picture = { seekToSeconds: 0, width: 16, height: 16, format: 'jpeg' } as const;
const sentBytes = 5 * 1024 * 1024;

let folder: string;
let server: Server;
let client: Sandbox;

/** Sandbox that sends too much data in response to every call. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'koda-hostile-'));
  server = createServer((_request, response) => {
    response.end(`{"picture":{"mediaType":"image/jpeg","base64":"${'A'.repeat(sentBytes)}"}}`);
  }).listen(join(folder, controlSocketName));
  await once(server, 'listening');
  client = sandboxClient({ sandboxId: 'sbx_1', projectId: 'prj_1', socketDir: folder, token: 'x' });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('oversized responses of a sandbox', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a screenshot', () => client.screenshot(picture, { signal })],
    ['a picture of a file', () => client.readImage({ path: 'a.png', maxSide: 16, page: 1 }, { signal })],
    ['a picture of a page', () => client.browse({ action: 'screenshot', waitMs: 0 }, { signal })],
    ['a thumbnail', () => client.renderThumbnail('rnd_1', { signal })],
    [
      'a report on the frames',
      () => client.inspect({ atSeconds: [], width: 16, height: 16, parameterSets: [], contactSheet: true }, { signal }),
    ],
  ])('T5: as %s is not read to the end', async (_what, ask) => {
    // Does not return the response itself, which a failing test would print.
    const outcome = await ask().then(() => 'it was read', String);
    expect(outcome).toContain('more than 4194304 bytes');
  });

  it('X3: closes the connection of a stream without an offset', async () => {
    await expect(client.shellStream('a', { signal, offset: 0 })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    await vi.waitFor(async () => expect(await promisify(server.getConnections.bind(server))()).toBe(0));
  });
});

/** Creates a sandbox whose first response is written by `answer`, which ends when the client disconnects. */
async function withAnswer(
  answer: (write: (bytes: string | Buffer) => Promise<void>) => Promise<void>,
  ask: (client: Sandbox) => Promise<unknown>,
): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'koda-hostile-'));
  const hostile = createRawServer((socket) => {
    const write = (bytes: string | Buffer) =>
      new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
    socket.on('error', () => socket.destroy()).once('data', () => void answer(write).catch(() => socket.destroy()));
  }).listen(join(place, controlSocketName));
  await once(hostile, 'listening');
  try {
    await ask(sandboxClient({ sandboxId: 'sbx_1', projectId: 'prj_1', socketDir: place, token: 'x' }));
  } finally {
    hostile.close();
    rmSync(place, { recursive: true, force: true });
  }
}

const chunkedHead = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('responses of a sandbox that try to keep the server busy', () => {
  it.each([
    ['a list of millions of numbers', `{"complete":true,"files":[${'0,'.repeat(4_000_000)}0]}`],
    ['a list of millions of lists', `{"complete":true,"files":[${'[],'.repeat(4_000_000)}[]]}`],
    ['a nest of lists', `{"complete":true,"files":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('X3: is dead, at once and in a few words: %s', async (_what, json) => {
    await withAnswer(
      (write) => write(`HTTP/1.1 200 OK\r\nContent-Length: ${json.length}\r\n\r\n${json}`),
      async (asked) => {
        const outcome = await asked.listFiles('', { signal, recursive: true }).then(() => 'it was read', String);
        expect(outcome).toContain('too many values');
        expect(outcome.length).toBeLessThan(1000);
      },
    );
  });

  it('A15: truncates the dev server log to its end, which is stored as an event', async () => {
    const json = JSON.stringify({ state: 'failed', port: null, log: `${'x'.repeat(900_000)}the end` });
    await withAnswer(
      (write) => write(`HTTP/1.1 200 OK\r\nContent-Length: ${json.length}\r\n\r\n${json}`),
      async (asked) => {
        const { log } = await asked.startPreview({ signal });
        expect(log.length).toBe(16_384);
        expect(log.endsWith('the end')).toBe(true);
      },
    );
  });

  it('X3: does not pass on errors with deeply nested details', async () => {
    const json = `{"error":{"code":"A","message":"b","details":{"c":${'['.repeat(20_000)}${']'.repeat(20_000)}}}}`;
    await withAnswer(
      (write) => write(`HTTP/1.1 400 X\r\nContent-Length: ${json.length}\r\n\r\n${json}`),
      async (asked) => {
        await expect(asked.health({ signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
      },
    );
  });

  it('X3: reads a long line of single-byte chunks in linear time', async () => {
    // 400,000 characters, each in its own chunk. Scanning the whole line again for every chunk would take minutes.
    const line = `${chunkedHead}${'1\r\nx\r\n'.repeat(400_000)}1\r\n\n\r\n`;
    await withAnswer(
      (write) => write(line),
      async (asked) => {
        const events = asked.exec({ command: 'x', cwd: null, env: {}, timeoutMs: 60_000 }, { signal });
        await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({
          message: expect.stringContaining('not JSON'),
        });
      },
    );
  }, 20_000);

  it('X3: abandons a line without an end at its limit', async () => {
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    await withAnswer(
      async (write) => {
        await write(chunkedHead);
        for (;;) await write(piece);
      },
      async (asked) => {
        const events = asked.exec({ command: 'x', cwd: null, env: {}, timeoutMs: 60_000 }, { signal });
        await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({
          message: expect.stringContaining('a line of more than 1048576 bytes'),
        });
      },
    );
  });
});

describe('malformed responses of a sandbox', () => {
  it.each([
    ['an upgrade', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['an upgrade in name only', 'HTTP/1.1 101 X\r\n\r\n'],
    ['a number that is none', 'HTTP/1.1 000 X\r\nContent-Length: 2\r\n\r\n{}'],
    ['no HTTP', '\0\0\0\r\n\r\n'],
    ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}`],
  ])('X3: is dead, and keeps nobody waiting: %s', async (_what, answer) => {
    const place = mkdtempSync(join(tmpdir(), 'koda-hostile-'));
    const hostile = createRawServer((socket) => {
      socket.on('error', () => socket.destroy()).once('data', () => socket.write(answer, 'latin1'));
    }).listen(join(place, controlSocketName));
    await once(hostile, 'listening');
    try {
      const asked = sandboxClient({ sandboxId: 'sbx_1', projectId: 'prj_1', socketDir: place, token: 'x' });
      await expect(asked.health({ signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    } finally {
      hostile.close();
      rmSync(place, { recursive: true, force: true });
    }
  });
});
