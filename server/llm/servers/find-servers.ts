import { existsSync } from 'node:fs';
import type { z } from 'zod';
import {
  type FoundModel,
  type FoundServer,
  type ModelServerKind,
  modelServerKindSchema,
  modelServerPrograms,
} from '#contract/model-servers.ts';
import { ByteCollector } from '../../lib/bytes.ts';
import { excessIn } from '../../lib/json-limits.ts';
import type { Fetch } from '../../lib/outbound-fetch.ts';
import { type Description, detailsOf, everyModel, listSchema, ollamaModel, type Read } from './descriptions.ts';

/** A port at which a server may answer, on each of the addresses. */
export interface ModelPlace {
  readonly kind: ModelServerKind;
  readonly addresses: readonly string[];
}

const timeoutMs = 800;
const minIntervalMs = 2_000;
const maxAnswerBytes = 64 * 1024;
const answerLimits = { depth: 16, structure: 8_000, elements: 1_000 };
const maxModels = 60;
/** Ollama describes each model in an answer of its own. */
const maxDescribedModels = 12;

/** Returns the usual ports of this computer. In a container, they are also those of the machine that it runs on. */
export function usualPlaces({ isContainer } = { isContainer: runsInContainer() }): ModelPlace[] {
  const hosts = ['127.0.0.1', ...(isContainer ? ['host.docker.internal'] : [])];
  return modelServerKindSchema.options.map((kind) => ({
    kind,
    addresses: hosts.map((host) => `http://${host}:${modelServerPrograms[kind].port}`),
  }));
}

const runsInContainer = () => ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(path));

/**
 * Finds model servers at fixed places: no caller gives an address. Within two seconds it returns the same servers, however many ask.
 * A server's answers are untrusted, so their size, shape and time are limited.
 */
export class ModelServerFinder {
  readonly #places: readonly ModelPlace[];
  readonly #fetch: Fetch;
  #last: { readonly startedAt: number; readonly servers: Promise<FoundServer[]> } | null = null;

  constructor(places: readonly ModelPlace[], fetch: Fetch) {
    this.#places = places;
    this.#fetch = fetch;
  }

  find(): Promise<FoundServer[]> {
    const now = performance.now();
    if (this.#last === null || now - this.#last.startedAt >= minIntervalMs)
      this.#last = { startedAt: now, servers: this.#findAll() };
    return this.#last.servers;
  }

  async #findAll(): Promise<FoundServer[]> {
    // `fetch` loads it on the first request, which must not take the servers' time.
    await import('undici');
    const found = await Promise.all(this.#places.map((place) => this.#findAt(place)));
    return found.flat();
  }

  /** Returns the servers of one place, or one without an address if none answers. */
  async #findAt({ kind, addresses }: ModelPlace): Promise<FoundServer[]> {
    const found = await Promise.all(
      addresses.map(async (address) => {
        const models = await this.#modelsAt(kind, address);
        return models === null ? [] : [{ kind, address, models }];
      }),
    );
    const servers = found.flat();
    return servers.length > 0 ? servers : [{ kind, address: null, models: [] }];
  }

  async #modelsAt(kind: ModelServerKind, address: string): Promise<FoundModel[] | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    const read: Read = (path, schema, body) => readJson(this.#fetch, new URL(path, address), { schema, body, signal });
    const [list, details] = await Promise.all([read('/v1/models', listSchema), detailsOf(kind, read)]);
    if (list === null) return null;
    const names = [...new Set(list.map(({ name }) => name))].slice(0, maxModels);
    const asked = kind === 'ollama' ? names.slice(0, maxDescribedModels) : [];
    const answers = await Promise.all(asked.map((name) => read('/api/show', ollamaModel, { model: name })));
    const shown = new Map(asked.map((name, index) => [name, answers[index] ?? {}]));
    return names.map((name) => ({
      ...unknownModel,
      ...(list.find((model) => model.name === name)?.description ?? {}),
      ...(details.get(name) ?? details.get(everyModel) ?? {}),
      ...(shown.get(name) ?? {}),
      name,
    }));
  }
}

const unknownModel: Required<Description> = {
  sizeBytes: null,
  contextTokens: null,
  allowedContextTokens: null,
  supportsTools: null,
  supportsImages: null,
  writesText: true,
};

interface ReadOptions<Value> {
  readonly schema: z.ZodType<Value>;
  readonly body: object | undefined;
  readonly signal: AbortSignal;
}

async function readJson<Value>(fetch: Fetch, url: URL, { schema, body, signal }: ReadOptions<Value>): Promise<Value | null> {
  try {
    const post = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(url, { signal, ...(body === undefined ? {} : post) });
    const bytes = new ByteCollector();
    // Leaving the loop closes the connection.
    for await (const piece of response.body ?? []) {
      if (!response.ok || bytes.length + piece.length > maxAnswerBytes) return null;
      bytes.add(piece);
    }
    if (!response.ok || excessIn(bytes.whole(), answerLimits) !== null) return null;
    return schema.safeParse(JSON.parse(bytes.whole().toString('utf8'))).data ?? null;
  } catch {
    // Nothing listens there, it is too slow, or it is no model server: the page shows the port as off.
    return null;
  }
}
