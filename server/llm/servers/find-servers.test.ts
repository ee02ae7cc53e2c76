import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelServerKind } from '#contract/model-servers.ts';
import { outboundFetch } from '../../lib/outbound-fetch.ts';
import { ModelServerFinder, usualPlaces } from './find-servers.ts';

const fetch = outboundFetch({ privateAddresses: 'allow' });
const open: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((close) => close()))));

/** Starts a server that answers each path with a value or by a function, and everything else with 404. */
async function serve(answers: Record<string, unknown>): Promise<{ address: string; requested: string[] }> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url}`);
    const answer = answers[request.url ?? ''];
    if (typeof answer === 'function') (answer as RequestListener)(request, response);
    else response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested };
}

const findAt = async (kind: ModelServerKind, ...addresses: string[]) =>
  await new ModelServerFinder([{ kind, addresses }], fetch).find();

const names = (...all: string[]) => ({ data: all.map((id) => ({ id, object: 'model' })) });

describe('finding model servers', () => {
  it('X2: looks at fixed ports of this computer alone, and of its host in a container', () => {
    expect(usualPlaces({ isContainer: false }).flatMap(({ addresses }) => addresses)).toEqual([
      'http://127.0.0.1:11434',
      'http://127.0.0.1:1234',
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8000',
      'http://127.0.0.1:1337',
    ]);
    expect(usualPlaces({ isContainer: true })[0]?.addresses).toEqual([
      'http://127.0.0.1:11434',
      'http://host.docker.internal:11434',
    ]);
  });

  it('X2: describes models as Ollama does', async () => {
    const { address } = await serve({
      '/v1/models': names('hearth-14b', 'brook-embed'),
      '/api/tags': {
        models: [
          { name: 'hearth-14b', size: 9e9 },
          { name: 'brook-embed', size: 3e8 },
        ],
      },
      '/api/show': (request: AsyncIterable<Buffer>, response: { end(text: string): void }) => {
        void (async () => {
          let text = '';
          for await (const piece of request) text += String(piece);
          const isWriter = text === '{"model":"hearth-14b"}';
          const capabilities = isWriter ? ['completion', 'tools'] : ['embedding'];
          response.end(JSON.stringify({ capabilities, model_info: { 'qwen.context_length': 32_768 } }));
        })();
      },
    });
    expect(await findAt('ollama', address)).toEqual([
      {
        kind: 'ollama',
        address,
        models: [
          {
            name: 'hearth-14b',
            ...{ sizeBytes: 9e9, contextTokens: null, allowedContextTokens: 32_768 },
            ...{ supportsTools: true, supportsImages: false, writesText: true },
          },
          expect.objectContaining({ name: 'brook-embed', sizeBytes: 3e8, writesText: false }),
        ],
      },
    ]);
  });

  it('X2: describes models as llama.cpp, vLLM and LM Studio do', async () => {
    const llama = await serve({
      '/v1/models': { data: [{ id: 'a.gguf', meta: { n_ctx_train: 131_072, size: 5e9 } }] },
      '/props': { default_generation_settings: { n_ctx: 8_192 }, modalities: { vision: true } },
    });
    expect((await findAt('llama-cpp', llama.address))[0]?.models).toMatchObject([
      { name: 'a.gguf', sizeBytes: 5e9, contextTokens: 8_192, allowedContextTokens: 131_072, supportsImages: true },
    ]);
    const vllm = await serve({ '/v1/models': { data: [{ id: 'b', max_model_len: 40_960 }] } });
    expect((await findAt('vllm', vllm.address))[0]?.models).toMatchObject([{ name: 'b', contextTokens: 40_960 }]);
    const studio = await serve({
      '/v1/models': names('c', 'd'),
      '/api/v0/models': {
        data: [
          { id: 'c', type: 'vlm', max_context_length: 32_768, loaded_context_length: 4_096, capabilities: ['tool_use'] },
          { id: 'd', type: 'embeddings', max_context_length: 2_048 },
        ],
      },
    });
    expect((await findAt('lm-studio', studio.address))[0]?.models).toMatchObject([
      { name: 'c', contextTokens: 4_096, allowedContextTokens: 32_768, supportsTools: true, supportsImages: true },
      { name: 'd', writesText: false },
    ]);
  });

  it('X2: a port without a server, with another program, or slower than the limit is off', async () => {
    const other = await serve({ '/v1/models': '<html>' });
    const slow = await serve({ '/v1/models': () => undefined });
    const off = [{ kind: 'jan', address: null, models: [] }];
    expect(await findAt('jan', other.address)).toEqual(off);
    expect(await findAt('jan', slow.address)).toEqual(off);
    expect(await findAt('jan', 'http://127.0.0.1:1')).toEqual(off);
  });

  it('V6: reads no more than 64 KiB of an answer, and drops names that cannot be shown', async () => {
    let written = 0;
    const large = await serve({
      '/v1/models': (_request: unknown, response: Parameters<RequestListener>[1]) => {
        const piece = Buffer.alloc(64 * 1024, ' ');
        const write = () => {
          while (written < 10 * 1024 * 1024 && !response.destroyed) {
            written += piece.length;
            if (!response.write(piece)) {
              response.once('drain', write);
              return;
            }
          }
          response.end(JSON.stringify(names('large')));
        };
        write();
      },
    });
    expect(await findAt('vllm', large.address)).toMatchObject([{ address: null }]);
    expect(written).toBeLessThan(10 * 1024 * 1024);
    const odd = ['ok', 'x'.repeat(201), 'line\nbreak', 'right\u202Eleft', 7, null];
    const hostile = await serve({ '/v1/models': { data: [...odd.map((id) => ({ id, max_model_len: -1, meta: [] })), 'text'] } });
    expect((await findAt('vllm', hostile.address))[0]?.models).toMatchObject([{ name: 'ok', contextTokens: null }]);
    const deep = await serve({
      '/v1/models': (_: unknown, response: { end(text: string): void }) => response.end('['.repeat(60_000)),
    });
    expect(await findAt('vllm', deep.address)).toMatchObject([{ address: null }]);
  });

  it('V6: follows no redirect', async () => {
    const target = await serve({ '/v1/models': names('secret') });
    const redirecting = await serve({
      '/v1/models': (_: unknown, response: Parameters<RequestListener>[1]) =>
        response.writeHead(302, { location: `${target.address}/v1/models` }).end(),
    });
    expect(await findAt('vllm', redirecting.address)).toMatchObject([{ address: null }]);
    expect(target.requested).toEqual([]);
  });

  it('X2: asks again only after two seconds, and asks all places at the same time', async () => {
    const { address, requested } = await serve({ '/v1/models': names('a') });
    const finder = new ModelServerFinder([{ kind: 'vllm', addresses: [address, address] }], fetch);
    const [first, second] = await Promise.all([finder.find(), finder.find()]);
    expect(await finder.find()).toBe(first);
    expect(second).toBe(first);
    expect(requested).toHaveLength(2);
  });
});
