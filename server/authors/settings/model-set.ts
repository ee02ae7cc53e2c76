import { CircuitBreaker } from '../../lib/circuit-breaker.ts';
import type { ModelConfig } from '../../lib/config.ts';
import type { Models } from '../llm/language-model.ts';
import { anthropicModel } from '../llm/models/anthropic/anthropic.ts';
import { type GuardOptions, guarded } from '../llm/models/guarded.ts';
import type { Model } from '../llm/models/model.ts';

/** Models in both forms, and how their service stands. */
export interface ModelSet {
  /** As they are: a check asks them at once. */
  readonly services: Models;
  /** The same, whose answers end in time and are asked for again. */
  readonly dependable: Models;
  readonly breaker: CircuitBreaker;
}

export interface ModelSetOptions {
  readonly guard: Omit<GuardOptions, 'breaker'>;
  /** Where exchanges are written to when that is asked for. */
  readonly recordingFolder: string;
}

/** Language models. Another set is another service: what failed before says nothing of it. */
export function createModelSet(config: ModelConfig, { guard, recordingFolder }: ModelSetOptions): ModelSet {
  const { orchestrator, generator, record, ...settings } = config;
  const service = { ...settings, recordingFolder: record ? recordingFolder : null };
  const breaker = new CircuitBreaker({ name: 'model', label: 'The model service' });
  const made = (model: string) => anthropicModel(service, { model, ...settings });
  const lead = made(orchestrator);
  // One model in both roles learns once what its service refuses.
  const services = { orchestrator: lead, generator: generator === orchestrator ? lead : made(generator) };
  const dependable = (model: Model): Model => guarded(model, { ...guard, breaker });
  return {
    services,
    dependable: { orchestrator: dependable(services.orchestrator), generator: dependable(services.generator) },
    breaker,
  };
}
