import { KodaError } from '#contract/errors.ts';
import {
  anthropicUrl,
  defaultModel,
  type ModelApi,
  type ModelProvider,
  type ModelSettingsRequest,
  type ModelSettingsView,
} from '#contract/settings.ts';
import type { ModelConfig, ModelEnvironment } from '../../lib/config.ts';
import { nothingStored, type StoredModels } from './stored.ts';

/** Returns the models that the environment selects, or otherwise the settings. `null` for the director. */
export function modelsFor(environment: ModelEnvironment, stored: StoredModels): ModelConfig | null {
  const connection = connectionOf(environment, stored);
  if (connection === null) return null;
  const { effort, maxOutputTokens, supportsImages, record } = environment;
  const own = namesFor(connection.baseUrl, stored);
  const orchestrator = environment.orchestrator ?? (own.orchestrator || defaultModel);
  return {
    ...connection,
    orchestrator,
    generator: environment.generator ?? (own.generator || orchestrator),
    contextTokens: environment.contextTokens ?? own.contextTokens,
    modelPath: environment.modelPath ?? own.modelPath,
    api: apiOf(environment, connection.baseUrl, stored),
    effort,
    maxOutputTokens,
    supportsImages,
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

/** Returns the API of a server. Anthropic's own has the Messages API in any case. */
function apiOf(environment: ModelEnvironment, baseUrl: string, stored: StoredModels): ModelApi {
  return baseUrl === anthropicUrl ? 'messages' : (environment.api ?? namesFor(baseUrl, stored).api);
}

/** Returns the stored model names if they were set for this server. Other servers do not have these models. */
function namesFor(
  baseUrl: string,
  stored: StoredModels,
): Pick<StoredModels, 'orchestrator' | 'generator' | 'contextTokens' | 'modelPath' | 'api'> {
  return stored.baseUrl === baseUrl ? stored : nothingStored;
}

/**
 * Returns the settings after a request. Throws CONFLICT if the environment sets a requested value, and VALIDATION_ERROR if
 * the settings are invalid. A key is bound to its address, so that changing the address does not reveal it.
 */
export function afterRequest(environment: ModelEnvironment, stored: StoredModels, request: ModelSettingsRequest): StoredModels {
  const { connection } = environment;
  if (connection !== null && !isFixed(connection, request)) throw decidedByEnvironment(environment.connectionVariables);
  if (request.provider === 'director') return { ...nothingStored, key: stored.key };
  const baseUrl = addressOf(request);
  const key = request.apiKey === undefined ? stored.key : { baseUrl, value: request.apiKey };
  if (request.provider === 'anthropic' && connection === null && key?.baseUrl !== baseUrl) {
    throw invalid('apiKey', 'Anthropic needs a key. Create one at console.anthropic.com and paste it here.');
  }
  if (request.provider === 'server' && request.orchestrator === '' && environment.orchestrator === null) {
    throw invalid('orchestrator', 'Enter the name of one of your server’s models.');
  }
  const { provider, orchestrator, generator, modelPath } = request;
  const contextTokens = request.provider === 'server' ? request.contextTokens : null;
  const api = request.provider === 'server' ? request.api : 'messages';
  return { provider, baseUrl, orchestrator, generator, contextTokens, modelPath, api, key };
}

/** Returns whether a request leaves the environment's connection unchanged. It may still change model names. */
function isFixed(connection: NonNullable<ModelEnvironment['connection']>, request: ModelSettingsRequest): boolean {
  if (connection === 'director' || request.provider === 'director') return false;
  return request.apiKey === undefined && addressOf(request) === connection.baseUrl;
}

/** Returns the settings without their key. Anthropic's service requires one, so the director takes over. */
export function withoutKey(environment: ModelEnvironment, stored: StoredModels): StoredModels {
  if (environment.connection !== null) throw decidedByEnvironment(environment.connectionVariables);
  const wasNeeded = stored.provider === 'anthropic' && stored.key?.baseUrl === stored.baseUrl;
  return wasNeeded ? nothingStored : { ...stored, key: null };
}

/** Returns the settings for display, without the key. */
export function viewOf(
  environment: ModelEnvironment,
  stored: StoredModels,
  current: ModelSettingsView['current'],
): ModelSettingsView {
  const { connection, connectionVariables } = environment;
  const models = modelsFor(environment, stored);
  const baseUrl = models?.baseUrl ?? null;
  const names = baseUrl === null ? nothingStored : namesFor(baseUrl, stored);
  return {
    provider: providerOf(baseUrl),
    baseUrl,
    orchestrator: environment.orchestrator ?? names.orchestrator,
    generator: environment.generator ?? names.generator,
    contextTokens: environment.contextTokens ?? names.contextTokens,
    modelPath: environment.modelPath ?? names.modelPath,
    api: environment.api ?? names.api,
    keyFor: keyAddress(connection, stored),
    setBy: {
      connection: [...connectionVariables],
      orchestrator: environment.orchestrator === null ? [] : ['KODA_MODEL'],
      generator: environment.generator === null ? [] : ['KODA_MODEL_GENERATOR'],
      contextTokens: environment.contextTokens === null ? [] : ['KODA_MODEL_CONTEXT_TOKENS'],
      modelPath: environment.modelPath === null ? [] : ['KODA_MODEL_PATH'],
      api: environment.api === null ? [] : ['KODA_MODEL_API'],
    },
    current,
    defaults: { baseUrl: anthropicUrl, orchestrator: defaultModel },
  };
}

function keyAddress(connection: ModelEnvironment['connection'], stored: StoredModels): string | null {
  if (typeof connection !== 'object' || connection === null) return stored.key?.baseUrl ?? null;
  return (connection.apiKey ?? connection.authToken) === null ? null : connection.baseUrl;
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
    `Environment variables set the model (${variables.join(', ')}). To choose it here, remove them from .env and restart Koda.`,
    { recovery: 'change_environment' },
  );
}

function invalid(field: string, message: string): KodaError {
  return new KodaError('VALIDATION_ERROR', message, { details: { field }, recovery: 'correct_request' });
}
