import type { Anthropic, ClientOptions } from '@anthropic-ai/sdk';
import { KodaError } from '#contract/errors.ts';
import type { Effort } from '#contract/project.ts';
import type { Model, ModelRequest } from '../model.ts';
import { contextTokensOf, type Features, featuresOf, rejectedFeature } from './features.ts';
import { UsageMeter } from './meter.ts';
import { recordingFetch } from './recorder.ts';
import { redactStream } from './redact-stream.ts';
import { messageParams } from './request.ts';
import { chunksOf } from './response.ts';

/** Service with the Messages API: Anthropic's or a self-hosted one. */
export interface AnthropicService {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly authToken: string | null;
  /** Folder for recorded exchanges without secrets. `null` to disable recording. */
  readonly recordingFolder: string | null;
}

export interface AnthropicSettings {
  readonly model: string;
  readonly effort: Effort | null;
  readonly maxOutputTokens: number;
  /** `null` to use the model's known context size. */
  readonly contextTokens: number | null;
  /** `null` to use the model's known capability. */
  readonly supportsImages: boolean | null;
}

/** Limit for requests to large models, because longer ones are slow and expensive without benefit. */
const usefulContextTokens = 200_000;
/** Context size of typical small local models. */
const unknownContextTokens = 32_000;
/** Fraction of a small context that a response may take, to leave space for the request. */
const maxResponseShare = 0.25;

/** Loaded on the first request: the SDK has 250 files, which a studio without a language model never needs. */
const loadSdk = async () => ({
  ...(await import('@anthropic-ai/sdk')),
  ...(await import('./failures.ts')),
  ...(await import('./window.ts')),
});

/**
 * Creates a model that uses the Messages API. A feature that the service rejects is omitted from then on, so that servers
 * with only text and tools work as well. Rejected thinking or images are omitted only from that request. Errors are thrown
 * immediately; the caller decides about retries.
 */
export function anthropicModel(service: AnthropicService, settings: AnthropicSettings): Model {
  let client: Anthropic | null = null;
  const known = featuresOf(settings.model);
  let features: Features = { ...known, images: settings.supportsImages ?? known.images };
  // Reduced if the service reports a smaller limit.
  let contextTokens =
    settings.contextTokens ?? Math.min(contextTokensOf(settings.model) ?? unknownContextTokens, usefulContextTokens);
  const responseTokens = () => Math.min(settings.maxOutputTokens, Math.floor(contextTokens * maxResponseShare));
  const failedService = { model: settings.model, baseUrl: service.baseUrl, secrets: secretsOf(service) };

  /** Sends a request. Each time the service rejects a feature, repeats it without that feature. */
  const ask = async (request: ModelRequest, signal: AbortSignal) => {
    const { Anthropic: Client, isRejection } = await loadSdk();
    client ??= new Client(clientOptions(service));
    for (let requested = features; ; ) {
      try {
        const params = messageParams(request, { ...settings, maxOutputTokens: responseTokens(), features: requested });
        return { events: await client.messages.create(params, { signal }), isSteady: requested.eagerInput };
      } catch (error) {
        const rejected = isRejection(error) ? rejectedFeature(error.message, requested) : null;
        if (rejected === null) throw error;
        requested = { ...requested, [rejected.feature]: false };
        if (rejected.isLasting) features = { ...features, [rejected.feature]: false };
      }
    }
  };

  return {
    kind: 'anthropic',
    name: settings.model,
    get contextTokens() {
      return contextTokens;
    },
    get responseTokens() {
      return responseTokens();
    },
    get supportsImages() {
      return features.images;
    },
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const requestedTokens = contextTokens;
      try {
        const { events, isSteady } = await ask(request, signal);
        const meter = new UsageMeter(settings.model, request);
        yield { type: 'begun', partialUsage: () => meter.usage(), isSteady };
        yield* redactStream(chunksOf(events, { meter, usedIds: callIdsIn(request) }), failedService.secrets);
        // The SDK ends an aborted iteration without an error.
        if (signal.aborted) throw new KodaError('CANCELLED', 'The model was stopped.');
      } catch (error) {
        if (signal.aborted) throw new KodaError('CANCELLED', 'The model was stopped.', { cause: error });
        const { modelFailure, smallerWindow, windowTooSmall } = await loadSdk();
        const smaller = smallerWindow(error, requestedTokens);
        if (smaller === null) throw modelFailure(error, failedService);
        contextTokens = Math.min(contextTokens, smaller);
        throw windowTooSmall(settings.model, contextTokens);
      }
    },
  };
}

function clientOptions(service: AnthropicService): ClientOptions {
  return {
    baseURL: service.baseUrl,
    // `null` keeps the SDK from reading the environment. A local server needs no credentials, but the SDK requires one of the
    // two.
    apiKey: service.apiKey ?? (service.authToken === null ? 'none' : null),
    authToken: service.authToken,
    maxRetries: 0,
    logLevel: 'off',
    // A redirect would send the key to another address.
    fetchOptions: { redirect: 'manual' },
    ...(service.recordingFolder === null ? {} : { fetch: recordingFetch(service.recordingFolder, secretsOf(service)) }),
  };
}

function secretsOf({ apiKey, authToken }: AnthropicService): string[] {
  return [apiKey, authToken].filter((secret) => secret !== null);
}

function callIdsIn(request: ModelRequest): Set<string> {
  const blocks = request.messages.flatMap((message) => message.content);
  return new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
}
