import { createHash } from 'node:crypto';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import type { ToolInput } from '#contract/tools.ts';
import { connectionProblem, outboundFetch } from '../lib/outbound-fetch.ts';
import { permissionDenial } from './outside/permission.ts';
import { allPhases, completed, defineTool, type OwnTool } from './tool.ts';

const maxResults = 10;
const maxBodyBytes = 2 * 1024 * 1024;
const categories = { info: 'general', image: 'images', news: 'news' } as const;

const shortened = (max: number) =>
  z.string().transform((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, max).toWellFormed());
const addressSchema = z.url({ protocol: /^https?$/ }).max(2000);

/** The operator chose the address. */
const fetch = outboundFetch({ privateAddresses: 'allow' });

/** A result in SearXNG's JSON (https://docs.searxng.org/dev/search_api). Search engines wrote it, so its sizes are limited. */
const resultSchema = z
  .object({
    title: shortened(200),
    url: addressSchema,
    content: shortened(500).nullish().catch(null),
    img_src: addressSchema.nullish().catch(null),
    publishedDate: shortened(40).nullish().catch(null),
  })
  .transform(({ title, url, content, img_src: image, publishedDate: published }) => ({
    title,
    url,
    ...(content && { text: content }),
    ...(image && { image_url: image }),
    ...(published && { published }),
  }));
const responseSchema = z.object({ results: z.array(z.unknown()) });

/**
 * Returns the tool that searches the web through the operator's SearXNG server. Only Koda's server contacts it: sandboxes
 * have no network, and the address is not the model's to choose. The user allows searches for a project; once the model has read
 * what others wrote, each one needs its own permission.
 */
export function createWebSearch({ url }: { url: string }): OwnTool {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 24);
  const called = { server: null, tool: 'search', digest, isSearch: true };
  return defineTool('search', {
    category: 'search',
    // The query leaves this machine.
    risk: 'medium',
    timeoutMs: 20_000,
    phases: allPhases,
    // Other programs have their own search.
    isForAuthors: true,
    label: ({ query }) => `Searching the web for ${query.slice(0, 60)}`,
    async run(input, context) {
      const denied = await permissionDenial(called, input, context);
      if (denied !== null) return denied;
      const { signal } = context;
      const found = await request(searchUrl(url, input), signal);
      const results = found.flatMap((item) => {
        const parsed = resultSchema.safeParse(item);
        return parsed.success ? [parsed.data] : [];
      });
      const shown = results.slice(0, maxResults);
      return completed(
        { results: shown },
        `${shown.length} result${shown.length === 1 ? '' : 's'} for ${input.query.slice(0, 60)}`,
      );
    },
  });
}

function searchUrl(base: string, { query, category, page }: ToolInput<'search'>): URL {
  const target = new URL(`${base.replace(/\/+$/, '')}/search`);
  target.search = new URLSearchParams({
    q: query,
    categories: categories[category],
    pageno: String(page),
    format: 'json',
  }).toString();
  return target;
}

async function request(target: URL, signal: AbortSignal): Promise<readonly unknown[]> {
  let response: Response;
  try {
    response = await fetch(target, { signal, headers: { accept: 'application/json' } });
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable(`cannot be used: ${connectionProblem(error)}. Check SEARXNG_URL`, error);
  }
  if (response.status === 403) {
    await response.body?.cancel();
    throw unavailable('refuses to answer in JSON. Add “json” to search.formats in its settings.yml');
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw unavailable(`returned status ${response.status}. See its log`);
  }
  return parsedResults(await limitedText(response));
}

async function limitedText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (bytes > maxBodyBytes) throw unavailable(`sent more than ${maxBodyBytes / 1024 / 1024} MB. Search for something narrower`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function parsedResults(text: string): readonly unknown[] {
  try {
    return responseSchema.parse(JSON.parse(text)).results;
  } catch (error) {
    throw unavailable('did not return search results. Check that SEARXNG_URL is the address of a SearXNG server', error);
  }
}

function unavailable(reason: string, cause?: unknown): KodaError {
  return new KodaError('SERVICE_UNAVAILABLE', `The search failed: the search server ${reason}.`, { cause });
}
