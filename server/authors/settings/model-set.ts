import { CircuitBreaker } from '../../lib/circuit-breaker.ts';
import type { ModelConfig } from '../../lib/config.ts';
import type { Models } from '../llm/language-model.ts';
import { anthropicModel } from '../llm/models/anthropic/anthropic.ts';
import { type GuardOptions, guarded } from '../llm/models/guarded.ts';
import type { Model } from '../llm/models/model.ts';

export interface ModelSet {
  /** Plain models. A check uses them without retries. */
  readonly services: Models;
  /** Models with retries and timeouts. */
  readonly dependable: Models;
  readonly breaker: CircuitBreaker;
}

export interface ModelSetOptions {
  readonly guard: Omit<GuardOptions, 'breaker'>;
  readonly recordingFolder: string;
}

/** Creates the models of one service. Each set has its own circuit, because earlier failures concern another service. */
export function createModelSet(config: ModelConfig, { guard, recordingFolder }: ModelSetOptions): ModelSet {
  const { orchestrator, generator, record, ...settings } = config;
  const service = { ...settings, recordingFolder: record ? recordingFolder : null };
  const breaker = new CircuitBreaker({ name: 'model', label: 'The model service' });
  const made = (model: string) => anthropicModel(service, { model, ...settings });
  const lead = made(orchestrator);
  // One model in both roles learns only once what its service rejects.
  const services = { orchestrator: lead, generator: generator === orchestrator ? lead : made(generator) };
  const dependable = (model: Model): Model => guarded(model, { ...guard, breaker });
  return {
    services,
    dependable: { orchestrator: dependable(services.orchestrator), generator: dependable(services.generator) },
    breaker,
  };
}
