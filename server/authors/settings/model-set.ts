import { CircuitBreaker } from '../../lib/circuit-breaker.ts';
import type { ModelConfig } from '../../lib/config.ts';
import { director } from '../director/director.ts';
import { anthropicModel } from '../llm/models/anthropic/anthropic.ts';
import { type GuardOptions, guarded } from '../llm/models/guarded.ts';
import type { Model } from '../llm/models/model.ts';

/** The models that the agent works with. */
export interface Models {
  readonly orchestrator: Model;
  readonly generator: Model;
}

/** Models in both forms, and how their service stands. */
export interface ModelSet {
  /** As they are: a check asks them at once. */
  readonly services: Models;
  /** The same, whose answers end in time and are asked for again. */
  readonly dependable: Models;
  /** Null when there is no service. */
  readonly breaker: CircuitBreaker | null;
}

export interface ModelSetOptions {
  readonly guard: Omit<GuardOptions, 'breaker'>;
  /** Where exchanges are written to when that is asked for. */
  readonly recordingFolder: string;
}

/** The director, or language models. Another set is another service: what failed before says nothing of it. */
export function createModelSet(config: ModelConfig | null, { guard, recordingFolder }: ModelSetOptions): ModelSet {
  // The director is no service: what fails in it is a fault of ours, which no second try mends.
  if (config === null) {
    const models = { orchestrator: director, generator: director };
    return { services: models, dependable: models, breaker: null };
  }
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
