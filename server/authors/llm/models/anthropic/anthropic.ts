import type { Anthropic, ClientOptions } from '@anthropic-ai/sdk';
import { KodaError } from '#contract/errors.ts';
import type { Effort } from '#contract/project.ts';
import type { Model, ModelRequest } from '../model.ts';
import { chunksOf } from './answer.ts';
import { contextTokensOf, type Features, featuresOf, refusedFeature } from './features.ts';
import { UsageMeter } from './meter.ts';
import { recordingFetch } from './recorder.ts';
import { messageParams } from './request.ts';
import { screened } from './screen.ts';

/** A service that speaks the Messages API: Anthropic's own, or a server of one's own. */
export interface AnthropicService {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly authToken: string | null;
  /** Where every exchange is written to, without secrets; null = nowhere. */
  readonly recordingFolder: string | null;
}

export interface AnthropicSettings {
  readonly model: string;
  readonly effort: Effort | null;
  readonly maxOutputTokens: number;
  /** Null = what is known of the model. */
  readonly contextTokens: number | null;
  /** Null = what is known of the model. */
  readonly canSee: boolean | null;
}

/** What of a model's window our requests may fill: long ones are slow and dear, and say no more. */
const usefulContextTokens = 200_000;
/** A window that is not known is taken to be what small local models have. */
const unknownContextTokens = 32_000;
/** In a small window an answer must leave room for what it answers. */
const maxAnswerShare = 0.25;

/** Loaded with the first request: the SDK is 250 files, which a studio that works without a model never needs. */
const loadSdk = async () => ({
  ...(await import('@anthropic-ai/sdk')),
  ...(await import('./failures.ts')),
  ...(await import('./window.ts')),
});

/**
 * A model behind the Messages API. Every feature that a service refuses is left out from then on, so that servers which
 * know only text and tools serve as well; what is wrong with one request's thinking or pictures, from that request alone. Failures are thrown at once, without a second try: that is the caller's to decide.
 */
export function anthropicModel(service: AnthropicService, settings: AnthropicSettings): Model {
  let client: Anthropic | null = null;
  const known = featuresOf(settings.model);
  let features: Features = { ...known, images: settings.canSee ?? known.images };
  // Becomes smaller when the service says so.
  let contextTokens =
    settings.contextTokens ?? Math.min(contextTokensOf(settings.model) ?? unknownContextTokens, usefulContextTokens);
  const answerTokens = () => Math.min(settings.maxOutputTokens, Math.floor(contextTokens * maxAnswerShare));
  const place = { model: settings.model, baseUrl: service.baseUrl, secrets: secretsOf(service) };

  /** Asks, and asks again without a feature as long as the service refuses one. */
  const ask = async (request: ModelRequest, signal: AbortSignal) => {
    const { Anthropic: Client, isRefusal } = await loadSdk();
    client ??= new Client(clientOptions(service));
    for (let asked = features; ; ) {
      try {
        const params = messageParams(request, { ...settings, maxOutputTokens: answerTokens(), features: asked });
        return { events: await client.messages.create(params, { signal }), isSteady: asked.eagerInput };
      } catch (error) {
        const refused = isRefusal(error) ? refusedFeature(error.message, asked) : null;
        if (refused === null) throw error;
        asked = { ...asked, [refused.feature]: false };
        if (refused.isLasting) features = { ...features, [refused.feature]: false };
      }
    }
  };

  return {
    kind: 'anthropic',
    name: settings.model,
    get contextTokens() {
      return contextTokens;
    },
    get answerTokens() {
      return answerTokens();
    },
    get canSee() {
      return features.images;
    },
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const askedTokens = contextTokens;
      try {
        const { events, isSteady } = await ask(request, signal);
        const meter = new UsageMeter(settings.model, request);
        yield { type: 'begun', usedSoFar: () => meter.usage(), isSteady };
        yield* screened(chunksOf(events, { meter, usedIds: callIdsIn(request) }), place.secrets);
        // The SDK ends an iteration that was aborted without a word.
        if (signal.aborted) throw new KodaError('CANCELLED', 'The model was stopped.');
      } catch (error) {
        if (signal.aborted) throw new KodaError('CANCELLED', 'The model was stopped.', { cause: error });
        const { modelFailure, smallerWindow, windowTooSmall } = await loadSdk();
        const smaller = smallerWindow(error, askedTokens);
        if (smaller === null) throw modelFailure(error, place);
        contextTokens = Math.min(contextTokens, smaller);
        throw windowTooSmall(settings.model, contextTokens);
      }
    },
  };
}

function clientOptions(service: AnthropicService): ClientOptions {
  return {
    baseURL: service.baseUrl,
    // Null keeps the SDK from looking into the environment; a local server needs no key, but the SDK one of the two.
    apiKey: service.apiKey ?? (service.authToken === null ? 'none' : null),
    authToken: service.authToken,
    maxRetries: 0,
    logLevel: 'off',
    // The key is for this address alone, and would be taken along.
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
