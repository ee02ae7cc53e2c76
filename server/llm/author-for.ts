import { type ModelPath, minCodeContextTokens } from '#contract/settings.ts';
import type { Author, Builder, Converser, JsonPath } from '../projects/author.ts';
import { askForJson } from './ask-for-json.ts';
import { languageModel, type Models } from './language-model.ts';
import type { Model } from './models/model.ts';
import { isClaude } from './models/service/features.ts';

/**
 * Creates the author of a project from language models: one that answers in JSON, which the project's kind reads, or one
 * that calls tools and may write code. `requests`: what the user has said so far.
 */
export function authorFor<Made extends Author>(
  models: Models,
  { path, kind, requests }: { path: ModelPath; kind: { readonly jsonPath?: JsonPath<Made> }; requests: readonly string[] },
): Made | (Builder & Converser) {
  const { jsonPath } = kind;
  const isCodeRequested = requests.some((text) => jsonPath?.isCodeRequest?.(text));
  const mayWriteCode = jsonPath?.isCodeRequest !== undefined;
  if (jsonPath === undefined || (mayWriteCode && !usesFormats(models.orchestrator, { path, isCodeRequested })))
    return languageModel(models);
  const { kind: model, name } = models.orchestrator;
  return jsonPath.author(askForJson(models.orchestrator), { kind: model, name });
}

/** Returns whether a model makes films of formats only. */
export function usesFormats(
  { name, contextTokens }: Pick<Model, 'name' | 'contextTokens'>,
  { path, isCodeRequested }: { path: ModelPath; isCodeRequested: boolean },
): boolean {
  if (path !== 'auto') return path === 'formats';
  const hasRoom = contextTokens === null || contextTokens >= minCodeContextTokens;
  return !hasRoom || !(isCodeRequested || isClaude(name));
}
