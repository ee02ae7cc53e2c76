import { KodaError } from '#contract/errors.ts';
import type { Effort } from '#contract/project.ts';
import type { Fetch } from '../../../lib/outbound-fetch.ts';
import type { Model, ModelChunk, ModelRequest } from '../model.ts';
import { type Failure, modelFailure } from './failures.ts';
import { contextTokensOf, type Features, featuresOf, rejectedFeature } from './features.ts';
import { UsageMeter } from './meter.ts';
import { recordingFetch } from './recorder.ts';
import { redactStream } from './redact-stream.ts';
import { smallerWindow, unreadText, windowTooSmall } from './window.ts';

/** Service that offers language models: Anthropic's, another provider's or a self-hosted one. */
export interface ModelService {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly authToken: string | null;
  /** Folder for recorded exchanges without secrets. `null` to disable recording. */
  readonly recordingFolder: string | null;
  readonly fetch: Fetch;
}

export interface ServiceSettings {
  readonly model: string;
  readonly effort: Effort | null;
  readonly maxOutputTokens: number;
  /** `null` to use the model's known context size. */
  readonly contextTokens: number | null;
  /** `null` to use the model's known capability. */
  readonly supportsImages: boolean | null;
}

export interface RequestSettings {
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly effort: Effort | null;
  readonly features: Features;
}

export interface Reading {
  readonly meter: UsageMeter;
  /** Ids of earlier calls, which a response must not repeat. */
  readonly usedIds: Set<string>;
}

/** A connection to a service in one API's format. */
export interface Wire {
  /** Sends a request. Returns how its response is read, once the service has accepted it. */
  send(
    request: ModelRequest,
    options: { readonly settings: RequestSettings; readonly signal: AbortSignal },
  ): Promise<(reading: Reading) => AsyncIterable<ModelChunk>>;
  /** Describes an error of the API's client. `null` for any other error. */
  failureOf(error: unknown): Failure | null;
}

export interface WireFormat {
  readonly kind: string;
  /** Name of the API in messages. */
  readonly api: string;
  /** Loads the client on the first request: it has hundreds of files, which a studio without a language model never needs. */
  readonly connect: (connection: Pick<ModelService, 'baseUrl' | 'apiKey' | 'authToken' | 'fetch'>) => Promise<Wire>;
}

/** Limit for requests to large models, because longer ones are slow and expensive without benefit. */
const usefulContextTokens = 200_000;
/** Context size of typical small local models. */
const unknownContextTokens = 32_000;
/** Fraction of a small context that a response may take, to leave space for the request. */
const maxResponseShare = 0.25;

/**
 * Creates a model of a service. A feature that the service rejects is omitted from then on, so that servers with only text and
 * tools work as well. Rejected thinking or images are omitted only from that request. Errors are thrown immediately; the caller
 * decides about retries.
 */
export function serviceModel(format: WireFormat, service: ModelService, settings: ServiceSettings): Model {
  let wire: Wire | null = null;
  /** Projects that know that the service cuts requests. */
  const warned = new Set<string | null>();
  const known = featuresOf(settings.model);
  let features: Features = { ...known, images: settings.supportsImages ?? known.images };
  const configuredTokens =
    settings.contextTokens ?? Math.min(contextTokensOf(settings.model) ?? unknownContextTokens, usefulContextTokens);
  // Reduced if the service reports a smaller limit.
  let contextTokens = configuredTokens;
  const responseTokens = () => Math.min(settings.maxOutputTokens, Math.floor(contextTokens * maxResponseShare));
  const failedService = { model: settings.model, baseUrl: service.baseUrl, api: format.api, secrets: secretsOf(service) };

  /** Sends a request. Each time the service rejects a feature, repeats it without that feature. */
  const ask = async (request: ModelRequest, { send, failureOf }: Wire, signal: AbortSignal) => {
    for (let requested = features; ; ) {
      try {
        const maxOutputTokens = Math.min(settings.maxOutputTokens, request.responseTokens ?? responseTokens());
        const { model, effort } = settings;
        const read = await send(request, { settings: { model, effort, maxOutputTokens, features: requested }, signal });
        return { read, isSteady: requested.eagerInput };
      } catch (error) {
        const failure = failureOf(error);
        const rejected = failure?.type === 'refused' ? rejectedFeature(failure, requested) : null;
        if (rejected === null) throw error;
        requested = { ...requested, [rejected.feature]: false };
        if (rejected.isLasting) features = { ...features, [rejected.feature]: false };
      }
    }
  };

  function* warnings(request: ModelRequest, readTokens: number): Generator<ModelChunk> {
    const text = unreadText(request, readTokens, failedService);
    if (text === null || warned.has(request.projectId)) return;
    warned.add(request.projectId);
    yield { type: 'warning', text };
  }

  const failed = (error: unknown, requestedTokens: number): KodaError => {
    if (error instanceof KodaError) return error;
    const failure = wire?.failureOf(error) ?? null;
    const smaller = failure?.type === 'refused' ? smallerWindow(failure, requestedTokens) : null;
    if (smaller === null) return modelFailure(failure, failedService);
    contextTokens = Math.min(contextTokens, smaller);
    return windowTooSmall(settings.model, contextTokens);
  };

  return {
    kind: format.kind,
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
    forgetRejections() {
      contextTokens = configuredTokens;
    },
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const requestedTokens = contextTokens;
      try {
        wire ??= await format.connect({ ...service, fetch: fetchOf(service) });
        const { read, isSteady } = await ask(request, wire, signal);
        const meter = new UsageMeter(settings.model, request);
        yield { type: 'begun', partialUsage: () => meter.usage(), isSteady };
        const chunks = meter.watch(read({ meter, usedIds: callIdsIn(request) }));
        for await (const chunk of redactStream(chunks, failedService.secrets)) {
          if (chunk.type === 'end') yield* warnings(request, chunk.usage.inputTokens);
          yield chunk;
        }
        // When a request is aborted, the SDKs end the iteration without an error.
        if (signal.aborted) throw new KodaError('CANCELLED', 'The model was stopped.');
      } catch (error) {
        throw signal.aborted
          ? new KodaError('CANCELLED', 'The model was stopped.', { cause: error })
          : failed(error, requestedTokens);
      }
    },
  };
}

function fetchOf(service: ModelService): Fetch {
  const { fetch, recordingFolder: folder } = service;
  return folder === null ? fetch : recordingFetch(fetch, { folder, secrets: secretsOf(service) });
}

function secretsOf({ apiKey, authToken }: ModelService): string[] {
  return [apiKey, authToken].filter((secret) => secret !== null);
}

function callIdsIn(request: ModelRequest): Set<string> {
  const blocks = request.messages.flatMap((message) => message.content);
  return new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
}
