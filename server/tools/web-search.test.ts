import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { allowOnce } from '#contract/permission.ts';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { availableTools } from './catalogue.ts';
import { createWebSearch } from './web-search.ts';

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a search server, and returns a function that calls the tool. */
async function searchOver(listener: RequestListener) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const tool = createWebSearch({ url: `http://127.0.0.1:${port}/searx/` });
  return (input: unknown, signal = new AbortController().signal) =>
    tool.call(input, toolContextOver({}, { signal, requestApproval: async () => permitted }));
}

const permitted = { outcome: 'option', optionId: allowOnce } as const;

const json =
  (body: unknown): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json').end(typeof body === 'string' ? body : JSON.stringify(body));
  };

describe('search', () => {
  it('T8: is offered only if the operator has named a search server', () => {
    const names = (searxngUrl: string | null) => availableTools({ searxngUrl, speech: null }).map(({ name }) => name);
    expect(names(null)).not.toContain('search');
    expect(names('http://localhost:8888')).toContain('search');
  });

  it('T8: searches information, images and news through SearXNG, in JSON', async () => {
    const requested: string[] = [];
    const search = await searchOver((request, response) => {
      requested.push(request.url ?? '');
      json({ results: [] })(request, response);
    });
    for (const input of [{ query: 'red & blue' }, { query: 'a', category: 'image' }, { query: 'a', category: 'news', page: 2 }])
      expect(await search(input)).toMatchObject({ status: 'completed', output: { results: [] } });
    expect(requested).toEqual([
      '/searx/search?q=red+%26+blue&categories=general&pageno=1&format=json',
      '/searx/search?q=a&categories=images&pageno=1&format=json',
      '/searx/search?q=a&categories=news&pageno=2&format=json',
    ]);
  });

  it('T8: returns titles, addresses and texts, limited in size, and drops results that are not web pages', async () => {
    const page = {
      title: 'Ball  games',
      url: 'https://example.org/a',
      content: 'x'.repeat(5000),
      publishedDate: null,
      engine: 'y',
    };
    const search = await searchOver(
      json({
        query: 'ball',
        results: [
          page,
          { title: 'Picture', url: 'https://example.org/b', img_src: 'https://example.org/b.png', publishedDate: '2026-01-02' },
          { title: 'Bad picture', url: 'https://example.org/c', img_src: 'javascript:alert(1)' },
          { title: 'Script', url: 'javascript:alert(1)' },
          { title: 'File', url: 'file:///etc/passwd' },
          { url: 'https://example.org/untitled' },
          null,
          'text',
          ...Array.from({ length: 100 }, () => page),
        ],
      }),
    );
    const result = await search({ query: 'ball' });
    if (result.status !== 'completed') throw new Error(JSON.stringify(result));
    const { results } = result.output as { results: unknown[] };
    expect(results).toHaveLength(10);
    expect(results.slice(0, 3)).toEqual([
      { title: 'Ball games', url: 'https://example.org/a', text: 'x'.repeat(500) },
      { title: 'Picture', url: 'https://example.org/b', image_url: 'https://example.org/b.png', published: '2026-01-02' },
      { title: 'Bad picture', url: 'https://example.org/c' },
    ]);
    expect(result.summary).toBe('10 results for ball');
  });

  const redirect: RequestListener = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  const huge: RequestListener = (_request, response) => {
    response.write(`{"results":["${'x'.repeat(3 * 1024 * 1024)}"]}`);
    response.end();
  };
  it.each<[string, RequestListener, string]>([
    ['is not allowed to send JSON', (_request, response) => response.writeHead(403).end(), 'search.formats'],
    ['fails', (_request, response) => response.writeHead(500).end('secret'), 'status 500'],
    ['redirects', redirect, 'redirects'],
    ['is no SearXNG', json('<html>'), 'SEARXNG_URL'],
    ['sends other JSON', json({ results: 'none' }), 'SEARXNG_URL'],
    ['sends too much', huge, '2 MB'],
    ['closes the connection', (request) => request.socket.destroy(), 'cannot be reached'],
  ])('T8: explains what to do if the server %s', async (_, listener, advice) => {
    const search = await searchOver(listener);
    const result = await search({ query: 'ball' });
    expect(result).toMatchObject({ status: 'error', code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(advice) });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  it('T8: ends a search that the user stops while the server hangs', async () => {
    const stop = new AbortController();
    const search = await searchOver(() => stop.abort());
    expect(await search({ query: 'ball' }, stop.signal)).toMatchObject({ status: 'error', code: 'CANCELLED' });
  });

  it.each([{}, { query: '' }, { query: 'x'.repeat(101) }, { query: 'a', category: 'data' }, { query: 'a', page: 0 }])(
    'T8: rejects the input %j without a request',
    async (input) => {
      let requests = 0;
      const search = await searchOver(() => requests++);
      expect(await search(input)).toMatchObject({ status: 'error', code: 'VALIDATION_ERROR' });
      expect(requests).toBe(0);
    },
  );
});
