import type { FoundModel, ModelTest, ModelTestStepId } from '#contract/model-servers.ts';

/** A model's ability in a few words. */
export interface Ability {
  readonly state: 'yes' | 'no';
  readonly text: string;
}

/** Returns what is known about a model: measured if it was tested, otherwise as its server describes it. */
export function abilitiesOf(model: FoundModel, test: ModelTest | null): Ability[] {
  return test?.verdict ? measuredAbilities(test) : describedAbilities(model);
}

function describedAbilities({ contextTokens, allowedContextTokens, supportsTools, supportsImages }: FoundModel): Ability[] {
  const tokens = contextTokens ?? allowedContextTokens;
  return [
    ...(tokens === null
      ? []
      : [{ state: 'yes' as const, text: `${contextTokens === null ? 'up to ' : ''}${shortTokens(tokens)} tokens` }]),
    ...(supportsTools === null ? [] : [yesOrNo(supportsTools, 'calls tools', 'no tools')]),
    ...(supportsImages === null ? [] : [yesOrNo(supportsImages, 'sees pictures', 'no pictures')]),
  ];
}

function measuredAbilities({ steps, verdict }: ModelTest): Ability[] {
  const stateOf = (id: ModelTestStepId) => steps.find((step) => step.id === id)?.state;
  const isUsable = verdict?.isUsable === true;
  return [
    yesOrNo(isUsable, 'plans films', 'no films'),
    ...(isUsable ? [yesOrNo(verdict?.modelPath === 'code', 'writes code', 'no code')] : []),
    ...(stateOf('pictures') === undefined ? [] : [yesOrNo(stateOf('pictures') === 'good', 'sees pictures', 'no pictures')]),
  ];
}

const yesOrNo = (is: boolean, yes: string, no: string): Ability => (is ? { state: 'yes', text: yes } : { state: 'no', text: no });

/** Formats a count of tokens as model cards do: 32k for 32,768. */
function shortTokens(tokens: number): string {
  return tokens < 1_024 ? String(tokens) : `${Math.round(tokens / 1_024)}k`;
}

/** Formats a model's size. Empty if it is unknown. */
export function sizeText(bytes: number | null): string {
  return bytes === null ? '' : `${(bytes / 1e9).toFixed(1)} GB`;
}
