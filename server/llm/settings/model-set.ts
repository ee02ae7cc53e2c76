import type { ModelApi, ModelPath } from '#contract/settings.ts';
import { CircuitBreaker } from '../../lib/circuit-breaker.ts';
import type { ModelConfig } from '../../lib/config.ts';
import type { Fetch } from '../../lib/outbound-fetch.ts';
import type { Models } from '../language-model.ts';
import { messagesApi } from '../models/anthropic/messages.ts';
import { chatApi } from '../models/chat/chat.ts';
import type { Model } from '../models/model.ts';
import { type ResilienceOptions, resilientModel } from '../models/resilient-model.ts';
import { serviceModel, type WireFormat } from '../models/service/service-model.ts';

const formats: Readonly<Record<ModelApi, WireFormat>> = { messages: messagesApi, chat: chatApi };

export interface ModelSet {
  readonly path: ModelPath;
  /** Models without retries, used by checks. */
  readonly services: Models;
  /** Models with retries and timeouts. */
  readonly resilient: Models;
  readonly breaker: CircuitBreaker;
}

export interface ModelSetOptions {
  readonly resilience: Omit<ResilienceOptions, 'breaker'>;
  readonly recordingFolder: string;
  readonly fetch: Fetch;
}

/** Creates the models of one service. Each set has its own circuit, because earlier failures concern another service. */
export function createModelSet(config: ModelConfig, { resilience, recordingFolder, fetch }: ModelSetOptions): ModelSet {
  const { orchestrator, generator, modelPath, api, record, ...settings } = config;
  const service = { ...settings, fetch, recordingFolder: record ? recordingFolder : null };
  const breaker = new CircuitBreaker({ name: 'model', label: 'The model service' });
  const made = (model: string) => serviceModel(formats[api], service, { model, ...settings });
  const main = made(orchestrator);
  // A single model in both roles discovers only once what its service rejects.
  const services = { orchestrator: main, generator: generator === orchestrator ? main : made(generator) };
  const resilient = (model: Model): Model => resilientModel(model, { ...resilience, breaker });
  return {
    path: modelPath,
    services,
    resilient: { orchestrator: resilient(services.orchestrator), generator: resilient(services.generator) },
    breaker,
  };
}
