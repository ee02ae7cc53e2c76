import type { ModelCheck } from '#contract/api.ts';
import { errorMessage } from '#contract/errors.ts';
import type { Model, ModelRequest } from './models/model.ts';
import { readTurn } from './turn.ts';

const timeoutMs = 60_000;

/**
 * Sends a minimal request to each model, as a run would, so that a wrong key, address or name is found before work starts.
 * Never throws; a failure's detail says what to do.
 */
export async function checkModels(
  models: { readonly orchestrator: Model; readonly generator: Model },
  { signal }: { signal: AbortSignal },
): Promise<ModelCheck[]> {
  const isSame = models.orchestrator === models.generator;
  return await Promise.all([
    checkModel(isSame ? 'orchestrator and generator' : 'orchestrator', models.orchestrator, signal),
    ...(isSame ? [] : [checkModel('generator', models.generator, signal)]),
  ]);
}

async function checkModel(role: string, model: Model, signal: AbortSignal): Promise<ModelCheck> {
  const { kind, name } = model;
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    await readTurn(model.stream(oneWord, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }));
    const window = model.contextTokens === null ? '' : `, ${model.contextTokens} tokens of context`;
    return {
      role,
      kind,
      name,
      ok: true,
      detail: `responds${window}${model.supportsImages ? ', supports images' : ''}`,
      durationMs: durationMs(),
    };
  } catch (error) {
    return { role, kind, name, ok: false, detail: errorMessage(error), durationMs: durationMs() };
  }
}

const oneWord: ModelRequest = {
  role: 'orchestrator',
  projectId: null,
  system: 'You check a connection.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word ok.' }] }],
  tools: [],
  forcedTool: null,
};
