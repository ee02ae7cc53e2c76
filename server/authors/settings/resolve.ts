import { KodaError } from '#contract/errors.ts';
import {
  anthropicUrl,
  defaultModel,
  type ModelProvider,
  type ModelSettingsRequest,
  type ModelSettingsView,
} from '#contract/settings.ts';
import type { ModelConfig, ModelEnvironment } from '../../lib/config.ts';
import { nothingStored, type StoredModels } from './stored.ts';

/** Which models work by the environment and, where that leaves it open, by the settings; null = the director. Pure. */
export function modelsFor(environment: ModelEnvironment, stored: StoredModels): ModelConfig | null {
  const connection = connectionOf(environment, stored);
  if (connection === null) return null;
  const { effort, maxOutputTokens, canSee, record } = environment;
  const own = namesFor(connection.baseUrl, stored);
  const orchestrator = environment.orchestrator ?? (own.orchestrator || defaultModel);
  return {
    ...connection,
    orchestrator,
    generator: environment.generator ?? (own.generator || orchestrator),
    contextTokens: environment.contextTokens ?? own.contextTokens,
    effort,
    maxOutputTokens,
    canSee,
    record,
  };
}

function connectionOf(
  { connection }: ModelEnvironment,
  stored: StoredModels,
): Pick<ModelConfig, 'baseUrl' | 'apiKey' | 'authToken'> | null {
  if (connection === 'director') return null;
  if (connection !== null) return connection;
  const { baseUrl, key } = stored;
  if (baseUrl === null) return null;
  return { baseUrl, apiKey: key?.baseUrl === baseUrl ? key.value : null, authToken: null };
}

/** Names belong to the server that they were given for: another one does not have these models. */
function namesFor(baseUrl: string, stored: StoredModels): Pick<StoredModels, 'orchestrator' | 'generator' | 'contextTokens'> {
  return stored.baseUrl === baseUrl ? stored : nothingStored;
}

/**
 * The settings after a request. Throws CONFLICT when it wants what the environment decides, VALIDATION_ERROR when it
 * could not work. A key is for its address alone: whoever may change the address does not learn the key by it. Pure.
 */
export function afterRequest(environment: ModelEnvironment, stored: StoredModels, request: ModelSettingsRequest): StoredModels {
  const { connection } = environment;
  if (connection !== null && !isFixed(connection, request)) throw decidedByEnvironment(environment.connectionVariables);
  if (request.provider === 'director') return { ...nothingStored, key: stored.key };
  const baseUrl = addressOf(request);
  const key = request.apiKey === undefined ? stored.key : { baseUrl, value: request.apiKey };
  if (request.provider === 'anthropic' && connection === null && key?.baseUrl !== baseUrl) {
    throw invalid('apiKey', 'Anthropic’s service needs a key. Make one at console.anthropic.com, and paste it here.');
  }
  if (request.provider === 'server' && request.orchestrator === '' && environment.orchestrator === null) {
    throw invalid('orchestrator', 'A server of your own needs the name of one of its models.');
  }
  const { provider, orchestrator, generator } = request;
  const contextTokens = request.provider === 'server' ? request.contextTokens : null;
  return { provider, baseUrl, orchestrator, generator, contextTokens, key };
}

/** Whether a request leaves a connection that the environment decides as it is: names may be chosen all the same. */
function isFixed(connection: NonNullable<ModelEnvironment['connection']>, request: ModelSettingsRequest): boolean {
  if (connection === 'director' || request.provider === 'director') return false;
  return request.apiKey === undefined && addressOf(request) === connection.baseUrl;
}

/** The settings without their key. Anthropic's service does not work without one, so the director does then. Pure. */
export function withoutKey(environment: ModelEnvironment, stored: StoredModels): StoredModels {
  if (environment.connection !== null) throw decidedByEnvironment(environment.connectionVariables);
  const wasNeeded = stored.provider === 'anthropic' && stored.key?.baseUrl === stored.baseUrl;
  return wasNeeded ? nothingStored : { ...stored, key: null };
}

/** What may be shown of the settings. Pure. */
export function viewOf(
  environment: ModelEnvironment,
  stored: StoredModels,
  current: ModelSettingsView['current'],
): ModelSettingsView {
  const { connection, connectionVariables } = environment;
  const models = modelsFor(environment, stored);
  const baseUrl = models?.baseUrl ?? null;
  const names = baseUrl === null ? nothingStored : namesFor(baseUrl, stored);
  const hasOwnKey = typeof connection === 'object' && connection !== null;
  const keyFor = hasOwnKey
    ? (connection.apiKey ?? connection.authToken) === null
      ? null
      : connection.baseUrl
    : (stored.key?.baseUrl ?? null);
  return {
    provider: providerOf(baseUrl),
    baseUrl,
    orchestrator: environment.orchestrator ?? names.orchestrator,
    generator: environment.generator ?? names.generator,
    contextTokens: environment.contextTokens ?? names.contextTokens,
    keyFor,
    setBy: {
      connection: [...connectionVariables],
      orchestrator: environment.orchestrator === null ? [] : ['KODA_MODEL'],
      generator: environment.generator === null ? [] : ['KODA_MODEL_GENERATOR'],
      contextTokens: environment.contextTokens === null ? [] : ['KODA_MODEL_CONTEXT_TOKENS'],
    },
    current,
    defaults: { baseUrl: anthropicUrl, orchestrator: defaultModel },
  };
}

function providerOf(baseUrl: string | null): ModelProvider {
  if (baseUrl === null) return 'director';
  return baseUrl === anthropicUrl ? 'anthropic' : 'server';
}

function addressOf(request: Exclude<ModelSettingsRequest, { provider: 'director' }>): string {
  return request.provider === 'anthropic' ? anthropicUrl : request.baseUrl;
}

function decidedByEnvironment(variables: readonly string[]): KodaError {
  return new KodaError(
    'CONFLICT',
    `The environment decides which model works (${variables.join(', ')}). Take it out of .env and start Koda again to choose here.`,
    { recovery: 'change_environment' },
  );
}

function invalid(field: string, message: string): KodaError {
  return new KodaError('VALIDATION_ERROR', message, { details: { field }, recovery: 'correct_request' });
}
