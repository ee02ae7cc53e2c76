import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, api } from './client.ts';
import { filesApi } from './files.ts';

const answer = (status: number, body: string) => vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })));
afterEach(() => vi.unstubAllGlobals());
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('API errors', () => {
  it("G9: come in the server's words, with code and recovery", async () => {
    answer(
      409,
      JSON.stringify({
        error: { code: 'INVALID_TRANSITION', message: 'Accept the plan first.', recovery: { action: 'accept_plan' } },
      }),
    );
    const error = await failureOf(api.retry('prj_1'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'INVALID_TRANSITION',
      message: 'Accept the plan first.',
      recovery: 'accept_plan',
      status: 409,
    });
  });

  it('G9: reports a response without an error envelope without showing its raw text', async () => {
    answer(502, '<html>Bad gateway</html>');
    const error = await failureOf(api.stop('prj_1'));
    expect(error).toMatchObject({ code: 'UNREADABLE', status: 502 });
    expect((error as ApiError).message).not.toContain('<html>');
  });

  it('G9: suggests checking the server if no response arrives', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failureOf(api.sendMessage('prj_1', 'hi'))).toMatchObject({ code: 'NETWORK', recovery: 'retry' });
  });

  it('G2: encodes each part of a path', async () => {
    const seen: string[] = [];
    vi.stubGlobal('fetch', (path: string) => {
      seen.push(path);
      return Promise.resolve(new Response('text'));
    });
    await filesApi.read('prj_1', 'src/a b/c#d?.tsx', { limitBytes: 1000, signal: AbortSignal.timeout(1000) });
    expect(seen).toEqual(['/api/projects/prj_1/files/src/a%20b/c%23d%3F.tsx']);
  });
});
