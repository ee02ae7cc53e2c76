import { CircuitBreaker } from '../../lib/circuit-breaker.ts';
import type { ModelConfig } from '../../lib/config.ts';
import type { Models } from '../language-model.ts';
import { anthropicModel } from '../models/anthropic/anthropic.ts';
import type { Model } from '../models/model.ts';
import { type ResilienceOptions, resilientModel } from '../models/resilient-model.ts';

export interface ModelSet {
  /** Models without retries, used by checks. */
  readonly services: Models;
  /** Models with retries and timeouts. */
  readonly resilient: Models;
  readonly breaker: CircuitBreaker;
}

export interface ModelSetOptions {
  readonly resilience: Omit<ResilienceOptions, 'breaker'>;
  readonly recordingFolder: string;
}

/** Creates the models of one service. Each set has its own circuit, because earlier failures concern another service. */
export function createModelSet(config: ModelConfig, { resilience, recordingFolder }: ModelSetOptions): ModelSet {
  const { orchestrator, generator, record, ...settings } = config;
  const service = { ...settings, recordingFolder: record ? recordingFolder : null };
  const breaker = new CircuitBreaker({ name: 'model', label: 'The model service' });
  const made = (model: string) => anthropicModel(service, { model, ...settings });
  const main = made(orchestrator);
  // A single model in both roles discovers only once what its service rejects.
  const services = { orchestrator: main, generator: generator === orchestrator ? main : made(generator) };
  const resilient = (model: Model): Model => resilientModel(model, { ...resilience, breaker });
  return {
    services,
    resilient: { orchestrator: resilient(services.orchestrator), generator: resilient(services.generator) },
    breaker,
  };
}
