import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createRawServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { controlSocketName } from '#contract/sandbox/answers.ts';
import { sandboxClient } from './client.ts';
import type { Sandbox } from './sandbox.ts';

const { signal } = new AbortController();
const picture = { seekToSeconds: 0, width: 16, height: 16, format: 'jpeg' } as const;
const mebibyte = 1024 * 1024;
const sentBytes = 21 * mebibyte;

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
  it.each<[string, () => Promise<unknown>, mebibytes?: number]>([
    ['a screenshot', () => client.screenshot(picture, { signal }), 20],
    ['a picture of a file', () => client.readImage({ path: 'a.png', maxSide: 16, page: 1 }, { signal })],
    ['a picture of a page', () => client.browse({ action: 'screenshot', waitMs: 0 }, { signal })],
    ['a thumbnail', () => client.renderThumbnail('rnd_1', { signal })],
    [
      'a report on the frames',
      () => client.inspect({ atSeconds: [], width: 16, height: 16, parameterSets: [], contactSheet: true }, { signal }),
    ],
  ])('T5: as %s is not read to the end', async (_what, ask, mebibytes = 4) => {
    // Does not return the response itself, which a failing test would print.
    const outcome = await ask().then(() => 'it was read', String);
    expect(outcome).toContain(`more than ${mebibytes * mebibyte} bytes`);
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
    ['a list of millions of numbers', `{"console":[${'0,'.repeat(500_000)}0]}`, 'too many values'],
    ['a list of many lists', `{"console":[${'[],'.repeat(300_000)}[]]}`, 'too many values'],
    ['many fields', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`, 'too many values'],
    ['a nest of lists', `{"console":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'too many levels'],
    ['unbalanced brackets', ']'.repeat(1_000_000), 'not JSON'],
    ['a text without an end', `"${'\\u0041'.repeat(170_000)}`, 'not JSON'],
  ])('H5: rejects a report unparsed and in a few words: %s', async (_what, json, reason) => {
    await withAnswer(
      (write) => write(`HTTP/1.1 200 OK\r\nContent-Length: ${json.length}\r\n\r\n${json}`),
      async (asked) => {
        const request = { atSeconds: [], width: 16, height: 16, parameterSets: [], contactSheet: false };
        const outcome = await asked.inspect(request, { signal }).then(() => 'it was read', String);
        expect(outcome).toContain(reason);
        expect(outcome.length).toBeLessThan(1000);
      },
    );
  });

  const entry = '["files",{"path":"a","type":"file","sizeBytes":1,"executable":false}]\n';
  const end = '{"complete":true}\n';
  it.each([
    ['a list of one line', `{"complete":true,"files":[${'0,'.repeat(4_000_000)}0]}`, 'a line of more than 4096 bytes'],
    ['more lines than allowed', entry.repeat(20_001), 'a list of more than 20000 lines'],
    ['a line with many values', `["files",${'[],'.repeat(200)}[]]\n`, 'too many values'],
    ['an element of another kind', '["files",{"path":"../a"}]\n', 'the path leads out of the project'],
    ['an unknown list', `["files2",1]\n${end}`, 'unknown list'],
    ['a list named like a prototype', `["__proto__",1]\n${end}`, 'unknown list'],
    ['no end', entry, 'a list without an end'],
    ['an end of another kind', `${entry}{}\n`, 'complete'],
    ['lines after the end', `${end}${entry}`, 'continues after its end'],
    ['empty lines', '\n'.repeat(1_000_000), 'not JSON'],
  ])('H5: cuts off a list at its first bad line: %s', async (_what, lines, reason) => {
    const before = process.threadCpuUsage();
    await withAnswer(
      // Never ends, so that only the client can close the connection.
      (write) => write(`HTTP/1.1 200 OK\r\nContent-Length: ${lines.length}\r\n\r\n${lines}`),
      async (asked) => {
        const outcome = await asked.listFiles('', { signal, recursive: true }).then(() => 'it was read', String);
        expect(outcome).toContain(reason);
        expect(outcome.length).toBeLessThan(1000);
      },
    );
    expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it('H5: reads the longest list, and lets other work run in between', async () => {
    const lines = entry.repeat(20_000) + end;
    let turns = 0;
    const other = setInterval(() => turns++, 1);
    await withAnswer(
      (write) => write(`HTTP/1.1 200 OK\r\nContent-Length: ${lines.length}\r\n\r\n${lines}`),
      async (asked) => {
        const { files, complete } = await asked.listFiles('', { signal, recursive: true });
        expect(files).toHaveLength(20_000);
        expect(files[19_999]).toEqual({ path: 'a', type: 'file', sizeBytes: 1, executable: false });
        expect(complete).toBe(true);
      },
    );
    clearInterval(other);
    expect(turns).toBeGreaterThan(5);
  });

  it('H5: rejects interim responses, which could be sent without end', async () => {
    await withAnswer(
      async (write) => {
        for (;;) await write('HTTP/1.1 103 X\r\n\r\n'.repeat(1_000));
      },
      async (asked) => {
        await expect(asked.health({ signal })).rejects.toMatchObject({ message: expect.stringContaining('an interim response') });
      },
    );
  });

  it('H5: pauses a flood of events, and drops none', async () => {
    const text = 'x'.repeat(64 * 1024);
    const event = `${JSON.stringify({ type: 'stdout', text })}\n`;
    const last = `${JSON.stringify({ type: 'exit', exitCode: 0, signal: null, timedOut: false, durationMs: 1 })}\n`;
    const chunk = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`;
    const startedAtMs = performance.now();
    let received = 0;
    await withAnswer(
      async (write) => {
        await write(chunkedHead);
        for (let sent = 0; sent < 192; sent++) await write(chunk(event));
        await write(`${chunk(last)}0\r\n\r\n`);
      },
      async (asked) => {
        for await (const { type } of asked.exec({ command: 'x', cwd: null, env: {}, timeoutMs: 60_000 }, { signal }))
          if (type === 'stdout') received++;
      },
    );
    expect(received).toBe(192);
    // 12 MiB at 4 MiB per second, less the burst of one second.
    expect(performance.now() - startedAtMs).toBeGreaterThan(1_900);
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

  it('X3, H5: cuts off a response in single-byte chunks, which take long to read', async () => {
    const line = `${chunkedHead}${'1\r\nx\r\n'.repeat(400_000)}1\r\n\n\r\n`;
    await withAnswer(
      (write) => write(line),
      async (asked) => {
        const events = asked.exec({ command: 'x', cwd: null, env: {}, timeoutMs: 60_000 }, { signal });
        await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({
          message: expect.stringContaining('tiny chunks'),
        });
      },
    );
  });

  it('H5: passes on what a person types, byte by byte', async () => {
    const typed = 20_000;
    await withAnswer(
      async (write) => {
        await write(chunkedHead.replace('\r\n\r\n', '\r\nX-Koda-Offset: 0\r\n\r\n'));
        for (let sent = 0; sent < typed; sent += 100) await write('1\r\nx\r\n'.repeat(100));
        await write('0\r\n\r\n');
      },
      async (asked) => {
        const { stream } = await asked.shellStream('a', { offset: 0, signal });
        expect((await buffer(stream)).length).toBe(typed);
      },
    );
  });

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
  it('H5: does not use a daemon of another version, which sends lists in another form', async () => {
    const json = JSON.stringify({ version: '1', uptimeMs: 1, workspaceReady: true, memoryBytes: null, oomKills: null });
    await withAnswer(
      (write) => write(`HTTP/1.1 200 OK\r\nContent-Length: ${json.length}\r\n\r\n${json}`),
      async (asked) => {
        await expect(asked.health({ signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
      },
    );
  });

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
