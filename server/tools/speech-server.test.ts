import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { recordingOf } from './speech-server.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const { signal: never } = new AbortController();

async function speakOver(listener: RequestListener, path = '/') {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const connection = { url: `http://127.0.0.1:${port}${path}`, key: 'sk-secret', model: 'tts-1', voice: 'alloy' };
  return (options: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
    recordingOf({ text: 'Hello', speed: 1.5 }, connection, { signal: never, ...options });
}

describe('a speech server', () => {
  it.each([
    ['/', '/v1/audio/speech'],
    ['/v1/', '/v1/audio/speech'],
    ['/openai/v1', '/openai/v1/audio/speech'],
  ])('T9: is asked as OpenAI defines it, at an address that ends with %s', async (path, requested) => {
    const seen: unknown[] = [];
    const speak = await speakOver(async (request, response) => {
      const { method, url, headers } = request;
      seen.push({ method, url, authorization: headers.authorization, body: JSON.parse(await text(request)) });
      response.setHeader('content-type', 'audio/mpeg').end('mp3');
    }, path);
    expect(Buffer.from(await speak()).toString()).toBe('mp3');
    const body = { model: 'tts-1', voice: 'alloy', input: 'Hello', speed: 1.5, response_format: 'mp3' };
    expect(seen).toEqual([{ method: 'POST', url: requested, authorization: 'Bearer sk-secret', body }]);
  });

  it('T9: that refuses the key is named with the setting to check, and without what it says', async () => {
    const speak = await speakOver((_request, response) => {
      const error = { message: 'Incorrect API key: sk-secret', type: 'invalid_request_error', code: 'invalid_api_key' };
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
    const failure = await speak().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'UNAUTHORIZED', message: expect.stringContaining('KODA_SPEECH_KEY') });
    expect(String(failure)).not.toContain('sk-secret');
  });

  it('T9: that never answers ends at the time limit', async () => {
    const speak = await speakOver(() => undefined);
    await expect(speak({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('T9: that stops in the middle of its answer ends at the time limit', async () => {
    const speak = await speakOver((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('ID3');
    });
    await expect(speak({ timeoutMs: 500 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('T9: that sends a gigabyte is cut off at the limit', async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    const speak = await speakOver((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      const piece = Buffer.alloc(1024 * 1024);
      const send = () => {
        while (sent < 1024 && !response.destroyed && response.write(piece)) sent++;
        sent++;
      };
      response.on('drain', send).on('close', closed.resolve);
      send();
    });
    await expect(speak()).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await closed.promise;
    expect(sent).toBeLessThan(1024);
  });

  it.each([
    ['a failure', (status: number) => ({ status, body: 'oops' }), 500],
    ['a redirect to the inside', (status: number) => ({ status, body: '' }), 302],
    ['an empty file', (status: number) => ({ status, body: '' }), 200],
  ])('T9: reports %s', async (_what, answer, status) => {
    const speak = await speakOver((_request, response) => {
      const { body } = answer(status);
      response.writeHead(status, { location: 'http://169.254.169.254/' }).end(body);
    });
    await expect(speak()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('T9: is left when the user stops the work', async () => {
    const stop = new AbortController();
    const speak = await speakOver(() => stop.abort(new Error('stopped')));
    await expect(speak({ signal: stop.signal })).rejects.toThrow('stopped');
  });
});
